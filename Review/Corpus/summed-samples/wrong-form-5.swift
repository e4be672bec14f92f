import HealthKit
func stepsByDay(_ store: HKHealthStore, since start: Date) async throws -> [Date: Double] {
    let samples = try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(
            type: HKQuantityType(.stepCount), predicate: HKQuery.predicateForSamples(withStart: start, end: nil))],
        sortDescriptors: []
    ).result(for: store)
    var days: [Date: Double] = [:]
    for sample in samples {
        let day = Calendar.current.startOfDay(for: sample.startDate)
        days[day, default: 0] += sample.quantity.doubleValue(for: .count()) // finds summed-samples
    }
    return days
}
