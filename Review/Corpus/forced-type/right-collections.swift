// Named types unwrapped by force in lists, closures and lazies.
import HealthKit

final class Catalogue {
    private lazy var distance = HKObjectType.quantityType(
        forIdentifier: .distanceWalkingRunning)!

    static let all: [HKQuantityType] = [
        HKQuantityTypeIdentifier.stepCount, .heartRate, .bodyMass,
    ].map { HKQuantityType.quantityType(forIdentifier: $0)! }

    var categories: [String: HKCategoryType] {
        [
            "sleep": HKCategoryType.categoryType(forIdentifier: .sleepAnalysis)!,
            "mindful": HKSampleType.categoryType(forIdentifier: .mindfulSession)!,
        ]
    }

    func units(store: HKHealthStore) async throws -> HKUnit? {
        let weight = HKObjectType.quantityType(forIdentifier: .bodyMass)!
        return try await store.preferredUnits(for: [weight])[weight]
    }

    func isSex(_ type: HKObjectType) -> Bool {
        type == HKCharacteristicType.characteristicType(forIdentifier: .biologicalSex)!
    }
}
