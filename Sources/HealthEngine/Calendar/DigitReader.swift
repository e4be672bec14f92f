/// Digits and marks of a written date, read one after the other in a few nanoseconds.
///
/// ```swift
/// var reader = DigitReader(bytes)          // "2024-03"
/// reader.number(4)                         // 2024
/// reader.skip("-")                         // true
/// reader.number(2)                         // 3
/// ```
public struct DigitReader {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline var position = 0

    /// Reads bytes that outlive the reader.
    @inlinable
    public init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Whether nothing is left.
    @inlinable
    public var isAtEnd: Bool { position == bytes.count }

    /// The next byte, if there is one and it is a digit.
    @inlinable
    public var isAtDigit: Bool { position < bytes.count && bytes[position] &- 48 <= 9 }

    /// A number of exactly so many ASCII digits, at most eighteen; nil, having read some of them, for
    /// anything else.
    @inlinable
    public mutating func number(_ width: Int) -> Int? {
        guard width <= 18, position + width <= bytes.count else { return nil }
        var value = 0
        for _ in 0..<width {
            let digit = bytes[position] &- 48
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
            position += 1
        }
        return value
    }

    /// Passes over an ASCII character; false, staying where it is, if another or none comes next.
    @inlinable
    public mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(truncatingIfNeeded: character.value)
        else { return false }
        position += 1
        return true
    }

    /// Seconds east of UTC: `+0100`, `+01:00`, `+01`, `Z`; nil for anything else, also for more than
    /// the eighteen hours no zone is ever away.
    @inlinable
    public mutating func offset() -> Int? {
        if skip("Z") { return 0 }
        let sign: Int
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(2) else { return nil }
        let hasMinutes = skip(":") || !isAtEnd
        guard let minutes = hasMinutes ? number(2) : 0, hours <= 18, minutes < 60 else {
            return nil
        }
        return sign * (hours * 3600 + minutes * 60)
    }
}
