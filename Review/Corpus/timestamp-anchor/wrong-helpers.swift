// The same through properties, settings and one day of grace.
import HealthKit

enum Settings {
    static var lastUpload: Date? {
        get { UserDefaults.standard.object(forKey: "last_upload") as? Date }
        set { UserDefaults.standard.set(newValue, forKey: "last_upload") }
    }
}

struct Uploader {
    let store: HKHealthStore

    func pendingHeartRates() async throws -> [HKQuantitySample] {
        let start = Settings.lastUpload ?? Date().addingTimeInterval(-30 * 86_400)
        let predicate = HKQuery.predicateForSamples(
            withStart: start, end: Date())  // finds timestamp-anchor
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.heartRate), predicate: predicate)
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        Settings.lastUpload = Date()
        return samples
    }

    func pendingSleep(completion: @escaping ([HKSample]) -> Void) {
        let defaults = UserDefaults(suiteName: "group.org.example.sleep")
        guard let last = defaults?.value(forKey: "lastSyncedAt") as? Date else { return }  // finds completion-not-called
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.sleepAnalysis),
            predicate: HKQuery.predicateForSamples(withStart: last, end: nil, options: []),  // finds timestamp-anchor
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
            defaults?.set(Date(), forKey: "lastSyncedAt")  // finds locked-device
        }
        store.execute(query)
    }
}

final class RingSync {
    let store: HKHealthStore
    private let lastSyncKey = "ring.lastSync"

    init(store: HKHealthStore) {
        self.store = store
    }

    func sync(_ deliver: @escaping ([HKSample]) -> Void) {
        let seconds = UserDefaults.standard.double(forKey: lastSyncKey)
        let start = Date(timeIntervalSince1970: seconds)
        let predicate = HKQuery.predicateForSamples(withStart: start, end: Date())  // finds timestamp-anchor
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.restingHeartRate), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { [lastSyncKey] _, samples, _ in
            deliver(samples ?? [])
            UserDefaults.standard.set(Date().timeIntervalSince1970, forKey: lastSyncKey)  // finds locked-device
        }
        store.execute(query)
    }
}
