// Looked up and asked about before the force, or no force at all.
import HealthKit

final class CheckedTypes {
    private let steps = HKQuantityType.quantityType(forIdentifier: .stepCount)

    func read() -> [HKObjectType] {
        guard steps != nil else { return [] }
        return [steps!]
    }

    func sleep() -> HKObjectType? {
        let type = HKObjectType.categoryType(forIdentifier: .sleepAnalysis)
        if type != nil { return type! }
        return nil
    }

    func optional() -> String? {
        HKObjectType.quantityType(forIdentifier: .height)?.identifier
    }

    func unit() -> HKUnit { .count() }

    func date(_ text: String?) -> String { text! }

    // Named in the code and as old as HealthKit: forced later, it is never nil.
    func kept() -> HKObjectType { steps! }

    func given(_ name: String) -> HKObjectType? {
        let type = HKObjectType.quantityType(
            forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
        guard type != nil else { return nil }
        return type!
    }

    func registered(_ registry: TypeRegistry) -> String {
        registry.quantityType(forIdentifier: "steps")!
    }
}

struct TypeRegistry {
    func quantityType(forIdentifier name: String) -> String? { name.isEmpty ? nil : name }
}
