// Queries held by a limit or by a predicate, however it is come by.
import HealthKit

final class BoundedReader {
    let store: HKHealthStore
    private lazy var lastQuarter = HKQuery.predicateForSamples(
        withStart: Calendar.current.date(byAdding: .month, value: -3, to: Date()), end: nil)

    init(store: HKHealthStore) {
        self.store = store
    }

    func latestHeartRate(completion: @escaping (HKQuantitySample?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 1,
            sortDescriptors: [
                NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
            ]
        ) { _, samples, _ in
            completion(samples?.first as? HKQuantitySample)
        }
        store.execute(query)
    }

    func oxygen(since start: Date, completion: @escaping ([HKSample]) -> Void) {
        let range = HKQuery.predicateForSamples(
            withStart: start, end: Date(), options: .strictStartDate)
        let mine = HKQuery.predicateForObjects(from: HKSource.default())
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [range, mine])
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.oxygenSaturation), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func samples(
        of type: HKSampleType, matching predicate: NSPredicate?,
        completion: @escaping ([HKSample]) -> Void
    ) {
        let query = HKSampleQuery(
            sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func quarter(completion: @escaping ([HKSample]) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: lastQuarter,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func heartRates(during workout: HKWorkout) async throws -> [HKQuantitySample] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.heartRate),
                    predicate: HKQuery.predicateForObjects(from: workout))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }

    func latestSteps() async throws -> [HKQuantitySample] {
        var descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.stepCount))],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)])
        descriptor.limit = 50
        return try await descriptor.result(for: store)
    }

    func sample(with uuid: UUID, completion: @escaping (HKSample?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.sleepAnalysis),
            predicate: HKQuery.predicateForObject(with: uuid),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples?.first)
        }
        store.execute(query)
    }

    func ownMeals(completion: @escaping ([HKCorrelation]) -> Void) {
        let query = HKCorrelationQuery(
            type: HKCorrelationType(.food),
            predicate: HKQuery.predicateForObjects(from: .default()), samplePredicates: nil
        ) { _, meals, _ in
            completion(meals ?? [])
        }
        store.execute(query)
    }
}
