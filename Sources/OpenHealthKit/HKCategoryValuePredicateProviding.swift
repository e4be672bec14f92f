/// An enumeration of category values that makes predicates for its samples.
public protocol HKCategoryValuePredicateProviding: Hashable, RawRepresentable {}

extension HKCategoryValueSleepAnalysis {
    /// Every value that means sleep: unspecified, core, deep and REM.
    public static var allAsleepValues: Set<HKCategoryValueSleepAnalysis> {
        [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
    }
}
