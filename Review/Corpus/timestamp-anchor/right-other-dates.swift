// Stored dates that mean something else than "what is new since".
import HealthKit

struct Challenge: Codable {
    let begins: Date
    let ends: Date
}

final class ChallengeReader {
    private let store: HKHealthStore
    private var lastShown: Date?
    private var lastRefresh = Date.distantPast

    init(store: HKHealthStore) {
        self.store = store
    }

    func progress(in challenge: Challenge) async throws -> Double? {
        let range = HKQuery.predicateForSamples(withStart: challenge.begins, end: challenge.ends)
        return try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
            options: .cumulativeSum
        ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }

    func refreshIfStale() async throws -> Double? {
        guard Date().timeIntervalSince(lastRefresh) > 900 else { return nil }
        lastRefresh = Date()
        let midnight = Calendar.current.startOfDay(for: Date())
        let range = HKQuery.predicateForSamples(withStart: midnight, end: nil)
        return try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
            options: .cumulativeSum
        ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }

    func sinceBirth(_ components: DateComponents) -> NSPredicate? {
        components.date.map { HKQuery.predicateForSamples(withStart: $0, end: nil) }
    }

    func sinceSurgery(completion: @escaping ([HKSample]) -> Void) {
        let day = UserDefaults.standard.object(forKey: "surgeryDate") as? Date ?? .now
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.walkingSpeed),
            predicate: HKQuery.predicateForSamples(withStart: day, end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
        lastShown = Date()
    }
}
