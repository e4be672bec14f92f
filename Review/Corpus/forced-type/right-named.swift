// Types unwrapped by force whose identifiers are constants of HealthKit.
import HealthKit

final class TypeList {
    static let steps = HKObjectType.quantityType(forIdentifier: .stepCount)!
    private let heartRate = HKQuantityType.quantityType(forIdentifier: .heartRate)!

    let read: Set<HKObjectType> = [
        HKObjectType.categoryType(forIdentifier: .sleepAnalysis)!,
        HKObjectType.characteristicType(forIdentifier: .dateOfBirth)!,
        HKSampleType.quantityType(forIdentifier: HKQuantityTypeIdentifier.height)!,
        HKObjectType.workoutType(),
    ]

    func meals(store: HKHealthStore, since start: Date) {
        let query = HKCorrelationQuery(
            type: HKObjectType.correlationType(forIdentifier: .food)!,
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            samplePredicates: nil
        ) { _, meals, _ in
            print(meals?.count ?? 0)
        }
        store.execute(query)
    }

    func documents() -> HKDocumentType {
        return HKObjectType.documentType(forIdentifier: .CDA)!
    }
}
