// Asks once for everything the tracker reads and writes.
import HealthKit

enum HealthKitSetupError: Error {
    case notAvailableOnDevice
    case dataTypeNotAvailable
}

final class HealthKitSetup {
    static let store = HKHealthStore()

    class func authorize(completion: @escaping (Bool, Error?) -> Void) {
        guard HKHealthStore.isHealthDataAvailable() else {
            completion(false, HealthKitSetupError.notAvailableOnDevice)
            return
        }
        guard let dateOfBirth = HKObjectType.characteristicType(forIdentifier: .dateOfBirth),
            let height = HKObjectType.quantityType(forIdentifier: .height),
            let bodyMass = HKObjectType.quantityType(forIdentifier: .bodyMass),
            let heartRate = HKObjectType.quantityType(forIdentifier: .heartRate),
            let activeEnergy = HKObjectType.quantityType(forIdentifier: .activeEnergyBurned)
        else {
            completion(false, HealthKitSetupError.dataTypeNotAvailable)
            return
        }
        let write: Set<HKSampleType> = [bodyMass, activeEnergy, HKObjectType.workoutType()]
        let read: Set<HKObjectType> = [
            dateOfBirth, height, bodyMass, heartRate, activeEnergy, HKObjectType.workoutType(),
            HKSeriesType.workoutRoute(),
        ]
        store.requestAuthorization(toShare: write, read: read) { success, error in
            completion(success, error)
        }
    }
}
