import HealthEngine
import SwiftSyntax

extension Target {
    /// Returns the unit of an expression: `.count()`, `HKUnit(from: "mg/dL")`,
    /// `.gramUnit(with: .kilo)`, `.count().unitDivided(by: .minute())`. The result is nil if it
    /// can't be resolved or is ambiguous.
    func unit(of expression: ExprSyntax) -> HealthUnit? {
        unit(of: expression, depth: 0)
    }

    private func unit(of expression: ExprSyntax, depth: Int) -> HealthUnit? {
        let origins = origins(of: expression)
        guard depth < 6, origins.count == 1 else { return nil }
        if let own = extensionMember(origins[0], of: ["HKUnit"]) {
            return unit(of: own, depth: depth + 1)
        }
        guard let call = origins[0].as(FunctionCallExprSyntax.self), let name = call.calledName
        else {
            return nil
        }
        if name == "HKUnit" || name == "init" {
            let text = call.argument("from") ?? call.unlabelledArgument(0)
            return text?.plainString.flatMap { try? HealthUnit($0) }
        }
        if let symbol = Self.unitSymbols[name] {
            guard let prefix = call.argument("with") else { return try? HealthUnit(symbol) }
            guard let member = prefix.bare.as(MemberAccessExprSyntax.self),
                let letter = Self.prefixes[member.declName.baseName.text]
            else { return nil }
            return try? HealthUnit(letter + symbol)
        }
        guard let base = call.base, let unit = unit(of: base, depth: depth + 1) else { return nil }
        return composed(unit, name, call, depth)
    }

    private func composed(
        _ unit: HealthUnit, _ name: String, _ call: FunctionCallExprSyntax, _ depth: Int
    ) -> HealthUnit? {
        switch name {
        case "unitDivided":
            let other = call.argument("by").flatMap { self.unit(of: $0, depth: depth + 1) }
            return other.flatMap { try? unit.divided(by: $0) }
        case "unitMultiplied":
            let other = call.argument("by").flatMap { self.unit(of: $0, depth: depth + 1) }
            return other.flatMap { try? unit.multiplied(by: $0) }
        case "unitRaised":
            let power = call.argument("toPower").flatMap { Int($0.shortText ?? "") }
            return power.flatMap { try? unit.raised(to: $0) }
        case "reciprocal": return unit.reciprocal
        default: return nil
        }
    }

    /// The unit symbols of HealthKit's factory methods, including those that take a prefix.
    private static let unitSymbols = [
        "second": "s", "secondUnit": "s", "minute": "min", "hour": "hr", "day": "d",
        "gram": "g", "gramUnit": "g", "ounce": "oz", "pound": "lb", "stone": "st",
        "liter": "L", "literUnit": "L", "fluidOunceUS": "fl_oz_us",
        "fluidOunceImperial": "fl_oz_imp", "pintUS": "pt_us", "pintImperial": "pt_imp",
        "cupUS": "cup_us", "cupImperial": "cup_imp",
        "meter": "m", "meterUnit": "m", "inch": "in", "foot": "ft", "yard": "yd", "mile": "mi",
        "joule": "J", "jouleUnit": "J", "calorie": "cal", "kilocalorie": "kcal",
        "smallCalorie": "cal", "largeCalorie": "Cal", "watt": "W", "wattUnit": "W",
        "pascal": "Pa", "pascalUnit": "Pa", "millimeterOfMercury": "mmHg",
        "centimeterOfWater": "cmAq", "atmosphere": "atm", "inchesOfMercury": "inHg",
        "kelvin": "K", "degreeCelsius": "degC", "degreeFahrenheit": "degF",
        "hertz": "Hz", "hertzUnit": "Hz", "count": "count", "percent": "%",
        "radianAngle": "rad", "radianAngleUnit": "rad", "degreeAngle": "deg",
        "siemen": "S", "siemenUnit": "S", "volt": "V", "voltUnit": "V",
        "internationalUnit": "IU", "lux": "lx", "luxUnit": "lx", "diopter": "D",
        "prismDiopter": "pD", "decibelAWeightedSoundPressureLevel": "dBASPL",
        "decibelHearingLevel": "dBHL", "appleEffortScore": "appleEffortScore",
    ]

    private static let prefixes = [
        "none": "", "femto": "f", "pico": "p", "nano": "n", "micro": "mc", "milli": "m",
        "centi": "c", "deci": "d", "deca": "da", "hecto": "h", "kilo": "k", "mega": "M",
        "giga": "G", "tera": "T",
    ]
}
