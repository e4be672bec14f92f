// Reads that depend on a status that only speaks of writing.
import HealthKit

final class GatedReader {
    private let store: HKHealthStore
    private let steps = HKQuantityType(.stepCount)

    init(store: HKHealthStore) {
        self.store = store
    }

    func loadSteps(_ range: NSPredicate, completion: @escaping (Double?) -> Void) {
        if store.authorizationStatus(for: steps) == .sharingAuthorized {  // finds read-status
            let query = HKStatisticsQuery(
                quantityType: steps, quantitySamplePredicate: range, options: .cumulativeSum
            ) { _, statistics, _ in
                completion(statistics?.sumQuantity()?.doubleValue(for: .count()))
            }
            store.execute(query)
        } else {
            completion(nil)
        }
    }

    func loadSleep(_ range: NSPredicate) async throws -> [HKCategorySample] {
        let type = HKCategoryType(.sleepAnalysis)
        guard store.authorizationStatus(for: type) == .sharingAuthorized else { return [] }  // finds read-status
        return try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: type, predicate: range)], sortDescriptors: []
        ).result(for: store)
    }

    func loadHeart(_ range: NSPredicate, completion: @escaping ([HKSample], String?) -> Void) {
        let type = HKQuantityType(.heartRate)
        let status = store.authorizationStatus(for: type)  // finds read-status
        switch status {
        case .sharingDenied:
            completion([], "You have not allowed the heart rate to be read.")
        default:
            let query = HKSampleQuery(
                sampleType: type, predicate: range, limit: 100, sortDescriptors: nil
            ) { _, samples, _ in
                completion(samples ?? [], nil)
            }
            store.execute(query)
        }
    }
}
