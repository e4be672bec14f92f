// Forced types in lists, closures and lazies.
import HealthKit

final class Catalogue {
    private lazy var distance = HKObjectType.quantityType(  // finds forced-type
        forIdentifier: .distanceWalkingRunning)!

    static let all: [HKQuantityType] = [
        HKQuantityTypeIdentifier.stepCount, .heartRate, .bodyMass,
    ].map { HKQuantityType.quantityType(forIdentifier: $0)! }  // finds forced-type

    var categories: [String: HKCategoryType] {
        [
            "sleep": HKCategoryType.categoryType(forIdentifier: .sleepAnalysis)!,  // finds forced-type
            "mindful": HKSampleType.categoryType(forIdentifier: .mindfulSession)!,  // finds forced-type
        ]
    }

    func units(store: HKHealthStore) async throws -> HKUnit? {
        let weight = HKObjectType.quantityType(forIdentifier: .bodyMass)!  // finds forced-type
        return try await store.preferredUnits(for: [weight])[weight]
    }

    func isSex(_ type: HKObjectType) -> Bool {
        type == HKCharacteristicType.characteristicType(forIdentifier: .biologicalSex)!  // finds forced-type
    }
}
