// The texts are build settings that are merged into a nearly empty Info.plist.
import HealthKit

extension HKHealthStore {
    func askForMeals() async throws {
        let protein = HKQuantityType(.dietaryProtein)
        try await requestAuthorization(toShare: [protein], read: [protein])
    }
}
