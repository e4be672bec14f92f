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
}
