import HealthEngine

/// A type whose samples hold a quantity.
// Immutable.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
    /// A quantity type by its identifier.
    public convenience init(_ identifier: HKQuantityTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }

    /// How values over time are brought together (Semantics §3.1);
    /// `discreteArithmetic` for a type that the catalogue doesn't know.
    open var aggregationStyle: HKQuantityAggregationStyle {
        switch row?.aggregation {
        case .cumulative: .cumulative
        case .discreteTemporallyWeighted: .discreteTemporallyWeighted
        case .discreteEquivalentContinuousLevel: .discreteEquivalentContinuousLevel
        case .discreteArithmetic, nil: .discreteArithmetic
        }
    }

    /// Whether values can be given in a unit: `stepCount` is compatible with `count`, not with `km`.
    ///
    /// True for every unit where the catalogue doesn't know the type.
    open func `is`(compatibleWith unit: HKUnit) -> Bool {
        guard let canonicalUnit else { return true }
        return unit.value.isCompatible(with: canonicalUnit)
    }

    /// The unit that arithmetic is done in; nil for a type that the catalogue doesn't know.
    var canonicalUnit: HealthUnit? {
        row?.canonicalUnit.flatMap { KnownUnits.unit($0)?.value }
    }
}
