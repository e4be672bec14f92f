import Foundation

/// How whole numbers are written.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let prefix: String
    let isUppercase: Bool
    let minDigits: Int

    public static let decimal = decimal(minDigits: 1)
    public static let hex = hex()
    public static let octal = octal()

    /// At least so many digits, zeros in front.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: Int
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 10, prefix: explicitPositiveSign ? "+" : "", isUppercase: false,
            minDigits: minDigits)
    }

    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: Int = 1
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16, prefix: includePrefix ? "0x" : "", isUppercase: uppercase,
            minDigits: minDigits)
    }

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

/// How numbers with a fraction are written.
public struct OSLogFloatFormatting: Sendable {
    let pattern: String

    public static let fixed = OSLogFloatFormatting(pattern: "%.6f")
    public static let hybrid = OSLogFloatFormatting(pattern: "%g")
    public static let exponential = OSLogFloatFormatting(pattern: "%e")
    public static let hex = OSLogFloatFormatting(pattern: "%a")

    /// So many digits after the point: `format: .fixed(precision: 1)` writes 71.35 as 71.3 or 71.4,
    /// as C does.
    public static func fixed(
        precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(pattern: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))f")
    }

    public static func hybrid(
        precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(pattern: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))g")
    }

    public static func exponential(
        precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(pattern: "%\(explicitPositiveSign ? "+" : "").\(max(0, precision))e")
    }

    func text(_ number: Double) -> String { String(format: pattern, number) }
}

/// The words for a truth value.
public enum OSLogBoolFormat: Sendable {
    case truth, answer

    func text(_ value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "YES" : "NO"
        }
    }
}

/// Columns that a value fills.
public struct OSLogStringAlignment: Sendable {
    enum Side { case left, right }

    let side: Side
    let columns: Int

    public static let none = OSLogStringAlignment(side: .right, columns: 0)

    public static func left(columns: Int) -> OSLogStringAlignment {
        .init(side: .left, columns: columns)
    }

    public static func right(columns: Int) -> OSLogStringAlignment {
        .init(side: .right, columns: columns)
    }

    func pad(_ text: String) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - text.count))
        return side == .left ? text + spaces : spaces + text
    }
}
