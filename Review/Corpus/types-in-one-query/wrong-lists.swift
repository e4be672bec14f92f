// Lists of types built in statics, loops and sums, then asked in one query.
import HealthKit

enum Nutrition {
    static let types: [HKQuantityType] = [
        HKQuantityType(.dietaryProtein), HKQuantityType(.dietaryCarbohydrates),
        HKQuantityType(.dietaryFatTotal),
    ]
}

final class NutritionReader {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func today(_ range: NSPredicate) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(  // finds types-in-one-query
            predicates: Nutrition.types.map { .quantitySample(type: $0, predicate: range) },
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    func vitals(_ range: NSPredicate, completion: @escaping ([HKSample]) -> Void) {
        let heart = HKQueryDescriptor(sampleType: HKQuantityType(.heartRate), predicate: range)
        let breath = HKQueryDescriptor(
            sampleType: HKQuantityType(.respiratoryRate), predicate: range)
        store.execute(
            HKSampleQuery(queryDescriptors: [heart, breath], limit: 200) { _, samples, _ in  // finds types-in-one-query
                completion(samples ?? [])
            })
    }

    func follow(_ apply: ([HKSample], [HKDeletedObject]) -> Void) async throws {
        let predicates: [HKSamplePredicate<HKSample>] = [
            .sample(type: HKQuantityType(.bodyMass)), .sample(type: HKQuantityType(.height)),
        ]
        let descriptor = HKAnchoredObjectQueryDescriptor(predicates: predicates, anchor: nil)  // finds types-in-one-query
        for try await change in descriptor.results(for: store) {
            apply(change.addedSamples, change.deletedObjects)
        }
    }
}
