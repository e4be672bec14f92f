// The force stands elsewhere than the look-up, or behind a name that isn't the type's.
import HealthKit

final class Registry {
    func read(_ name: String) -> Set<HKObjectType> {
        let named = HKObjectType.categoryType(forIdentifier: HKCategoryTypeIdentifier(rawValue: name))
        return [
            named!,  // finds forced-type
            (HKObjectType.correlationType(forIdentifier: .bloodPressure))!,
        ]
    }

    func all(_ identifiers: [HKQuantityTypeIdentifier]) -> [HKQuantityType] {
        identifiers.map { HKObjectType.quantityType(forIdentifier: $0)! }
    }

    func name() -> String {
        HKObjectType.quantityType(forIdentifier: .vo2Max)!.identifier
    }
}
