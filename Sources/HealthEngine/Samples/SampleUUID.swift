/// A UUID as two 64-bit numbers: the first and the second half of its hexadecimal digits.
///
/// ```
/// SampleUUID("0000002A-0000-0000-0000-000000000001")   // high 0x2A_0000_0000, low 1
/// ```
public struct SampleUUID: Hashable, Sendable {
    /// The first 16 hexadecimal digits.
    public var high: UInt64
    /// The last 16 hexadecimal digits.
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a UUID from text. Returns nil for invalid text.
    ///
    /// - Parameter string: The 8-4-4-4-12 notation in upper or lower case.
    public init?(_ string: String) {
        let bytes = Array(string.utf8)
        guard bytes.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in bytes.enumerated() {
            if [8, 13, 18, 23].contains(position) {
                if byte != UInt8(ascii: "-") { return nil }
                continue
            }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(digit)
            } else {
                halves.1 = halves.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
        self.init(high: halves.0, low: halves.1)
    }
}

extension SampleUUID: Comparable {
    /// Compares digit by digit from the first one, which is the order of the UUIDs' strings.
    public static func < (a: SampleUUID, b: SampleUUID) -> Bool {
        (a.high, a.low) < (b.high, b.low)
    }
}

extension SampleUUID: CustomStringConvertible {
    /// The 8-4-4-4-12 notation in upper case.
    public var description: String {
        let digits = Array(SampleUUID.digits(high) + SampleUUID.digits(low))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func digits(_ half: UInt64) -> String {
        let digits = String(half, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
