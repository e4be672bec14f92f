import HealthEngine
import SwiftSyntax

/// Reports a unit string outside HealthKit's grammar: `HKUnit(from: "bpm")`.
struct UnitString: Rule {
    let name = "unit-string"
    let summary = "a unit string that HealthKit can't read, which ends the app"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("HKUnit") {
            for call in file.uses.calls {
                guard let text = call.argument("from"), call.arguments.count == 1,
                    call.makesUnit
                else { continue }
                for origin in target.unitTexts(of: text) {
                    review(origin, target, &report)
                    if !origin.isInside(call) { reviewMoles(origin, target, &report) }
                }
            }
        }
    }

    /// Reports moles without a molar mass among the units that a person chooses for glucose.
    private func reviewMoles(
        _ origin: ExprSyntax, _ target: Target, _ report: inout Report
    ) {
        guard let text = origin.plainString, text.hasPrefix("mmol/") || text.hasPrefix("mol/"),
            target.mentions("bloodGlucose"), let file = target.file(of: origin)
        else { return }
        report.add(
            "HealthKit ends the app when blood glucose is asked for in \"\(text)\", which has no molar "
                + "mass: write \"mmol<180.1558800000541>/L\"", at: origin, in: file)
    }

    private func review(_ origin: ExprSyntax, _ target: Target, _ report: inout Report) {
        guard let text = origin.plainString, let file = target.file(of: origin) else { return }
        do {
            _ = try HealthUnit(text)
        } catch {
            let fix =
                !origin.isOnlyUsedHere
                ? nil
                : Self.meant[text.lowercased()].map {
                    Fix("writes \"\($0)\"", replacing: origin, with: "\"\($0)\"")
                }
            report.add(
                "HealthKit ends the app: it can't read \"\(text.prefix(40))\" as a unit"
                    + Self.advice(text),
                at: origin, in: file, fix: fix)
        }
    }

    /// Returns a suggestion for a common mistake.
    private static func advice(_ text: String) -> String {
        if let symbol = meant[text.lowercased()] { return "; write \"\(symbol)\"" }
        if text.contains("mol<") {
            return "; a molar mass is a number, as in \"mmol<180.1558800000541>/L\""
        }
        return text.split(separator: "/").count > 2 ? "; a unit has one slash at most" : ""
    }

    private static let meant = [
        "bpm": "count/min", "beats/min": "count/min", "breaths/min": "count/min",
        "steps": "count", "step": "count", "counts/min": "count/min", "minutes": "min",
        "hours": "hr", "hour": "hr", "h": "hr", "seconds": "s", "sec": "s", "meters": "m",
        "meter": "m", "miles": "mi", "mile": "mi", "km/h": "km/hr", "mi/h": "mi/hr",
        "mph": "mi/hr", "lbs": "lb", "pounds": "lb", "kgs": "kg", "calories": "kcal",
        "kcals": "kcal", "mmhg": "mmHg", "°c": "degC", "°f": "degF", "percent": "%",
        "ml/kg/min": "mL/kg*min",
    ]
}
