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
        var string = string
        let halves = string.withUTF8 { SampleUUID.halves($0) }
        guard let halves else { return nil }
        self.init(high: halves.high, low: halves.low)
    }

    private static func halves(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (high: UInt64, low: UInt64)? {
        guard bytes.count == 36 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        var digits = 0
        for position in 0..<36 {
            let byte = bytes[position]
            switch position {
            case 8, 13, 18, 23:
                if byte != UInt8(ascii: "-") { return nil }
            default:
                guard let digit = digit(byte) else { return nil }
                if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
                digits += 1
            }
        }
        return (high, low)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
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
