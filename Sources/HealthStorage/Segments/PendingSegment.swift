import HealthEngine

/// The samples of the next segment of a type, in order of start and key.
struct PendingSegment {
    private(set) var columns = SampleColumns()
    private(set) var keys: [Int64] = []
    private var origins: [Int64] = []
    private var originIndices: [Int64: UInt16] = [:]
    /// The latest origin and its index in ``origins``. Neighbouring samples often have the same.
    private var lastOrigin: (id: Int64, index: UInt16) = (-1, 0)

    var count: Int { keys.count }

    var first: SegmentPosition? { keys.isEmpty ? nil : place(0) }

    var last: SegmentPosition? { keys.isEmpty ? nil : place(keys.count - 1) }

    func place(_ index: Int) -> SegmentPosition {
        SegmentPosition(start: columns.start[index], key: keys[index])
    }

    /// Adds a sample after all others.
    @inline(__always)
    mutating func append(
        _ place: SegmentPosition, end: Double, created: Double, value: Double, origin: Int64
    ) {
        keys.append(place.key)
        columns.start.append(place.start)
        columns.end.append(end)
        columns.created.append(created)
        columns.value.append(value)
        columns.origin.append(index(ofOrigin: origin))
    }

    /// Adds a sample before the one at an index, or after all if there is none.
    @inline(__always)
    mutating func insert(
        _ place: SegmentPosition, end: Double, created: Double, value: Double, origin: Int64,
        at index: Int
    ) {
        if index == count {
            append(place, end: end, created: created, value: value, origin: origin)
            return
        }
        keys.insert(place.key, at: index)
        columns.start.insert(place.start, at: index)
        columns.end.insert(end, at: index)
        columns.created.insert(created, at: index)
        columns.value.insert(value, at: index)
        columns.origin.insert(self.index(ofOrigin: origin), at: index)
    }

    /// Returns the index of the first sample after a position; ``count`` if there is none.
    @inline(__always)
    func index(after position: SegmentPosition) -> Int {
        guard let last, position < last else { return count }
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if position < place(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func index(ofOrigin id: Int64) -> UInt16 {
        if lastOrigin.id == id { return lastOrigin.index }
        let known = originIndices[id]
        let index = known ?? UInt16(truncatingIfNeeded: origins.count)
        if known == nil {
            originIndices[id] = index
            origins.append(id)
        }
        lastOrigin = (id, index)
        return index
    }

    /// Removes the first samples, and returns them as another segment.
    mutating func removeFirst(_ count: Int) -> PendingSegment {
        let head = part(0..<count)
        self = part(count..<self.count)
        return head
    }

    /// Returns some of the samples, with only their origins.
    private func part(_ range: Range<Int>) -> PendingSegment {
        var part = PendingSegment()
        part.keys = Array(keys[range])
        part.columns.start = Array(columns.start[range])
        part.columns.end = Array(columns.end[range])
        part.columns.created = Array(columns.created[range])
        part.columns.value = Array(columns.value[range])
        part.columns.origin = columns.origin[range].map { part.index(ofOrigin: origins[Int($0)]) }
        return part
    }

    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        columns.start.removeAll(keepingCapacity: true)
        columns.end.removeAll(keepingCapacity: true)
        columns.created.removeAll(keepingCapacity: true)
        columns.value.removeAll(keepingCapacity: true)
        columns.origin.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        originIndices.removeAll(keepingCapacity: true)
        lastOrigin = (-1, 0)
    }

    /// Returns the samples as ``PackedColumns``.
    ///
    /// - Parameter next: The earliest start of a later sample.
    consuming func packed(before next: Double) -> [UInt8] {
        columns.updateIsWellFormed()
        if origins.count == 1 { columns.origin = [] }
        return PackedColumns.bytes(of: columns, origins: origins, before: next)
    }
}

extension SampleColumns {
    /// Determines whether the columns are well formed: finite numbers, known ends, no end before
    /// its start.
    fileprivate mutating func updateIsWellFormed() {
        isWellFormed = zip(start, end).allSatisfy { start, end in
            start.isFinite && end.isFinite && start <= end && end != Sample.undeterminedEnd
        }
        if isWellFormed { isWellFormed = value.allSatisfy(\.isFinite) }
    }
}
