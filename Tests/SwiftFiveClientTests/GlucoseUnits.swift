import Foundation
import HealthKit

extension HKUnit {
    var shortName: String {
        switch self {
        case .millimolesPerLiter: return "mmol/L"
        case .milligramsPerDeciliter: return "mg/dL"
        case HKUnit.internationalUnit(): return "U"
        default: return String(describing: self)
        }
    }
}

/// The user's unit for glucose, stored as a string in the settings.
class GlucoseUnits {
    private let store: HKHealthStore
    private let defaults: UserDefaults

    init(store: HKHealthStore, defaults: UserDefaults) {
        self.store = store
        self.defaults = defaults
    }

    var unit: HKUnit {
        get { defaults.string(forKey: "unit").map(HKUnit.init(from:)) ?? .milligramsPerDeciliter }
        set { defaults.set(newValue.unitString, forKey: "unit") }
    }

    func refresh(_ completion: @escaping (Bool) -> Void) {
        guard let glucose = HKObjectType.quantityType(forIdentifier: .bloodGlucose) else { return }
        store.preferredUnits(for: [glucose]) { units, error in
            if let unit = units[glucose] { self.unit = unit }
            completion(error == nil)
        }
    }

    func text(_ quantity: HKQuantity) -> String {
        let digits = unit == .millimolesPerLiter ? 1 : 0
        return String(format: "%.\(digits)f %@", quantity.doubleValue(for: unit), unit.shortName)
    }
}
