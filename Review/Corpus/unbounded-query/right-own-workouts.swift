// Whole histories of this app's own data, or of chosen sources in a range.
import HealthKit

struct OwnData {
    let healthStore: HKHealthStore

    func workouts(completion: @escaping ([HKWorkout]) -> Void) {
        let ours = HKQuery.predicateForObjects(from: HKSource.default())
        let kind = HKQuery.predicateForWorkouts(with: .functionalStrengthTraining)
        let query = HKSampleQuery(
            sampleType: .workoutType(),
            predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [kind, ours]),
            limit: HKObjectQueryNoLimit,
            sortDescriptors: [
                NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
            ]
        ) { _, samples, _ in
            completion(samples as? [HKWorkout] ?? [])
        }
        healthStore.execute(query)
    }

    func steps(from sources: Set<HKSource>, on day: DateInterval) async throws
        -> [HKQuantitySample]
    {
        let range = HKQuery.predicateForSamples(
            withStart: day.start, end: day.end, options: .strictStartDate)
        let chosen = HKQuery.predicateForObjects(from: sources)
        return try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.stepCount),
                    predicate: NSCompoundPredicate(
                        andPredicateWithSubpredicates: [range, chosen]))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
    }

    func safely(_ start: Date, _ end: Date, show: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount),
            predicate: HKQuery.predicateForSamples(withStart: start, end: end), limit: 1_000,
            sortDescriptors: [
                NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
            ]
        ) { _, samples, _ in
            DispatchQueue.main.async {
                show(samples ?? [])
            }
        }
        healthStore.execute(query)
    }
}
