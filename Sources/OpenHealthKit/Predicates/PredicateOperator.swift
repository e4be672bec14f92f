public import Foundation
import HealthEngine

/// A comparison operator of `NSComparisonPredicate.Operator`. Queries support all except `matches`
/// and `custom`, which exist only so that the error of a query can name them.
enum PredicateOperator: String, Hashable {
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case equal = "=="
    case notEqual = "!="
    case matches = "MATCHES"
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case oneOf = "IN"
    case contains = "CONTAINS"
    case between = "BETWEEN"
    case custom = "customSelector"

    init(_ foundation: _ComparisonOperator) {
        self =
            switch foundation {
            case .lessThan: .less
            case .lessThanOrEqualTo: .atMost
            case .greaterThan: .greater
            case .greaterThanOrEqualTo: .atLeast
            case .equalTo: .equal
            case .notEqualTo: .notEqual
            case .matches: .matches
            case .like: .like
            case .beginsWith: .beginsWith
            case .endsWith: .endsWith
            case .in: .oneOf
            case .contains: .contains
            case .between: .between
            @unknown default: .custom
            }
    }
}

extension PredicateOperator {
    /// The operator as `NSPredicate(format:)` writes it; "customSelector" for ``custom``.
    var symbol: String { rawValue }

    /// The operator that gives the same result when the two sides are exchanged; nil if there is
    /// none.
    var mirrored: PredicateOperator? {
        switch self {
        case .less: .greater
        case .atMost: .atLeast
        case .greater: .less
        case .atLeast: .atMost
        case .equal: .equal
        case .notEqual: .notEqual
        case .oneOf: .contains
        case .contains: .oneOf
        default: nil
        }
    }

    /// The engine's comparison; nil except for <, <=, >, >=, == and !=.
    var order: SampleFilter.Comparison? {
        switch self {
        case .less: .less
        case .atMost: .atMost
        case .greater: .greater
        case .atLeast: .atLeast
        case .equal: .equal
        case .notEqual: .notEqual
        default: nil
        }
    }

    /// The engine's text test; nil except for CONTAINS, BEGINSWITH, ENDSWITH and LIKE.
    var textTest: SampleFilter.TextTest? {
        switch self {
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .like: .like
        default: nil
        }
    }
}

/// A type with an associated operator type, through which ``_Comparison`` names Foundation's
/// operator without a deprecation warning. Not part of Apple's API.
public protocol _ComparisonNaming {
    associatedtype Operator
}

/// Associates `NSComparisonPredicate.Operator` with ``_ComparisonNaming``. Not part of Apple's API.
///
/// On Linux, Foundation marks the class `NSComparisonPredicate` as deprecated, because it does not
/// support such predicates, although the enumeration is complete. The compiler therefore warns
/// wherever the enumeration is named, except in a declaration that is deprecated itself, like the
/// one here.
public enum _FoundationComparison: _ComparisonNaming {
    /// Foundation's enumeration. Deprecated only to suppress the compiler's warning.
    @available(*, deprecated, message: "Write NSComparisonPredicate.Operator")
    public typealias Operator = NSComparisonPredicate.Operator
}

/// Gives access to the operator type of `Naming`. Through this generic type, the deprecated
/// declaration in ``_FoundationComparison`` is used without a deprecation warning. Not part of
/// Apple's API.
public struct _Comparison<Naming: _ComparisonNaming> {
    /// The operator type of `Naming`.
    public typealias Operator = Naming.Operator
}

/// `NSComparisonPredicate.Operator` without a deprecation warning. Not part of Apple's API.
public typealias _ComparisonOperator = _Comparison<_FoundationComparison>.Operator
