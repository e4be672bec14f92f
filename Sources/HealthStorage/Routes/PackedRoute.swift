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
        append(UInt64(points.count), to: &bytes)
        for column in columns { append(points.map { $0[keyPath: column] }, to: &bytes) }
        for column in optionalColumns {
            if points.allSatisfy({ $0[keyPath: column] == nil }) {
                bytes.append(absent)
            } else {
                append(points.map { $0[keyPath: column] ?? .nan }, to: &bytes)
            }
        }
        return bytes
    }

    private static let columns: [any WritableKeyPath<RoutePoint, Double> & Sendable] = [
        \.time, \.latitude, \.longitude, \.altitude, \.horizontalAccuracy, \.verticalAccuracy,
        \.course, \.speed,
    ]
    private static let optionalColumns: [any WritableKeyPath<RoutePoint, Double?> & Sendable] = [
        \.courseAccuracy, \.speedAccuracy,
    ]

    private static func append(_ values: [Double], to bytes: inout [UInt8]) {
        guard let digits = digits(of: values) else {
            bytes.append(doubles)
            for value in values {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
            }
            return
        }
        bytes.append(decimals + UInt8(digits))
        var last: Int64 = 0
        for value in values {
            let number = Int64(clamping: (value * powers[digits]).rounded())
            let difference = number - last
            append(UInt64(bitPattern: difference << 1 ^ difference >> 63), to: &bytes)
            last = number
        }
    }

    /// Returns the smallest number of decimal places with which all values are exact; nil if there
    /// is none up to 9.
    private static func digits(of values: [Double]) -> Int? {
        var digits = 0
        for value in values {
            while !isExact(value, digits) {
                digits += 1
                if digits == powers.count { return nil }
            }
        }
        // A value that is exact with fewer decimal places may be too large for more.
        return values.allSatisfy { isExact($0, digits) } ? digits : nil
    }

    private static func isExact(_ value: Double, _ digits: Int) -> Bool {
        let number = (value * powers[digits]).rounded()
        return abs(number) < largest
            && (Double(Int64(clamping: number)) / powers[digits]).bitPattern == value.bitPattern
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var remaining = number
        while remaining >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
            remaining >>= 7
        }
        bytes.append(UInt8(remaining))
    }

    // MARK: - Reading

    /// Decodes points.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` if the bytes aren't in this encoding.
    static func points(from bytes: [UInt8]) throws(StoreError) -> [RoutePoint] {
        var reader = Reader(bytes: bytes)
        guard try reader.byte() == version else { throw damage }
        let storedCount = try reader.number()
        // Every point takes more than one byte. So a damaged count can't cause a huge allocation.
        guard storedCount <= UInt64(bytes.count) else { throw damage }
        let count = Int(storedCount)
        let placeholder = RoutePoint(
            time: 0, latitude: 0, longitude: 0, altitude: 0, horizontalAccuracy: 0,
            verticalAccuracy: 0, course: 0, speed: 0)
        var points = Array(repeating: placeholder, count: count)
        for column in columns {
            guard let values = try reader.column(count) else { throw damage }
            for (index, value) in values.enumerated() { points[index][keyPath: column] = value }
        }
        for column in optionalColumns {
            for (index, value) in (try reader.column(count) ?? []).enumerated() {
                points[index][keyPath: column] = value.isNaN ? nil : value
            }
        }
        guard reader.isAtEnd else { throw damage }
        return points
    }

    private static var damage: StoreError {
        StoreError.damaged("route.points")
    }

    private struct Reader {
        let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func byte() throws(StoreError) -> UInt8 {
            guard position < bytes.count else { throw damage }
            position += 1
            return bytes[position - 1]
        }

        mutating func number() throws(StoreError) -> UInt64 {
            var (number, shift): (UInt64, UInt64) = (0, 0)
            while shift < 64 {
                let byte = try byte()
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number }
                shift += 7
            }
            throw damage
        }

        /// Returns the values of the next column; nil for an absent column.
        mutating func column(_ count: Int) throws(StoreError) -> [Double]? {
            var values: [Double] = []
            values.reserveCapacity(count)
            let form = try byte()
            switch form {
            case absent: return nil
            case doubles:
                guard bytes.count - position >= count * 8 else { throw damage }
                for _ in 0..<count {
                    var bits: UInt64 = 0
                    for shift in 0..<8 { bits |= UInt64(try byte()) << UInt64(shift * 8) }
                    values.append(Double(bitPattern: bits))
                }
            case decimals..<decimals + UInt8(powers.count):
                let power = powers[Int(form - decimals)]
                var last: Int64 = 0
                for _ in 0..<count {
                    let folded = try number()
                    last &+= Int64(folded >> 1) ^ -Int64(folded & 1)
                    values.append(Double(last) / power)
                }
            default: throw damage
            }
            return values
        }
    }
}
