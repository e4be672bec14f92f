// Types without force: the constructors, bindings and compactMap.
import HealthKit

final class SafeTypeList {
    static let steps = HKQuantityType(.stepCount)
    let read: Set<HKObjectType> = [
        HKQuantityType(.heartRate), HKCategoryType(.sleepAnalysis),
        HKCharacteristicType(.dateOfBirth), HKObjectType.workoutType(),
    ]

    func type(named name: String) -> HKQuantityType? {
        HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
    }

    func types(named names: [String]) -> [HKQuantityType] {
        names.compactMap {
            HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0))
        }
    }

    func sleep() throws -> HKCategoryType {
        guard let type = HKObjectType.categoryType(forIdentifier: .sleepAnalysis) else {
            throw CocoaError(.featureUnsupported)
        }
        return type
    }

    func describe(_ name: String) -> String {
        if let type = HKObjectType.correlationType(forIdentifier: .init(rawValue: name)) {
            return type.identifier
        }
        return "unknown"
    }

    func weight() -> HKQuantityType {
        HKObjectType.quantityType(forIdentifier: .bodyMass) ?? HKQuantityType(.bodyMass)
    }
}
