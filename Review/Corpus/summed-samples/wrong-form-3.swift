import HealthKit
struct Distance {
    let store: HKHealthStore
    func kilometers(since start: Date) async throws -> Double {
        let type = HKQuantityType(.distanceWalkingRunning)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: nil))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        let lengths = samples.map { $0.quantity.doubleValue(for: .meterUnit(with: .kilo)) }
        return lengths.reduce(0, +) // finds summed-samples
    }
}
