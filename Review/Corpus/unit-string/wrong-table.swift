// A table of symbols, one of which isn't a unit.
import HealthKit

struct Symbols {
    static let all: [String: String] = [
        "steps": "count",
        "pulse": "bpm",  // finds unit-string
        "weight": "kg",
    ]

    func unit(named name: String) -> HKUnit {
        HKUnit(from: Self.all[name] ?? "count")
    }

    func glucose() -> HKUnit {
        let symbols = ["si": "mmol<180.1558800000541>/L", "us": "mg/deciliter"]  // finds unit-string
        return HKUnit(from: symbols["us"] ?? "mg/dL")
    }
}
