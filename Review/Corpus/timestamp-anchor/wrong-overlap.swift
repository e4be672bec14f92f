// An hour of overlap, a day's start, a database row: still a date, still late data lost.
import HealthKit
import SwiftData

extension UserDefaults {
    var lastHealthSync: Date? {
        get { object(forKey: "lastHealthSync") as? Date }
        set { set(newValue, forKey: "lastHealthSync") }
    }
}

struct OverlappingSync {
    let store: HKHealthStore
    let defaults = UserDefaults.standard

    func heartRates() async throws -> [HKQuantitySample] {
        let since = (defaults.lastHealthSync ?? .distantPast).addingTimeInterval(-3_600)
        let range = HKQuery.predicateForSamples(withStart: since, end: .now)  // finds timestamp-anchor
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
        defaults.lastHealthSync = .now
        return samples
    }

    func sleep(completion: @escaping ([HKSample]) -> Void) {
        guard let last = defaults.lastHealthSync else { return completion([]) }
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.sleepAnalysis),
            predicate: HKQuery.predicateForSamples(
                withStart: Calendar.current.startOfDay(for: last),  // finds timestamp-anchor
                end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
            UserDefaults.standard.lastHealthSync = Date()  // finds locked-device
        }
        store.execute(query)
    }
}
