// A function whose type is a parameter, asked for types that are shared or written.
import HealthKit

enum HealthTypes {
    static let weight = HKQuantityType(.bodyMass)
    static let water: HKQuantityType = .quantityType(forIdentifier: .dietaryWater)!
    static let shared: Set<HKSampleType> = [weight, water, .workoutType()]
    static let read: Set<HKObjectType> = [weight, HKQuantityType(.stepCount)]
    static let names = ["caffeine": HKQuantityTypeIdentifier.dietaryCaffeine]
}

final class SharingStatus {
    private let healthStore: HKHealthStore

    init(store: HKHealthStore) { healthStore = store }

    func ask() async throws {
        try await healthStore.requestAuthorization(
            toShare: HealthTypes.shared, read: HealthTypes.read)
    }

    private func isEnabled(_ type: HKObjectType) -> Bool {
        healthStore.authorizationStatus(for: type) == .sharingAuthorized
    }

    func canReadAndWrite(_ identifier: HKQuantityTypeIdentifier) -> Bool {
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else { return false }
        return healthStore.authorizationStatus(for: type) == .sharingAuthorized
    }

    var weightIsOn: Bool { isEnabled(HealthTypes.weight) }
    var waterIsOn: Bool { isEnabled(HealthTypes.water) }
    var workoutsAreOn: Bool { isEnabled(HKObjectType.workoutType()) }
    var both: Bool { canReadAndWrite(.bodyMass) && canReadAndWrite(.dietaryWater) }
}

final class CaffeineLog {
    private let healthStore: HKHealthStore

    init(store: HKHealthStore) { healthStore = store }

    func ask() async throws {
        var types = Set<HKSampleType>()
        for identifier in HealthTypes.names.values {
            if let type = HKObjectType.quantityType(forIdentifier: identifier) {
                types.insert(type)
            }
        }
        try await healthStore.requestAuthorization(toShare: types, read: [])
    }

    func status(_ type: HKObjectType) -> HKAuthorizationStatus {
        healthStore.authorizationStatus(for: type)
    }

    func isOn() -> Bool {
        status(HKQuantityType(.dietaryCaffeine)) == .sharingAuthorized
    }
}
