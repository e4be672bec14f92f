import Foundation

/// A message whose interpolated values know who may see them.
///
/// As on Apple's platforms, numbers and truth values are public by default and everything else is
/// private: `"\(count) of \(name)"` is written as `3 of <private>`.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    enum Part: Sendable {
        case literal(String)
        case secret(String)
    }

    let parts: [Part]

    public init(stringLiteral value: String) { parts = [.literal(value)] }

    public init(stringInterpolation: OSLogInterpolation) { parts = stringInterpolation.parts }

    init(parts: [Part]) { self.parts = parts }

    func text(revealing secrets: OSLogDestination.Secrets) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .secret(let text): secrets == .shown ? text : "<private>"
            }
        }
        .joined()
    }
}

/// Who may see an interpolated value.
public struct OSLogPrivacy: Sendable {
    /// What is written in place of a private value.
    public enum Mask: Sendable {
        case none
        /// A number by which equal values of one run can be told to be equal.
        case hash
    }

    enum Level: Sendable { case automatic, visible, hidden }

    let level: Level
    let mask: Mask

    /// Public for numbers, private for everything else.
    public static let auto = OSLogPrivacy(level: .automatic, mask: .none)
    public static let `public` = OSLogPrivacy(level: .visible, mask: .none)
    public static let `private` = OSLogPrivacy(level: .hidden, mask: .none)
    public static let sensitive = OSLogPrivacy(level: .hidden, mask: .none)

    /// Private, and recognisable with ``Mask/hash``.
    public static func `private`(mask: Mask) -> OSLogPrivacy { .init(level: .hidden, mask: mask) }
    /// Private, and recognisable with ``Mask/hash``.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .init(level: .hidden, mask: mask) }
    /// As ``auto``, and recognisable where private.
    public static func auto(mask: Mask) -> OSLogPrivacy { .init(level: .automatic, mask: mask) }
}

/// Collects the parts of an ``OSLogMessage``.
public struct OSLogInterpolation: StringInterpolationProtocol {
    var parts: [OSLogMessage.Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
        parts.reserveCapacity(2 * interpolationCount + 1)
    }

    public mutating func appendLiteral(_ literal: String) { parts.append(.literal(literal)) }

    /// A whole number.
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.pad(format.text(number())), privacy, isNumber: .yes)
    }

    /// A number with a fraction, six digits of it by default.
    public mutating func appendInterpolation<T: BinaryFloatingPoint>(
        _ number: @autoclosure () -> T, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.pad(format.text(Double(number()))), privacy, isNumber: .yes)
    }

    /// A truth value.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(boolean()), privacy, isNumber: .yes)
    }

    /// Text, or anything that describes itself; private unless said otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(align.pad(value().description), privacy, isNumber: .no)
    }

    /// An error; private unless said otherwise.
    public mutating func appendInterpolation(
        _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
    ) {
        append(String(describing: error()), privacy, isNumber: .no)
    }

    /// A type's name; public by default.
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
        case (_, _, .none): parts.append(.secret(text))
        }
    }

    /// Equal within one process, and of no use outside it: Swift's hashes are seeded anew each run.
    private static func hash(_ text: String) -> String {
        "'" + String(UInt(bitPattern: text.hashValue), radix: 16) + "'"
    }
}
