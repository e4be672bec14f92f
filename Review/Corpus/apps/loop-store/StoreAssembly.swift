import CoreData
import Foundation
import HealthKit

public final class StoreAssembly {

    public let glucose: GlucoseStore
    public let carbs: CarbStore
    public let insulin: InsulinStore
    private let healthStore: HKHealthStore

    public init?(context: NSManagedObjectContext, directory: URL) {
        guard HKHealthStore.isHealthDataAvailable() else { return nil }
        healthStore = HKHealthStore()
        glucose = GlucoseStore(healthStore: healthStore, context: context, keeping: 72 * 3600)
        carbs = CarbStore(healthStore: healthStore)
        insulin = InsulinStore(healthStore: healthStore, directory: directory)
    }

    public func authorize(_ completion: @escaping (Error?) -> Void) {
        let types: Set<HKSampleType> = [
            HKQuantityType(.bloodGlucose), HKQuantityType(.dietaryCarbohydrates), HKQuantityType(.insulinDelivery),
        ]
        healthStore.requestAuthorization(toShare: types, read: types) { success, error in
            guard success else {
                completion(error)
                return
            }
            self.glucose.createQuery()
            self.carbs.createQuery()
            for store in [self.glucose, self.carbs] as [HealthKitSampleStore] {
                store.enableBackgroundDelivery { error in
                    if let error = error { print("Background delivery: \(error)") }
                }
            }
            completion(nil)
        }
    }
}
