// Object types unwrapped by force though a constructor without an optional exists.
import HealthKit

final class TypeList {
    static let steps = HKObjectType.quantityType(forIdentifier: .stepCount)!  // finds forced-type
    private let heartRate = HKQuantityType.quantityType(forIdentifier: .heartRate)!  // finds forced-type

    let read: Set<HKObjectType> = [
        HKObjectType.categoryType(forIdentifier: .sleepAnalysis)!,  // finds forced-type
        HKObjectType.characteristicType(forIdentifier: .dateOfBirth)!,  // finds forced-type
        HKSampleType.quantityType(forIdentifier: HKQuantityTypeIdentifier.height)!,  // finds forced-type
        HKObjectType.workoutType(),
    ]

    func meals(store: HKHealthStore, since start: Date) {
        let query = HKCorrelationQuery(
            type: HKObjectType.correlationType(forIdentifier: .food)!,  // finds forced-type
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            samplePredicates: nil
        ) { _, meals, _ in
            print(meals?.count ?? 0)
        }
        store.execute(query)
    }

    func documents() -> HKDocumentType {
        return HKObjectType.documentType(forIdentifier: .CDA)!  // finds forced-type
    }
}
