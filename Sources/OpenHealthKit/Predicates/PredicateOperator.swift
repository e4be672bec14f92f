import Foundation
import HealthEngine

/// How a comparison of a predicate compares: `NSComparisonPredicate.Operator` as far as health
/// stores go.
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
    /// As `NSPredicate(format:)` writes it.
    var symbol: String { rawValue }

    /// The operator that says the same with its sides exchanged; nil if there is none.
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

    /// As the engine orders values; nil for all but the six plain ones.
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

    /// As the engine tests texts; nil for others.
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
