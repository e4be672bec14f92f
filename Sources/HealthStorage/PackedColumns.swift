import GRDB
import HealthEngine

/// Some thousand samples of one type as bytes, column by column; six for each heart rate of an export.
///
/// ```
/// 0   version 1 · plain · forms of start, end, value, origin, created · 0        one byte each
/// 8   count · distinct values · distinct origins                                four bytes each
/// 20  the first start, the distinct values, the origins' stored numbers, created   eight bytes each
/// ·   starts · ends · values · origins
///
/// start    0 whole seconds since the first, four bytes each    1 doubles
/// end      0 equal to the start    1, 2 whole seconds since it, two or four bytes    3 doubles
/// value    0, 1 which of the distinct values, one or two bytes    2 doubles
/// origin   0 all have the first    1, 2 which, one or two bytes
/// created  0 of the first sample alone, the others having a start of their own    1 of all
/// ```
/// Little endian throughout. A form is only used where it gives back every double bit by bit.
enum PackedColumns {
    static let version: UInt8 = 1
    /// The head before the first double.
    static let headSize = 20
    /// More samples can't be told apart by two bytes.
    static let most = 1 << 16

    /// - Parameter origins: Stored numbers, in the order of ``SampleColumns/origins``.
    static func bytes(of columns: SampleColumns, origins: [Int64]) -> [UInt8] {
        let starts = starts(columns), ends = ends(columns), values = values(columns.value)
        let haveOwnStarts = columns.haveStartsOfTheirOwn
        let originForm: UInt8 = columns.origin.isEmpty ? 0 : origins.count <= 256 ? 1 : 2
        var packed: [UInt8] = [
            version, columns.isPlain ? 1 : 0, starts.form, ends.form, values.form, originForm,
            haveOwnStarts ? 0 : 1, 0,
        ]
        packed.reserveCapacity(headSize + columns.count * 12 + values.distinct.count * 8)
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
        let whole = seconds.compactMap(\.self)
        return whole.count == seconds.count ? (0, bytes(whole)) : (1, bytes(columns.start))
    }

    private static func ends(_ columns: SampleColumns) -> (form: UInt8, bytes: [UInt8]) {
        let pairs = zip(columns.start, columns.end)
        if pairs.allSatisfy({ $0.bitPattern == $1.bitPattern }) { return (0, []) }
        let seconds = pairs.map { wholeSeconds(from: $0, to: $1) }
        let whole = seconds.compactMap(\.self)
        if whole.count < seconds.count { return (3, bytes(columns.end)) }
        if whole.allSatisfy({ $0 <= UInt32(UInt16.max) }) {
            return (1, bytes(whole.map { UInt16(truncatingIfNeeded: $0) }))
        }
        return (2, bytes(whole))
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
            // A table that is most of the column saves nothing.
            if distinct.count >= max(256, values.count / 2) { return (2, [], bytes(values)) }
            let place = UInt16(truncatingIfNeeded: distinct.count)
            places[value.bitPattern] = place
            indices.append(place)
            distinct.append(value)
        }
        if distinct.count > 256 { return (1, distinct, bytes(indices)) }
        return (0, distinct, indices.map { UInt8(truncatingIfNeeded: $0) })
    }

    /// Whole seconds that lead from one double exactly to the other; nil if none do.
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
    /// Whether no two samples begin together.
    var haveStartsOfTheirOwn: Bool {
        zip(start, start.dropFirst()).allSatisfy { $0 < $1 }
    }
}
