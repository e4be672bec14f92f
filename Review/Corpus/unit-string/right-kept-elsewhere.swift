// Readable strings kept elsewhere, strings of the server's, and other initializers named alike.
import HealthKit

enum Measure: String {
    case weight, pulse

    var unitString: String { self == .weight ? "kg" : "count/min" }
    var label: String { self == .weight ? "kilos" : "bpm" }
    var unit: HKUnit { HKUnit(from: unitString) }
}

struct Row {
    let name: String
    init(from text: String) { name = text }
    static let first = Row(from: "bpm")
}

func unit(from payload: [String: String]) -> HKUnit? {
    guard let text = payload["unit"] else { return nil }
    return HKUnit(from: text)  // finds outside-unit
}

func power(of exponent: Int) -> HKUnit { HKUnit(from: "m^\(exponent)") }
