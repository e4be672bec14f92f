// Each type that is read asked for its status, in loops and behind names.
import HealthKit

final class Reading {
    private let healthStore: HKHealthStore
    private let readTypes: Set<HKObjectType> = [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]
    private let shareTypes: Set<HKSampleType> = [HKQuantityType(.bodyMass)]

    init(store: HKHealthStore) { healthStore = store }

    func ask() async throws {
        try await healthStore.requestAuthorization(toShare: shareTypes, read: readTypes)
    }

    var isReady: Bool {
        readTypes.allSatisfy { healthStore.authorizationStatus(for: $0) == .sharingAuthorized }  // finds read-status
    }

    func missing() -> [HKObjectType] {
        var missing: [HKObjectType] = []
        for type in readTypes {
            switch healthStore.authorizationStatus(for: type) {  // finds read-status
            case .sharingDenied: missing.append(type)
            default: break
            }
        }
        return missing
    }

    func canReadHeartRate() -> Bool {
        let status = healthStore.authorizationStatus(for: HKQuantityType(.heartRate))  // finds read-status
        return status != .sharingDenied
    }

    var isWeightShared: Bool {
        shareTypes.allSatisfy { healthStore.authorizationStatus(for: $0) == .sharingAuthorized }
    }
}
