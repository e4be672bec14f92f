// The Info.plist is made from build settings, and none of them explains the writing.
import HealthKit

extension HKHealthStore {
    func askForWater() async throws {
        let water = HKQuantityType(.dietaryWater)
        try await requestAuthorization(toShare: [water], read: [])  // finds usage-strings
    }
}
