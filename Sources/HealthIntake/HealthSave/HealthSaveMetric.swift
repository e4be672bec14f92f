import HealthEngine

/// The names of HealthSave's metrics.
///
/// They are HealthKit's names in snake case, such as `distance_walking_running`, with a few others.
/// `heart_rate_variability` is SDNN. RMSSD has another name, and is another metric that HealthKit
/// doesn't have.
enum HealthSaveMetric {
    /// Returns the type of a metric; nil for an unknown name.
    ///
    /// - Parameter name: The name, or HealthKit's identifier. Case and underscores don't matter.
    static func type(named name: String) -> SampleType? {
        if let type = Catalogue.type(identifier: name) { return type }
        let key = folded(name)
        return types[aliases[key] ?? key]
    }

    /// Returns the letters and digits of a name in lower case.
    static func folded(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static let types: [String: SampleType] = Dictionary(
        Catalogue.types.map { (HealthSaveMetric.folded($0.name), $0) },
        uniquingKeysWith: { first, _ in first })

    private static let aliases = [
        "bmi": "bodymassindex", "bloodoxygen": "oxygensaturation",
        "heartratevariability": "heartratevariabilitysdnn", "sleep": "sleepanalysis",
        "sleepsessions": "sleepanalysis", "steps": "stepcount", "workouts": "workout",
    ]
}
