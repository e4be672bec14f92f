// Types read and written: their status speaks of the writing that is gated.
import HealthKit

final class WaterLog {
    private let store: HKHealthStore
    private let water = HKQuantityType(.dietaryWater)
    private lazy var types: Set<HKSampleType> = [water, HKQuantityType(.dietaryCaffeine)]

    init(store: HKHealthStore) {
        self.store = store
    }

    func ask() async throws {
        try await store.requestAuthorization(toShare: types, read: types)
    }

    func drink(milliliters: Double, completion: @escaping (Bool) -> Void) {
        switch store.authorizationStatus(for: water) {
        case .sharingAuthorized:
            let now = Date()
            let sample = HKQuantitySample(
                type: water,
                quantity: HKQuantity(unit: .literUnit(with: .milli), doubleValue: milliliters),
                start: now, end: now)
            store.save(sample) { success, _ in completion(success) }
        case .notDetermined, .sharingDenied:
            completion(false)
        @unknown default:
            completion(false)
        }
    }

    var writable: [HKSampleType] {
        types.filter { store.authorizationStatus(for: $0) == .sharingAuthorized }
    }

    func today(_ range: NSPredicate) async throws -> Double {
        let sum = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: water, predicate: range), options: .cumulativeSum
        ).result(for: store)?.sumQuantity()
        return sum?.doubleValue(for: .liter()) ?? 0
    }
}
