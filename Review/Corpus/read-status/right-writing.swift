// The status asked about what is written.
import HealthKit

final class WeightWriter {
    private let healthStore: HKHealthStore
    private let weight = HKQuantityType(.bodyMass)

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func ask() async throws {
        try await healthStore.requestAuthorization(
            toShare: [weight, .workoutType()], read: [weight, HKQuantityType(.height)])
    }

    func save(kilograms: Double) async throws {
        guard healthStore.authorizationStatus(for: weight) == .sharingAuthorized else {
            throw HKError(.errorAuthorizationDenied)
        }
        let quantity = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms)
        let now = Date()
        try await healthStore.save(
            HKQuantitySample(type: weight, quantity: quantity, start: now, end: now))
    }

    var canShareWorkouts: Bool {
        healthStore.authorizationStatus(for: HKObjectType.workoutType()) == .sharingAuthorized
    }

    func statusText() -> String {
        switch healthStore.authorizationStatus(for: weight) {
        case .notDetermined: return "Not asked yet"
        case .sharingDenied: return "Weights are not written to Health"
        case .sharingAuthorized: return "Weights are written to Health"
        @unknown default: return ""
        }
    }

    func canWrite(_ type: HKSampleType) -> Bool {
        healthStore.authorizationStatus(for: type) == .sharingAuthorized
    }
}
