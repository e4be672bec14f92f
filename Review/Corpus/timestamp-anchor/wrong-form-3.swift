import HealthKit
actor Poller {
    let store: HKHealthStore
    private var lastFetch: Date?
    init(store: HKHealthStore) { self.store = store }
    func poll() async throws -> [HKWorkout] {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForSamples(withStart: lastFetch, end: nil))], // finds timestamp-anchor
            sortDescriptors: [SortDescriptor(\.endDate)]
        ).result(for: store)
        lastFetch = Date()
        return samples
    }
}
