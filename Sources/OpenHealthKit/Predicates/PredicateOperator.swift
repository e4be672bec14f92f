public import Foundation
import HealthEngine

/// A comparison operator: the supported part of `NSComparisonPredicate.Operator`.
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
    /// The operator as `NSPredicate(format:)` writes it.
    var symbol: String { rawValue }

    /// The equivalent operator with its sides exchanged; nil if there is none.
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

    /// The engine's ordering operator; nil except for the six basic ones.
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

    /// The engine's string test; nil for other operators.
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

/// A protocol that gives access to Foundation's operator type. Not part of Apple's API.
public protocol _ComparisonNaming {
    associatedtype Operator
}

/// Provides `NSComparisonPredicate.Operator` without a deprecation warning.
///
/// On Linux, Foundation marks the enclosing class as deprecated because it does not support such
/// predicates. The enumeration itself is complete. Naming it in a single declaration that is
/// deprecated too avoids a warning at each use.
public enum _FoundationComparison: _ComparisonNaming {
    /// Foundation's enumeration.
    @available(*, deprecated, message: "Write NSComparisonPredicate.Operator")
    public typealias Operator = NSComparisonPredicate.Operator
}

/// Resolves the operator type through a generic parameter, which avoids the warning.
public struct _Comparison<Naming: _ComparisonNaming> {
    /// The operator type.
    public typealias Operator = Naming.Operator
}

/// `NSComparisonPredicate.Operator` without a deprecation warning. Not part of Apple's API.
public typealias _ComparisonOperator = _Comparison<_FoundationComparison>.Operator
