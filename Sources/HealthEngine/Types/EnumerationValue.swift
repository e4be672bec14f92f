/// One value of an enumeration that HealthKit stores as a number and exports as a name.
///
/// `3` of `HKCategoryValueSleepAnalysis` is `asleepCore` in Swift and
/// `HKCategoryValueSleepAnalysisAsleepCore` in an export.
public struct EnumerationValue: Hashable, Sendable {
    /// The name of the enumeration: "HKCategoryValueSleepAnalysis", "HKWorkoutActivityType".
    public let enumeration: String
    /// The number that HealthKit stores.
    public let rawValue: Int
    /// Apple's Swift name: "asleepCore".
    public let name: String
    /// Apple's C name, which exports use. No two values of all enumerations have the same one.
    public let exportedName: String
    /// The current Swift name of the same number if this is an older name: "asleepUnspecified" for
    /// "asleep". Nil for current names.
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
