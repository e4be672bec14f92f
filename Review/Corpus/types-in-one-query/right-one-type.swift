// One type a query, or a list that nobody can count from here.
import HealthKit

final class SeparateReader {
    let store: HKHealthStore
    private let tracked: [HKSampleType] = [
        HKQuantityType(.stepCount), HKQuantityType(.dietaryProtein), HKCategoryType(.sleepAnalysis),
    ]

    init(store: HKHealthStore) {
        self.store = store
    }

    func load(since start: Date, each: @escaping (HKSampleType, [HKSample]) -> Void) {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        for type in tracked {
            let query = HKSampleQuery(
                queryDescriptors: [HKQueryDescriptor(sampleType: type, predicate: range)],
                limit: HKObjectQueryNoLimit
            ) { _, samples, _ in
                each(type, samples ?? [])
            }
            store.execute(query)
        }
    }

    func heartRate(on day: DateInterval) async throws -> [HKQuantitySample] {
        let range = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        return try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate), predicate: range)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    // Two ranges of one type: one permission, one answer.
    func twoWeekends(_ first: NSPredicate, _ second: NSPredicate) async throws -> [HKWorkout] {
        try await HKSampleQueryDescriptor(
            predicates: [.workout(first), .workout(second)], sortDescriptors: []
        ).result(for: store)
    }

    func all(_ types: [HKSampleType], range: NSPredicate, done: @escaping ([HKSample]) -> Void) {
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: range) }
        let query = HKSampleQuery(queryDescriptors: descriptors, limit: 500) { _, samples, _ in
            done(samples ?? [])
        }
        store.execute(query)
    }

    func changes(of predicate: HKSamplePredicate<HKQuantitySample>, since anchor: HKQueryAnchor?)
        async throws -> HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result
    {
        try await HKAnchoredObjectQueryDescriptor(predicates: [predicate], anchor: anchor)
            .result(for: store)
    }
}
