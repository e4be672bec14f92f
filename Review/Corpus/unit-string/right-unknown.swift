// Strings that are not known here, and initialisers that only look alike.
import HealthKit

struct ServerSample: Decodable {
    let unit: String
    let value: Double

    var quantity: HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }
}

func glucoseUnit(molarMass: Double) -> HKUnit {
    HKUnit(from: "mmol<\(molarMass)>/L")
}

func prefixed(_ prefix: String) -> HKUnit {
    HKUnit(from: prefix + "g")
}

struct Unit {
    let symbol: String

    init(from symbol: String) {
        self.symbol = symbol
    }

    static let beats = Unit(from: "bpm")
}

func label(for unit: HKUnit) -> String {
    unit.unitString == "count/min" ? "bpm" : unit.unitString
}
