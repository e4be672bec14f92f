import HealthKit
struct Asking {
    let store: HKHealthStore
    func ask(_ done: @escaping (Error?) -> Void) {
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) { success, error in
            guard success else {
                done(error)
                return
            }
            done(nil)
        }
    }
    func load() async throws -> Double {
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.stepCount)), options: .cumulativeSum).result(for: store)
        return statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }
}
