// The question is asked before anything else.
import HealthKit

final class GuardedService {
    private let store = HKHealthStore()

    func authorize() async throws {
        guard HKHealthStore.isHealthDataAvailable() else {
            throw HKError(.errorHealthDataUnavailable)
        }
        try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
    }
}
