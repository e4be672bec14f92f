import HealthKit
struct OwnWorkouts {
    let store: HKHealthStore
    func load(_ done: @escaping ([HKWorkout]) -> Void) {
        let type = HKQuery.predicateForWorkouts(with: .other)
        let source = HKQuery.predicateForObjects(from: HKSource.default())
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [type, source])
        let query = HKSampleQuery(
            sampleType: .workoutType(), predicate: compound, limit: HKObjectQueryNoLimit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)]
        ) { _, samples, _ in done(samples as? [HKWorkout] ?? []) }
        store.execute(query)
    }
    func one(_ id: UUID) async throws -> HKQuantitySample? {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate), predicate: HKQuery.predicateForObject(with: id))],
            sortDescriptors: []
        ).result(for: store).first
    }
}
