import Foundation

/// A log message whose interpolated values have a privacy.
///
/// As on Apple's platforms, numbers, Boolean values and types are public by default, and all other
/// values are private: `"\(count) of \(name)"` is written as `3 of <private>`.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    enum Part: Sendable {
        case literal(String)
        case privateValue(String)
    }

    let parts: [Part]

    public init(stringLiteral value: String) { parts = [.literal(value)] }

    public init(stringInterpolation: OSLogInterpolation) { parts = stringInterpolation.parts }

    init(parts: [Part]) { self.parts = parts }

    func text(revealing privateValues: OSLogDestination.PrivateValues) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .privateValue(let text): privateValues == .shown ? text : "<private>"
            }
        }
        .joined()
    }
}

/// The privacy of an interpolated value.
public struct OSLogPrivacy: Sendable {
    /// The replacement for a private value.
    public enum Mask: Sendable {
        case none
        /// A hash, which is equal for equal values in the same process. `OSLOG_PRIVATE=show` does
        /// not reveal the value.
        case hash
    }

    enum Level: Sendable { case automatic, visible, hidden }

    let level: Level
    let mask: Mask

    /// Public for numbers, Boolean values and types, private for all other values.
    public static let auto = OSLogPrivacy(level: .automatic, mask: .none)
    /// Always visible.
    public static let `public` = OSLogPrivacy(level: .visible, mask: .none)
    /// Hidden, unless `OSLOG_PRIVATE=show` is set.
    public static let `private` = OSLogPrivacy(level: .hidden, mask: .none)
    /// Hidden like ``private``. On Linux, both are treated alike.
    public static let sensitive = OSLogPrivacy(level: .hidden, mask: .none)

    /// Returns a privacy option that hides a value and writes a replacement for it.
    ///
    /// - Parameter mask: The replacement for the value.
    /// - Returns: The privacy.
    public static func `private`(mask: Mask) -> OSLogPrivacy { .init(level: .hidden, mask: mask) }
    /// Returns a privacy option that hides a value and writes a replacement for it, like
    /// ``private(mask:)``.
    ///
    /// - Parameter mask: The replacement for the value.
    /// - Returns: The privacy.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .init(level: .hidden, mask: mask) }
    /// Returns a privacy like ``auto``, with a replacement for values that are private.
    ///
    /// - Parameter mask: The replacement for a private value.
    /// - Returns: The privacy.
    public static func auto(mask: Mask) -> OSLogPrivacy { .init(level: .automatic, mask: mask) }
}

/// Collects the parts of an ``OSLogMessage``.
public struct OSLogInterpolation: StringInterpolationProtocol {
    var parts: [OSLogMessage.Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
        parts.reserveCapacity(2 * interpolationCount + 1)
    }

    public mutating func appendLiteral(_ literal: String) { parts.append(.literal(literal)) }

    /// Appends an integer.
    ///
    /// - Parameters:
    ///   - number: The number, evaluated immediately.
    ///   - format: The format of the number.
    ///   - align: The alignment.
    ///   - privacy: The privacy; public by default.
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.pad(format.text(number())), privacy, isNumber: .yes)
    }

    /// Appends a floating-point number.
    ///
    /// - Parameters:
    ///   - number: The number, evaluated immediately.
    ///   - format: The format of the number; six fraction digits by default.
    ///   - align: The alignment.
    ///   - privacy: The privacy; public by default.
    public mutating func appendInterpolation<T: BinaryFloatingPoint>(
        _ number: @autoclosure () -> T, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.pad(format.text(Double(number()))), privacy, isNumber: .yes)
    }

    /// Appends a Boolean value.
    ///
    /// - Parameters:
    ///   - boolean: The value, evaluated immediately.
    ///   - format: The words for true and false.
    ///   - privacy: The privacy; public by default.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(boolean()), privacy, isNumber: .yes)
    }

    /// Appends the description of a value.
    ///
    /// - Parameters:
    ///   - value: The value, evaluated immediately.
    ///   - align: The alignment.
    ///   - privacy: The privacy; private by default.
    @_disfavoredOverload
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(align.pad(value().description), privacy, isNumber: .no)
    }

    /// Appends an error.
    ///
    /// - Parameters:
    ///   - error: The error, evaluated immediately.
    ///   - privacy: The privacy; private by default.
    public mutating func appendInterpolation(
        _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
    ) {
        append(String(describing: error()), privacy, isNumber: .no)
    }

    /// Appends the name of a type.
    ///
    /// - Parameters:
    ///   - type: The type, evaluated immediately.
    ///   - align: The alignment.
    ///   - privacy: The privacy; public by default.
    public mutating func appendInterpolation(
        _ type: @autoclosure () -> any Any.Type, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(align.pad(String(describing: type())), privacy, isNumber: .yes)
    }

    /// Whether a value is public by default.
    private enum Number { case yes, no }

    private mutating func append(_ text: String, _ privacy: OSLogPrivacy, isNumber: Number) {
        switch (privacy.level, isNumber, privacy.mask) {
        case (.visible, _, _), (.automatic, .yes, _): parts.append(.literal(text))
        case (_, _, .hash): parts.append(.literal("<mask.hash: \(OSLogInterpolation.hash(text))>"))
        case (_, _, .none): parts.append(.privateValue(text))
        }
    }

    /// Returns a hash for comparisons within one process. Swift seeds hashes differently in each
    /// run.
    private static func hash(_ text: String) -> String {
        "'" + String(UInt(bitPattern: text.hashValue), radix: 16) + "'"
    }
}
