/// The samples of a merge in (start, key) order, as one array for each property: passes over one
/// property read less memory than passes over whole entries.
struct MergeColumns {
    private(set) var start: [Double] = []
    private(set) var end: [Double] = []
    private(set) var value: [Double] = []
    /// The creation dates; `-infinity` if unknown.
    private(set) var created: [Double] = []
    /// The index of each sample's source, or its bitwise complement if the sample's end is unknown.
    private var encodedSource: [Int32] = []

    var count: Int { start.count }

    /// Allocates memory for a number of samples.
    mutating func reserveCapacity(_ count: Int) {
        start.reserveCapacity(count)
        end.reserveCapacity(count)
        value.reserveCapacity(count)
        created.reserveCapacity(count)
        encodedSource.reserveCapacity(count)
    }

    subscript(index: Int) -> MergeEntry {
        let encoded = encodedSource[index]
        return MergeEntry(
            start: start[index], end: end[index], value: value[index], created: created[index],
            isUndetermined: encoded < 0, source: encoded < 0 ? ~encoded : encoded)
    }

    /// The samples, one by one.
    var entries: [MergeEntry] { (0..<count).map { self[$0] } }

    mutating func append(_ entry: MergeEntry) {
        start.append(entry.start)
        end.append(entry.end)
        value.append(entry.value)
        created.append(entry.created)
        encodedSource.append(entry.recordedEnd == entry.end ? entry.source : ~entry.source)
    }

    /// Appends the samples of a range of a run.
    mutating func append(_ run: EntryRun, _ range: Range<Int>) {
        let first = count
        start.append(contentsOf: run.start[range])
        end.append(contentsOf: run.end[range])
        value.append(contentsOf: run.value[range])
        created.append(contentsOf: repeatElement(-.infinity, count: range.count))
        for index in range.clamped(to: 0..<run.created.count) where !run.created[index].isNaN {
            created[first + index - range.lowerBound] = run.created[index]
        }
        let source = run.sources[0]
        encodedSource.append(contentsOf: repeatElement(source, count: range.count))
        if run.origin.isEmpty { return }
        encodedSource.withUnsafeMutableBufferPointer { encoded in
            for index in range {
                encoded[first + index - range.lowerBound] = run.sources[Int(run.origin[index])]
            }
        }
    }

    /// Removes the samples that neither extend beyond a boundary nor are instants on it.
    mutating func removeAll(before boundary: Double) {
        var kept = 0
        for index in 0..<count where end[index] > boundary || start[index] >= boundary {
            start[kept] = start[index]
            end[kept] = end[index]
            value[kept] = value[index]
            created[kept] = created[index]
            encodedSource[kept] = encodedSource[index]
            kept += 1
        }
        let removed = count - kept
        start.removeLast(removed)
        end.removeLast(removed)
        value.removeLast(removed)
        created.removeLast(removed)
        encodedSource.removeLast(removed)
    }

    /// Calls `body` with the starts, ends and values, which are valid only during the call.
    @inline(__always)
    func withAmounts(
        _ body: (
            UnsafeBufferPointer<Double>, UnsafeBufferPointer<Double>, UnsafeBufferPointer<Double>
        ) -> Void
    ) {
        start.withUnsafeBufferPointer { start in
            end.withUnsafeBufferPointer { end in
                value.withUnsafeBufferPointer { value in body(start, end, value) }
            }
        }
    }

    /// Returns the rank of each sample, and the distinct ranks in ascending order.
    ///
    /// Ranks are doubles here, because processors choose between doubles without a branch only if
    /// they also compare doubles.
    ///
    /// - Parameter ranks: The rank of each source.
    func ranks(_ ranks: [Int32]) -> (ofSamples: [Double], distinct: [Double]) {
        let ranks = ranks.map { Double($0) }
        var isUsed = [Bool](repeating: false, count: ranks.count)
        let ofSamples = isUsed.withUnsafeMutableBufferPointer { isUsed in
            ranks.withUnsafeBufferPointer { ranks in
                encodedSource.map { encoded in
                    let source = Int(encoded < 0 ? ~encoded : encoded)
                    isUsed[source] = true
                    return ranks[source]
                }
            }
        }
        return (ofSamples, zip(ranks, isUsed).filter(\.1).map(\.0).sorted())
    }
}
