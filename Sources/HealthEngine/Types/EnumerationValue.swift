/// One value of an enumeration that HealthKit stores as a number and exports as a name.
///
/// `3` of `HKCategoryValueSleepAnalysis` is `asleepCore` in Swift and
/// `HKCategoryValueSleepAnalysisAsleepCore` in an export.
public struct EnumerationValue: Hashable, Sendable {
    /// The enumeration's own name: "HKCategoryValueSleepAnalysis", "HKWorkoutActivityType".
    public let enumeration: String
    public let rawValue: Int
    /// Apple's Swift name: "asleepCore".
    public let name: String
    /// Apple's C name, which exports write; no two values of any enumeration share one.
    public let exportedName: String
    /// The value that took its place, for an older name of the same number: "asleepUnspecified"
    /// for "asleep".
    public let aliasOf: String?

    init(
        enumeration: String, rawValue: Int, name: String, exportedName: String, aliasOf: String?
    ) {
        self.enumeration = enumeration
        self.rawValue = rawValue
        self.name = name
        self.exportedName = exportedName
        self.aliasOf = aliasOf
    }
}
