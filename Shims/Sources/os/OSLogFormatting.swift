import Foundation

/// The format of integers.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let prefix: String
    let isUppercase: Bool
    let minDigits: Int

    /// Decimal digits.
    public static let decimal = decimal(minDigits: 1)
    /// Lowercase hexadecimal digits without a prefix.
    public static let hex = hex()
    /// Octal digits without a prefix.
    public static let octal = octal()

    /// Returns a decimal format.
    ///
    /// - Parameters:
    ///   - explicitPositiveSign: Whether positive numbers get a plus sign.
    ///   - minDigits: The minimum number of digits. Shorter numbers get leading zeros.
    /// - Returns: The format.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: Int
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 10, prefix: explicitPositiveSign ? "+" : "", isUppercase: false,
            minDigits: minDigits)
    }

    /// Returns a hexadecimal format.
    ///
    /// - Parameters:
    ///   - explicitPositiveSign: Ignored on Linux.
    ///   - includePrefix: Whether numbers get the prefix `0x`.
    ///   - uppercase: Whether letters are uppercase.
    ///   - minDigits: The minimum number of digits. Shorter numbers get leading zeros.
    /// - Returns: The format.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: Int = 1
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase,
            minDigits: minDigits)
    }

    /// Returns an octal format.
    ///
    /// - Parameters:
    ///   - explicitPositiveSign: Ignored on Linux.
    ///   - includePrefix: Whether numbers get the prefix `0`.
    ///   - uppercase: Without effect, since octal numbers have no letters.
    ///   - minDigits: The minimum number of digits. Shorter numbers get leading zeros.
    /// - Returns: The format.
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: Int = 1
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 8, prefix: includePrefix ? "0" : "", isUppercase: uppercase,
            minDigits: minDigits)
    }

    func text(_ number: some FixedWidthInteger) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (number < 0 ? "-" : "") + (number < 0 && prefix == "+" ? "" : prefix) + zeros
            + digits
    }
}

/// The format of floating-point numbers.
public struct OSLogFloatFormatting: Sendable {
    let pattern: String

    /// Six fraction digits, C's `%.6f`.
    public static let fixed = OSLogFloatFormatting(pattern: "%.6f")
    /// An exponent only for very large and very small numbers, C's `%g`.
    public static let hybrid = OSLogFloatFormatting(pattern: "%g")
    /// Always with an exponent, C's `%e`.
    public static let exponential = OSLogFloatFormatting(pattern: "%e")
    /// Hexadecimal, C's `%a`.
    public static let hex = OSLogFloatFormatting(pattern: "%a")

    /// Returns a format with a fixed number of fraction digits.
    ///
    /// Rounding follows C: `format: .fixed(precision: 1)` writes 71.35 as 71.3, because the binary
    /// number is slightly smaller.
    ///
    /// - Parameters:
    ///   - precision: The number of fraction digits. Negative values count as 0.
    ///   - explicitPositiveSign: Whether positive numbers get a plus sign.
    ///   - uppercase: Ignored on Linux.
    /// - Returns: The format.
    public static func fixed(
        precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(pattern: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))f")
    }

    /// Returns C's `%g` format, which uses an exponent for very large and very small numbers.
    ///
    /// - Parameters:
    ///   - precision: The number of significant digits. Values below 1 count as 1.
    ///   - explicitPositiveSign: Whether positive numbers get a plus sign.
    ///   - uppercase: Ignored on Linux.
    /// - Returns: The format.
    public static func hybrid(
        precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(pattern: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))g")
    }

    /// Returns a format with an exponent.
    ///
    /// - Parameters:
    ///   - precision: The number of fraction digits. Negative values count as 0.
    ///   - explicitPositiveSign: Whether positive numbers get a plus sign.
    ///   - uppercase: Ignored on Linux.
    /// - Returns: The format.
    public static func exponential(
        precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(pattern: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))e")
    }

    func text(_ number: Double) -> String { String(format: pattern, number) }
}

/// The format of Boolean values: `true` and `false`, or `YES` and `NO`.
public enum OSLogBoolFormat: Sendable {
    case truth, answer

    func text(_ value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "YES" : "NO"
        }
    }
}

/// The alignment of a value and the columns it fills.
public struct OSLogStringAlignment: Sendable {
    enum Side { case left, right }

    let side: Side
    let columns: Int

    /// No minimum width.
    public static let none = OSLogStringAlignment(side: .right, columns: 0)

    /// Returns an alignment to the left.
    ///
    /// - Parameter columns: The minimum width.
    /// - Returns: The alignment.
    public static func left(columns: Int) -> OSLogStringAlignment {
        .init(side: .left, columns: columns)
    }

    /// Returns an alignment to the right.
    ///
    /// - Parameter columns: The minimum width.
    /// - Returns: The alignment.
    public static func right(columns: Int) -> OSLogStringAlignment {
        .init(side: .right, columns: columns)
    }

    func pad(_ text: String) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - text.count))
        return side == .left ? text + spaces : spaces + text
    }
}
