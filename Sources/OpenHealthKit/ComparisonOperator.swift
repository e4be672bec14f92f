public import Foundation

/// The door to Foundation's name of comparison operators; not Apple's.
public protocol _ComparisonNaming {
    associatedtype Operator
}

/// Foundation on Linux has `NSComparisonPredicate.Operator` with all its cases, but calls the class
/// around it deprecated, since it has no predicates of that kind. The enumeration itself is sound:
/// naming it in one place that is deprecated too spares every signature a warning.
public enum _FoundationComparison: _ComparisonNaming {
    /// Foundation's enumeration.
    @available(*, deprecated, message: "Write NSComparisonPredicate.Operator")
    public typealias Operator = NSComparisonPredicate.Operator
}

/// What a comparison gives its operator's name to.
public struct _Comparison<Naming: _ComparisonNaming> {
    /// The enumeration that goes by this name.
    public typealias Operator = Naming.Operator
}

/// `NSComparisonPredicate.Operator` under a name that gives no warning; not Apple's.
public typealias _ComparisonOperator = _Comparison<_FoundationComparison>.Operator
