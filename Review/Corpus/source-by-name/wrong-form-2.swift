import HealthKit
func preferred(_ sources: Set<HKSource>) -> HKSource? {
    sources.first { $0.name.hasPrefix("Apple Watch") } ?? sources.first { $0.name == "iPhone" } // finds source-by-name, source-by-name
}
