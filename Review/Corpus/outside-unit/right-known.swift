// Units that the code knows, looked up or checked, and units of formatters.
import Foundation
import HealthKit

enum Symbol: String, Codable {
    case kilograms = "kg"
    case pounds = "lb"
}

struct Setting: Codable {
    let symbol: Symbol
    let title: String
}

struct Column {
    let title: String
    let unit: String

    static let all = [Column(title: "Weight", unit: "kg"), Column(title: "Steps", unit: "count")]
}

struct KnownUnits {
    private static let table = ["steps": "count", "weight": "kg", "pulse": "count/min"]
    private static let supported: Set<String> = ["kg", "lb", "count"]

    func unit(_ setting: Setting) -> HKUnit { HKUnit(from: setting.symbol.rawValue) }

    func unit(of column: Column) -> HKUnit { HKUnit(from: column.unit) }

    func unit(named name: String) -> HKUnit? {
        Self.table[name].map { HKUnit(from: $0) }
    }

    func weight() -> HKUnit { HKUnit(from: Self.table["weight"] ?? "kg") }

    func checked(_ arguments: [String: Any]) -> HKUnit? {
        guard let symbol = arguments["unit"] as? String, Self.supported.contains(symbol) else {
            return nil
        }
        return HKUnit(from: symbol)
    }

    func switched(_ arguments: [String: Any]) -> HKUnit? {
        let symbol: String
        switch arguments["unit"] as? String {
        case "kilograms": symbol = "kg"
        case "pounds": symbol = "lb"
        default: return nil
        }
        return HKUnit(from: symbol)
    }

    func caught(_ arguments: [String: Any]) -> HKUnit? {
        guard let symbol = arguments["unit"] as? String else { return nil }
        return try? ObjC.catchException { HKUnit(from: symbol) }
    }

    func formatter(_ arguments: [String: Any]) -> HKUnit {
        HKUnit(from: MassFormatter.Unit.kilogram)
    }

    func stored(_ quantity: HKQuantity, _ unit: HKUnit) -> HKUnit { HKUnit(from: unit.unitString) }
}
