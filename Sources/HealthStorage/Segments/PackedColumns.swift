import GRDB
import HealthEngine

/// A binary, column-wise encoding of up to 65,536 samples of one type: about six bytes for each
/// heart rate of an export.
///
/// ```
/// 0   version 1 · plain · encodings of start, end, value, origin, created · 0    one byte each
/// 8   count · distinct values · distinct origins                                four bytes each
/// 20  the first start, the distinct values, the origins' ids, created           eight bytes each
/// ·   starts · ends · values · origins
///
/// start    0 whole seconds since the first, four bytes each    1 doubles
/// end      0 equal to the start    1, 2 whole seconds since it, two or four bytes    3 doubles
/// value    0, 1 index of the distinct value, one or two bytes    2 doubles
/// origin   0 all have the first    1, 2 index, one or two bytes
/// created  0 only of the first sample, if all starts differ, also from that of the next sample
///            after these
///          1 of all samples
/// ```
/// All numbers are little endian. An encoding is only used if it restores every double bit by bit.
enum PackedColumns {
    static let version: UInt8 = 1
    /// The size of the header before the first double, in bytes.
    static let headerSize = 20
    /// The maximum number of samples, because indices have at most two bytes.
    static let maximumCount = 1 << 16

    /// Encodes columns.
    ///
    /// - Parameters:
    ///   - origins: The ids of origins, in the order of ``SampleColumns/origins``.
    ///   - next: The earliest start of a later sample. If it is that of the last sample, creation
    ///     dates are needed to tell which one is more recent.
    static func bytes(
        of columns: SampleColumns, origins: [Int64], before next: Double = .infinity
    ) -> [UInt8] {
        let starts = starts(columns), ends = ends(columns), values = values(columns.value)
        let haveOwnStarts =
            columns.haveDistinctStarts && columns.start.last ?? -.infinity < next
        let originForm: UInt8 = columns.origin.isEmpty ? 0 : origins.count <= 256 ? 1 : 2
        var packed: [UInt8] = [
            version, columns.isWellFormed ? 1 : 0, starts.form, ends.form, values.form, originForm,
            haveOwnStarts ? 0 : 1, 0,
        ]
        packed.reserveCapacity(headerSize + columns.count * 12 + values.distinct.count * 8)
        packed += bytes([columns.count, values.distinct.count, origins.count].map(UInt32.init))
        packed += bytes(columns.start.prefix(1) + values.distinct) + bytes(origins)
        packed += bytes(haveOwnStarts ? Array(columns.created.prefix(1)) : columns.created)
        packed += starts.bytes + ends.bytes + values.bytes
        switch originForm {
        case 0: return packed
        case 1: return packed + columns.origin.map { UInt8(truncatingIfNeeded: $0) }
        default: return packed + bytes(columns.origin)
        }
    }

    private static func starts(_ columns: SampleColumns) -> (form: UInt8, bytes: [UInt8]) {
        let first = columns.start.first ?? 0
        let seconds = columns.start.map { wholeSeconds(from: first, to: $0) }
        let integers = seconds.compactMap(\.self)
        return integers.count == seconds.count ? (0, bytes(integers)) : (1, bytes(columns.start))
    }

    private static func ends(_ columns: SampleColumns) -> (form: UInt8, bytes: [UInt8]) {
        let pairs = zip(columns.start, columns.end)
        if pairs.allSatisfy({ $0.bitPattern == $1.bitPattern }) { return (0, []) }
        let seconds = pairs.map { wholeSeconds(from: $0, to: $1) }
        let integers = seconds.compactMap(\.self)
        if integers.count < seconds.count { return (3, bytes(columns.end)) }
        if integers.allSatisfy({ $0 <= UInt32(UInt16.max) }) {
            return (1, bytes(integers.map { UInt16(truncatingIfNeeded: $0) }))
        }
        return (2, bytes(integers))
    }

    private static func values(
        _ values: [Double]
    ) -> (form: UInt8, distinct: [Double], bytes: [UInt8]) {
        var places: [UInt64: UInt16] = [:]
        var distinct: [Double] = []
        var indices: [UInt16] = []
        indices.reserveCapacity(values.count)
        for value in values {
            if let place = places[value.bitPattern] {
                indices.append(place)
                continue
            }
            // A table of more than 256 distinct values saves nothing if half of all values are
            // distinct.
            if distinct.count >= max(256, values.count / 2) { return (2, [], bytes(values)) }
            let place = UInt16(truncatingIfNeeded: distinct.count)
            places[value.bitPattern] = place
            indices.append(place)
            distinct.append(value)
        }
        if distinct.count > 256 { return (1, distinct, bytes(indices)) }
        return (0, distinct, indices.map { UInt8(truncatingIfNeeded: $0) })
    }

    /// Returns the seconds between two times; nil unless they are a whole number of 32 bits that,
    /// added to the start, gives exactly the end.
    private static func wholeSeconds(from start: Double, to end: Double) -> UInt32? {
        guard let seconds = UInt32(exactly: end - start),
            (start + Double(seconds)).bitPattern == end.bitPattern
        else { return nil }
        return seconds
    }

    private static func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * MemoryLayout<Number>.size)
        for number in numbers {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    private static func bytes(_ numbers: [Double]) -> [UInt8] {
        bytes(numbers.map(\.bitPattern))
    }
}

extension SampleColumns {
    /// Whether all starts differ. The starts must be ascending.
    var haveDistinctStarts: Bool {
        zip(start, start.dropFirst()).allSatisfy { $0 < $1 }
    }
}

extension PackedColumns {
    /// Decodes bytes into columns, reusing their memory.
    ///
    /// - Parameter index: Returns the caller's index of an origin, from its id.
    /// - Throws: ``StoreError`` of code `corrupt` for malformed bytes, and errors of `index`. No
    ///   input traps.
    static func read(
        _ bytes: UnsafeRawBufferPointer, into columns: inout SampleColumns,
        index: (Int64) throws -> Int32
    ) throws {
        guard bytes.count >= headerSize, bytes[0] == version else { throw damage }
        let forms = (start: bytes[2], end: bytes[3], value: bytes[4], origin: bytes[5])
        var reader = ByteReader(bytes: bytes, position: 8)
        let count = try Int(reader.next(1, of: UInt32.self)[0])
        let distinct = try Int(reader.next(1, of: UInt32.self)[0])
        let origins = try Int(reader.next(1, of: UInt32.self)[0])
        guard (1...maximumCount).contains(count), (1...maximumCount).contains(origins) else {
            throw damage
        }

        let first = Double(bitPattern: try reader.next(1, of: UInt64.self)[0])
        let values = try reader.next(distinct, of: UInt64.self).map(Double.init(bitPattern:))
        columns.origins = try reader.next(origins, of: Int64.self).map { try index($0) }
        columns.created = try reader.next(bytes[6] == 0 ? 1 : count, of: UInt64.self)
            .map(Double.init(bitPattern:))
        columns.isWellFormed = bytes[1] == 1

        try readStarts(forms.start, from: first, count, &reader, into: &columns.start)
        try readEnds(forms.end, of: columns.start, &reader, into: &columns.end)
        try readValues(forms.value, values, count, &reader, into: &columns.value)
        try readOrigins(forms.origin, origins, count, &reader, into: &columns.origin)
    }

    private static var damage: StoreError { StoreError(.damagedSegments) }

    private static func readStarts(
        _ form: UInt8, from first: Double, _ count: Int, _ reader: inout ByteReader,
        into column: inout [Double]
    ) throws {
        switch form {
        case 0:
            let seconds = try reader.next(count, of: UInt32.self)
            column.fill(count) { first + Double(seconds[$0]) }
        case 1: try readDoubles(count, &reader, into: &column)
        default: throw damage
        }
    }

    private static func readEnds(
        _ form: UInt8, of starts: [Double], _ reader: inout ByteReader, into column: inout [Double]
    ) throws {
        switch form {
        case 0: column.fill(starts.count) { starts[$0] }
        case 1:
            let seconds = try reader.next(starts.count, of: UInt16.self)
            column.fill(starts.count) { starts[$0] + Double(seconds[$0]) }
        case 2:
            let seconds = try reader.next(starts.count, of: UInt32.self)
            column.fill(starts.count) { starts[$0] + Double(seconds[$0]) }
        case 3: try readDoubles(starts.count, &reader, into: &column)
        default: throw damage
        }
    }

    private static func readValues(
        _ form: UInt8, _ distinct: [Double], _ count: Int, _ reader: inout ByteReader,
        into column: inout [Double]
    ) throws {
        switch form {
        case 0:
            let places = try reader.next(count, of: UInt8.self)
            guard places.areAll(below: distinct.count) else { throw damage }
            distinct.withUnsafeBufferPointer { distinct in
                column.fill(count) { distinct[Int(places[$0])] }
            }
        case 1:
            let places = try reader.next(count, of: UInt16.self)
            guard places.areAll(below: distinct.count) else { throw damage }
            distinct.withUnsafeBufferPointer { distinct in
                column.fill(count) { distinct[Int(places[$0])] }
            }
        case 2: try readDoubles(count, &reader, into: &column)
        default: throw damage
        }
    }

    private static func readOrigins(
        _ form: UInt8, _ distinct: Int, _ count: Int, _ reader: inout ByteReader,
        into column: inout [UInt16]
    ) throws {
        switch form {
        case 0: column.removeAll(keepingCapacity: true)
        case 1:
            let places = try reader.next(count, of: UInt8.self)
            guard places.areAll(below: distinct) else { throw damage }
            column.fill(count) { UInt16(places[$0]) }
        case 2:
            let places = try reader.next(count, of: UInt16.self)
            guard places.areAll(below: distinct) else { throw damage }
            column.fill(count) { places[$0] }
        default: throw damage
        }
    }

    private static func readDoubles(
        _ count: Int, _ reader: inout ByteReader, into column: inout [Double]
    ) throws {
        let bits = try reader.next(count, of: UInt64.self)
        column.fill(count) { Double(bitPattern: bits[$0]) }
    }

    /// A bounds-checked cursor over bytes.
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

/// A sequence of unaligned little-endian integers.
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

    func areAll(below limit: Int) -> Bool {
        var largest: Number = 0
        for index in 0..<count { largest = max(largest, self[index]) }
        return count == 0 || largest < limit
    }
}

extension Array where Element: BitwiseCopyable & Numeric {
    /// Replaces the elements by `count` new ones, reusing the memory if the count doesn't change.
    @inline(__always)
    fileprivate mutating func fill(_ count: Int, _ element: (Int) -> Element) {
        if self.count != count { self = [Element](repeating: 0, count: count) }
        withUnsafeMutableBufferPointer { elements in
            for index in 0..<count { elements[index] = element(index) }
        }
    }
}
