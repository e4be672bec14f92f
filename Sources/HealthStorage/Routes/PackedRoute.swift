import HealthEngine

/// A binary, column-wise encoding of route points: about 15 bytes for each point of an export, not
/// 80.
///
/// ```
/// 1 · count · then for each column: its encoding, and its numbers
///     encoding  0       absent (only the last two columns)
///     encoding  1       doubles, eight bytes each, little endian
///     encoding  16 + k  multiples of 10⁻ᵏ (k from 0 to 9), each as its difference from the one
///                       before it, the first from 0
/// ```
/// The first byte, 1, is the version. Columns: time, latitude, longitude, altitude, horizontal and
/// vertical accuracy, course, speed, accuracies of course and speed. Counts and differences are
/// varints (LEB128); differences are zigzag encoded. Multiples of 10⁻ᵏ are only used if they
/// restore every double of the column bit by bit. In the last two columns, NaN stands for nil.
enum PackedRoute {
    private static let version: UInt8 = 1
    private static let absent: UInt8 = 0
    private static let doubles: UInt8 = 1
    private static let decimals: UInt8 = 16
    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    /// 2⁵³. Not every integer above it is exact as a double.
    private static let largest = Double(1 << 53)

    // MARK: - Writing

    static func bytes(of points: [RoutePoint]) -> [UInt8] {
        var bytes = [version]
        bytes.reserveCapacity(points.count * 20 + 32)
        bytes.append(varint: UInt64(points.count))
        for column in [
            points.map(\.time), points.map(\.latitude), points.map(\.longitude),
            points.map(\.altitude), points.map(\.horizontalAccuracy),
            points.map(\.verticalAccuracy), points.map(\.course), points.map(\.speed),
        ] {
            append(column, to: &bytes)
        }
        for column in [points.map(\.courseAccuracy), points.map(\.speedAccuracy)] {
            if column.allSatisfy({ $0 == nil }) {
                bytes.append(absent)
            } else {
                append(column.map { $0 ?? .nan }, to: &bytes)
            }
        }
        return bytes
    }

    private static func append(_ values: [Double], to bytes: inout [UInt8]) {
        guard let digits = digits(of: values) else {
            bytes.append(doubles)
            for value in values { bytes.append(bitsOf: value) }
            return
        }
        bytes.append(decimals + UInt8(digits))
        var last: Int64 = 0
        for value in values {
            let number = Int64(clamping: nearest(value * powers[digits]))
            let difference = number - last
            bytes.append(varint: UInt64(bitPattern: difference << 1 ^ difference >> 63))
            last = number
        }
    }

    /// Returns the smallest number of decimal places with which all values are exact; nil if there
    /// is none up to 9.
    private static func digits(of values: [Double]) -> Int? {
        var (digits, lastRise) = (0, 0)
        for (index, value) in values.enumerated() {
            while !isExact(value, digits) {
                (digits, lastRise) = (digits + 1, index)
                if digits == powers.count { return nil }
            }
        }
        // A value that is exact with fewer decimal places may be too large for more.
        return values[..<lastRise].allSatisfy { isExact($0, digits) } ? digits : nil
    }

    private static func isExact(_ value: Double, _ digits: Int) -> Bool {
        let number = nearest(value * powers[digits])
        // A -0 is stored as 0, which adding 0 gives too.
        return abs(number) < largest
            && ((number + 0) / powers[digits]).bitPattern == value.bitPattern
    }

    /// Returns the nearest integer. Halves needn't have a rule: no decimal is restored from one.
    private static func nearest(_ value: Double) -> Double {
        // Adding 1.5 · 2⁵² leaves no fraction, much faster than rounded() without SSE 4.1.
        abs(value) < 0x1p51 ? (value + 0x1.8p52) - 0x1.8p52 : value.rounded()
    }

    // MARK: - Reading

    /// Decodes points.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` if the bytes aren't in this encoding.
    static func points(from bytes: [UInt8]) throws(StoreError) -> [RoutePoint] {
        var reader = VarintReader(bytes, at: "route.points")
        guard try reader.byte() == version else { throw reader.damage }
        let count = try reader.count()
        var columns: [[Double]] = []
        for _ in 0..<8 {
            guard let values = try column(&reader, count) else { throw reader.damage }
            columns.append(values)
        }
        let courseAccuracies = try column(&reader, count)
        let speedAccuracies = try column(&reader, count)
        guard reader.isAtEnd else { throw reader.damage }
        return (0..<count).map { index in
            RoutePoint(
                time: columns[0][index], latitude: columns[1][index], longitude: columns[2][index],
                altitude: columns[3][index], horizontalAccuracy: columns[4][index],
                verticalAccuracy: columns[5][index], course: columns[6][index],
                speed: columns[7][index], courseAccuracy: known(courseAccuracies?[index]),
                speedAccuracy: known(speedAccuracies?[index]))
        }
    }

    /// Returns the value of an optional column; nil stands for a NaN.
    private static func known(_ value: Double?) -> Double? {
        guard let value, !value.isNaN else { return nil }
        return value
    }

    /// Returns the values of the next column; nil for an absent column.
    private static func column(
        _ reader: inout VarintReader, _ count: Int
    ) throws(StoreError) -> [Double]? {
        var values: [Double] = []
        values.reserveCapacity(count)
        let form = try reader.byte()
        switch form {
        case absent: return nil
        case doubles:
            for _ in 0..<count { values.append(try reader.double()) }
        case decimals..<decimals + UInt8(powers.count):
            let power = powers[Int(form - decimals)]
            var last: Int64 = 0
            for _ in 0..<count {
                let folded = try reader.number()
                last &+= Int64(folded >> 1) ^ -Int64(folded & 1)
                values.append(Double(last) / power)
            }
        default: throw reader.damage
        }
        return values
    }
}
