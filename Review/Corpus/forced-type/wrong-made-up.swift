// Identifiers that come from outside, unwrapped by force: an unknown one ends the app.
import HealthKit

@objc(HealthBridge)
final class HealthBridge: NSObject {
    @objc func authorize(_ names: [String]) -> [String] {
        let types = names.map { name in
            let identifier = HKQuantityTypeIdentifier(rawValue: name)
            return HKObjectType.quantityType(forIdentifier: identifier)!  // finds forced-type
        }
        return types.map(\.identifier)
    }

    func category(_ name: String) -> HKCategoryType {
        HKObjectType.categoryType(forIdentifier: .init(rawValue: name))!  // finds forced-type
    }

    func renamed() -> HKQuantityType {
        HKQuantityType.quantityType(  // finds forced-type
            forIdentifier: HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierGlucose"))!
    }
}

final class Settings {
    func type(of identifier: HKQuantityTypeIdentifier) -> HKQuantityType {
        .quantityType(forIdentifier: identifier)!  // finds forced-type
    }

    func stored() -> HKQuantityType {
        let name = UserDefaults.standard.string(forKey: "type") ?? ""
        return type(of: HKQuantityTypeIdentifier(rawValue: name))
    }

    func chosen(_ names: [String]) -> [HKQuantityType] {
        var types: [HKQuantityType] = []
        for identifier in [HKQuantityTypeIdentifier(rawValue: names[0]), .stepCount] {
            types.append(HKObjectType.quantityType(forIdentifier: identifier)!)  // finds forced-type
        }
        return types
    }
}

extension HKQuantityTypeIdentifier {
    var forcedType: HKQuantityType {
        HKQuantityType.quantityType(forIdentifier: self)!
    }
}
