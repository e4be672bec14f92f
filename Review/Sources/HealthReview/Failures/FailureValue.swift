import SwiftSyntax

/// What is known of a value on the path that follows a failure of HealthKit.
enum FailureValue: Sendable, Equatable {
    case unknown
    /// A value other than nil, of which nothing else is known.
    case present
    /// nil.
    case missing
    case yes, no
    /// The error, its description or its code.
    case failure
    /// A literal 0, or a literal list without elements.
    case literal, emptyLiteral
    /// 0 or an empty list in place of the value that couldn't be read.
    case zero, empty
    /// A value that contains such a zero.
    case partial
    case closure(ClosureExprSyntax)

    /// Whether the value is, or contains, a zero that was made of a failure.
    var isMadeUp: Bool { self == .zero || self == .empty || self == .partial }

    /// Whether 0 or an empty list is delivered if this value is.
    var deliversZero: Bool { isMadeUp || isLiteral }

    /// Whether the value is a literal 0 or empty list, of which the place decides what it means.
    var isLiteral: Bool { self == .literal || self == .emptyLiteral }

    /// The value where it stands in for one that couldn't be read.
    var asResult: FailureValue {
        switch self {
        case .literal: .zero
        case .emptyLiteral: .empty
        default: self
        }
    }

    /// The value of something that contains the parts.
    init(of parts: [FailureValue]) {
        if parts.contains(.zero) || parts.contains(.partial) {
            self = .partial
        } else if parts.contains(.empty) {
            self = .empty
        } else {
            self = parts.contains(.failure) ? .failure : .present
        }
    }

    /// The truth of a negated condition.
    var negated: FailureValue {
        switch self {
        case .yes: .no
        case .no: .yes
        default: .unknown
        }
    }

    /// Returns the value where two paths merge.
    func joined(_ other: FailureValue) -> FailureValue { self == other ? self : .unknown }
}
