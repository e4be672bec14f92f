// Units that a bridge, a server or a settings screen names.
import Flutter
import Foundation
import HealthKit

struct Reading: Decodable {
    let unit: String
    let value: Double
}

final class Bridge: NSObject {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func write(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let value = arguments["value"] as? Double,
            let symbol = arguments["unit"] as? String
        else { return result(false) }
        let quantity = HKQuantity(unit: HKUnit(from: symbol), doubleValue: value)  // finds outside-unit
        save(quantity, result)
    }

    func writeWithDefault(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        let arguments = call.arguments as? NSDictionary
        let unit = HKUnit(from: (arguments?["dataUnitKey"] as? String) ?? "count")  // finds outside-unit
        save(HKQuantity(unit: unit, doubleValue: 1), result)
    }

    private func save(_ quantity: HKQuantity, _ result: @escaping FlutterResult) {
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: quantity, start: Date(), end: Date())
        store.save(sample) { success, _ in result(success) }
    }

    @objc(latest:unit:resolver:)
    func latest(_ name: String, unit: String, resolver: @escaping (Any?) -> Void) {
        resolver(Self.unit(named: unit).unitString)
    }

    private static func unit(named text: String) -> HKUnit {
        HKUnit(from: text)  // finds outside-unit
    }

    func quantity(_ reading: Reading) -> HKQuantity {
        HKQuantity(unit: .init(from: reading.unit), doubleValue: reading.value)  // finds outside-unit
    }

    func preferred() -> HKUnit {
        guard let text = UserDefaults.standard.string(forKey: "weightUnit") else {
            return .gramUnit(with: .kilo)
        }
        return HKUnit(from: text)  // finds outside-unit
    }

    func capacitor(_ call: CAPPluginCall) -> HKUnit {
        let symbol = call.getString("unit") ?? "count"
        return HKUnit(from: symbol)  // finds outside-unit
    }
}
