import GRDB
import HealthEngine

extension PackedColumns {
    /// Unpacks bytes into columns whose memory is used again.
    ///
    /// - Parameter index: What the caller calls an origin, by its stored number.
    /// - Throws: ``StoreError`` of code `corrupt` if the bytes are none that we wrote; no bytes trap.
    static func read(
        _ bytes: UnsafeRawBufferPointer, into columns: inout SampleColumns,
        index: (Int64) throws -> Int32
    ) throws {
        guard bytes.count >= headSize, bytes[0] == version else { throw damage }
        let forms = (start: bytes[2], end: bytes[3], value: bytes[4], origin: bytes[5])
        var rest = ByteReader(bytes: bytes, position: 8)
        let count = try Int(rest.next(1, of: UInt32.self)[0])
        let distinct = try Int(rest.next(1, of: UInt32.self)[0])
        let origins = try Int(rest.next(1, of: UInt32.self)[0])
        guard (1...most).contains(count), (1...most).contains(origins) else { throw damage }

        let first = Double(bitPattern: try rest.next(1, of: UInt64.self)[0])
        let values = try rest.next(distinct, of: UInt64.self).map(Double.init(bitPattern:))
        columns.origins = try rest.next(origins, of: Int64.self).map { try index($0) }
        columns.created = try rest.next(bytes[6] == 0 ? 1 : count, of: UInt64.self)
            .map(Double.init(bitPattern:))
        columns.isPlain = bytes[1] == 1

        try readStarts(forms.start, from: first, count, &rest, into: &columns.start)
        try readEnds(forms.end, of: columns.start, &rest, into: &columns.end)
        try readValues(forms.value, values, count, &rest, into: &columns.value)
        try readOrigins(forms.origin, origins, count, &rest, into: &columns.origin)
    }

    private static var damage: StoreError {
        StoreError(
            .corrupt,
            "What makes statistics fast is damaged; nothing recorded is. Make it anew with: "
                + "openhealth check --rebuild")
    }

    private static func readStarts(
        _ form: UInt8, from first: Double, _ count: Int, _ rest: inout ByteReader,
        into column: inout [Double]
    ) throws {
        switch form {
        case 0:
            let seconds = try rest.next(count, of: UInt32.self)
            column.fill(count) { first + Double(seconds[$0]) }
        case 1: try readDoubles(count, &rest, into: &column)
        default: throw damage
        }
    }

    private static func readEnds(
        _ form: UInt8, of starts: [Double], _ rest: inout ByteReader, into column: inout [Double]
    ) throws {
        switch form {
        case 0: column = starts
        case 1:
            let seconds = try rest.next(starts.count, of: UInt16.self)
            column.fill(starts.count) { starts[$0] + Double(seconds[$0]) }
        case 2:
            let seconds = try rest.next(starts.count, of: UInt32.self)
            column.fill(starts.count) { starts[$0] + Double(seconds[$0]) }
        case 3: try readDoubles(starts.count, &rest, into: &column)
        default: throw damage
        }
    }

    private static func readValues(
        _ form: UInt8, _ distinct: [Double], _ count: Int, _ rest: inout ByteReader,
        into column: inout [Double]
    ) throws {
        switch form {
        case 0:
            let places = try rest.next(count, of: UInt8.self)
            guard places.allLie(below: distinct.count) else { throw damage }
            distinct.withUnsafeBufferPointer { distinct in
                column.fill(count) { distinct[Int(places[$0])] }
            }
        case 1:
            let places = try rest.next(count, of: UInt16.self)
            guard places.allLie(below: distinct.count) else { throw damage }
            distinct.withUnsafeBufferPointer { distinct in
                column.fill(count) { distinct[Int(places[$0])] }
            }
        case 2: try readDoubles(count, &rest, into: &column)
        default: throw damage
        }
    }

    private static func readOrigins(
        _ form: UInt8, _ distinct: Int, _ count: Int, _ rest: inout ByteReader,
        into column: inout [UInt16]
    ) throws {
        switch form {
        case 0: column.removeAll(keepingCapacity: true)
        case 1:
            let places = try rest.next(count, of: UInt8.self)
            guard places.allLie(below: distinct) else { throw damage }
            column.fill(count) { UInt16(places[$0]) }
        case 2:
            let places = try rest.next(count, of: UInt16.self)
            guard places.allLie(below: distinct) else { throw damage }
            column.fill(count) { places[$0] }
        default: throw damage
        }
    }

    private static func readDoubles(
        _ count: Int, _ rest: inout ByteReader, into column: inout [Double]
    ) throws {
        let bits = try rest.next(count, of: UInt64.self)
        column.fill(count) { Double(bitPattern: bits[$0]) }
    }

    /// Goes through bytes and never beyond them.
    private struct ByteReader {
        let bytes: UnsafeRawBufferPointer
        var position: Int

        mutating func next<Number: FixedWidthInteger & BitwiseCopyable>(
            _ count: Int, of: Number.Type
        ) throws -> PackedNumbers<Number> {
            let size = count * MemoryLayout<Number>.size
            guard let base = bytes.baseAddress, count >= 0, size <= bytes.count - position else {
                throw PackedColumns.damage
            }
            defer { position += size }
            return PackedNumbers(base: base + position, count: count)
        }
    }
}

/// Whole numbers in a row, at any address.
private struct PackedNumbers<Number: FixedWidthInteger & BitwiseCopyable> {
    let base: UnsafeRawPointer
    let count: Int

    @inline(__always)
    subscript(index: Int) -> Number {
        Number(
            littleEndian: base.loadUnaligned(
                fromByteOffset: index &* MemoryLayout<Number>.size, as: Number.self))
    }

    func map<Value>(_ transform: (Number) throws -> Value) rethrows -> [Value] {
        try (0..<count).map { try transform(self[$0]) }
    }

    func allLie(below limit: Int) -> Bool {
        var largest: Number = 0
        for index in 0..<count { largest = max(largest, self[index]) }
        return count == 0 || largest < limit
    }
}

extension Array where Element: BitwiseCopyable & Numeric {
    /// Sets every element anew, in the memory that is there.
    @inline(__always)
    fileprivate mutating func fill(_ count: Int, _ element: (Int) -> Element) {
        if self.count != count { self = [Element](repeating: 0, count: count) }
        withUnsafeMutableBufferPointer { elements in
            for index in 0..<count { elements[index] = element(index) }
        }
    }
}
