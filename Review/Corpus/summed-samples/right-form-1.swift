import HealthKit
struct Vitals {
    let store: HKHealthStore
    func meanHeartRate(in day: DateInterval) async throws -> Double {
        let bpm = HKUnit.count().unitDivided(by: .minute())
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(
                type: HKQuantityType(.heartRate),
                predicate: HKQuery.predicateForSamples(withStart: day.start, end: day.end))],
            sortDescriptors: []
        ).result(for: store)
        return samples.reduce(0) { $0 + $1.quantity.doubleValue(for: bpm) } / Double(samples.count)
    }
    func ownSteps(in day: DateInterval) async throws -> Double {
        let mine = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: day.start, end: day.end),
            HKQuery.predicateForObjects(from: HKSource.default()),
        ])
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount), predicate: mine)], sortDescriptors: []
        ).result(for: store)
        return samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
    }
}
