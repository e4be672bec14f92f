import HealthKit
final class Incremental {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func sync(_ upload: @escaping ([HKSample]) -> Void) {
        let lastSync = UserDefaults.standard.object(forKey: "lastSyncDate") as? Date ?? .distantPast
        let predicate = HKQuery.predicateForSamples(withStart: lastSync, end: Date(), options: .strictStartDate) // finds timestamp-anchor
        store.execute(HKSampleQuery(
            sampleType: HKQuantityType(.restingHeartRate), predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            upload(samples ?? [])
            UserDefaults.standard.set(Date(), forKey: "lastSyncDate")  // finds locked-device
        })
    }
}
