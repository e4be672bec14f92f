/// A parser of fixed-width digits and separators in the bytes of a written date.
///
/// ```swift
/// var reader = DigitReader(bytes)          // "2024-03"
/// reader.number(4)                         // 2024
/// reader.skip("-")                         // true
/// reader.number(2)                         // 3
/// ```
package struct DigitReader {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline var position = 0

    /// Creates a reader at the first byte.
    ///
    /// - Parameter bytes: The bytes to read. The memory must outlive the reader.
    @inlinable
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Whether all bytes have been read.
    @inlinable
    package var isAtEnd: Bool { position == bytes.count }

    /// Whether there is a next byte and it is an ASCII digit.
    @inlinable
    package var isAtDigit: Bool { position < bytes.count && bytes[position] &- 48 <= 9 }

    /// Reads a number of exactly `width` ASCII digits.
    ///
    /// - Parameter width: The number of digits, at most 18.
    /// - Returns: The number, or nil if `width` is more than 18, if there are too few bytes, or if
    ///   a byte is not a digit. In the last case, the digits before that byte are consumed.
    /// - Complexity: O(width).
    @inlinable
    package mutating func number(_ width: Int) -> Int? {
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

    /// Skips an ASCII character.
    ///
    /// - Parameter character: The character that is expected next.
    /// - Returns: Whether the character came next. If not, the position is unchanged.
    @inlinable
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(truncatingIfNeeded: character.value)
        else { return false }
        position += 1
        return true
    }

    /// Reads an offset from UTC: `Z`, `+0100`, `-01:00`, or `+01` at the end of the text.
    ///
    /// - Returns: Seconds east of UTC; nil for other text, for 19 hours or more and for 60 minutes
    ///   or more. If the result is nil, part of the text may be consumed.
    @inlinable
    package mutating func offset() -> Int? {
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
