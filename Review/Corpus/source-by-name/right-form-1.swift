import HealthKit
func apple(_ sources: Set<HKSource>) -> Set<HKSource> {
    sources.filter { $0.bundleIdentifier.hasPrefix("com.apple") }
}
func fromWatch(_ samples: [HKSample]) -> [HKSample] {
    samples.filter { $0.sourceRevision.productType?.hasPrefix("Watch") ?? false }
}
func perSource(_ statistics: HKStatistics) -> [String: Double] {
    var result: [String: Double] = [:]
    for source in statistics.sources ?? [] {
        result[source.name] = statistics.sumQuantity(for: source)?.doubleValue(for: .count()) ?? 0
    }
    return result
}
func list(_ sources: [HKSource]) -> [String] {
    sources.filter { $0.bundleIdentifier == Bundle.main.bundleIdentifier }.map { "Source: \($0.name)" }.sorted()
}
