/// Parses the numbers in exports. They have a decimal point in every locale, and up to 17 digits;
/// more digits are accepted.
enum ExportNumber {
    /// Returns the nearest double, or nil if the text is not a finite decimal number.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        exact(bytes) ?? general(bytes)
    }

    /// Parses up to fifteen digits with an optional minus and point; nil for other texts. The
    /// integer and the power of ten are exact, so a single division rounds correctly.
    @inline(__always)
    private static func exact(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var digits: Int64 = 0
        var (count, fraction, position) = (0, -1, 0)
        let isNegative = bytes.count > 1 && bytes[0] == UInt8(ascii: "-")
        if isNegative { position = 1 }
        while position < bytes.count {
            let byte = bytes[position]
            if byte &- 48 <= 9 {
                digits = digits * 10 + Int64(byte &- 48)
                count += 1
                if fraction >= 0 { fraction += 1 }
            } else if byte == UInt8(ascii: "."), fraction < 0 {
                fraction = 0
            } else {
                return nil
            }
            position += 1
            if count > 15 { return nil }
        }
        guard count > 0 else { return nil }
        let value = fraction <= 0 ? Double(digits) : Double(digits) / powers[fraction]
        return isNegative ? -value : value
    }

    private static func general(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let value = Double(text), value.isFinite else { return nil }
        // Swift also parses hexadecimal numbers, which exports don't have.
        return text.contains("x") || text.contains("X") ? nil : value
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
