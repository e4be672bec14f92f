// What is read isn't told here, but it is what is asked about, and nothing is shared.
import HealthKit

final class Metrics {
    private let healthStore: HKHealthStore
    private let types: Set<HKObjectType>

    init(store: HKHealthStore, metrics: [Metric]) {
        healthStore = store
        types = Set(metrics.map(\.objectType))
    }

    func ask() async throws {
        try await healthStore.requestAuthorization(toShare: [], read: types)
    }

    var missing: [HKObjectType] {
        types.filter { healthStore.authorizationStatus(for: $0) != .sharingAuthorized }  // finds read-status
    }
}
