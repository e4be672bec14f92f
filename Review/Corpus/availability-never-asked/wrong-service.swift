// A store is made and nobody asks whether this device has health data.
import HealthKit

final class HealthService {
    private let healthStore = HKHealthStore()  // finds availability-never-asked

    func authorize() async throws {
        try await healthStore.requestAuthorization(
            toShare: [], read: [HKQuantityType(.stepCount)])
    }
}
