import HealthKit
func consolidated(_ samples: [HKQuantitySample]) -> [Date: Double] {
    var steps: [Date: Double] = [:]
    for sample in samples.sorted(by: { $0.startDate < $1.startDate }) {
        let isWatch = sample.sourceRevision.source.name.contains("Watch") // finds source-by-name
        if steps[sample.startDate] == nil || isWatch {
            steps[sample.startDate] = sample.quantity.doubleValue(for: .count())
        }
    }
    return steps
}
