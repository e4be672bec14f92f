import HealthKit
func nights(_ samples: [HKCategorySample]) -> [HKCategorySample] {
    let blocked: Set<String> = ["AutoSleep", "Pillow"]
    return samples.filter { !blocked.contains($0.sourceRevision.source.name) } // finds source-by-name
}
