package import HealthEngine

/// Texts for a metric's values.
package enum MetricText {
    /// Returns a value with its unit: "8,214 steps", "58 bpm", "7:12 h", "97.0 %"; "no data" for
    /// nil.
    package static func text(_ value: Double?, of metric: Metric) -> String {
        guard let value else { return "no data" }
        if metric.unit == "count" { return "\(number(value, of: metric)) \(metric.displayName)" }
        return "\(number(value, of: metric)) \(unit(of: metric))"
    }

    /// Returns a value without its unit: "8,214", "7:12".
    ///
    /// - Parameter largest: The largest of the numbers shown together, which determines the number
    ///   of decimal places; nil for this value alone.
    package static func number(
        _ value: Double, of metric: Metric, largest: Double? = nil
    ) -> String {
        if metric.kind == .state { return NumberText.hours(value) }
        return ReadableUnit(metric.unit, largest: largest ?? abs(value)).text(value)
    }

    /// Returns the display unit: "bpm", "km", "h"; "" for counts.
    package static func unit(of metric: Metric) -> String {
        if metric.kind == .state { return "h" }
        switch metric.unit {
        case "count": return ""
        case "count/min": return metric.identifier.contains("HeartRate") ? "bpm" : "per minute"
        default: return DisplayUnit(metric.unit).symbol
        }
    }

    /// Returns a difference of two values without its unit; see ``number(_:of:largest:)``.
    package static func difference(
        _ value: Double, of metric: Metric, largest: Double
    ) -> String {
        if metric.kind == .state { return NumberText.hours(value) }
        return ReadableUnit(metric.unit, largest: largest).text(difference: value)
    }
}

/// Display names of types.
package enum TypeText {
    /// Returns the name for use within a sentence: "steps", "active energy", "heart rate".
    package static func name(_ type: SampleType) -> String {
        names[type.name] ?? (type.name == type.identifier ? type.name : split(type.name))
    }

    /// Returns the name as a title: "Steps".
    package static func title(_ type: SampleType) -> String {
        let name = name(type)
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Returns an amount with its type: "8,214 steps", "5.21 km of walking and running".
    package static func amount(_ value: String, _ unit: String, of type: SampleType) -> String {
        if unit == "count" { return "\(value) \(name(type))" }
        return "\(value) \(unit) of \(name(type))"
    }

    private static let names = [
        "stepCount": "steps",
        "distanceWalkingRunning": "walking and running",
        "distanceCycling": "cycling",
        "distanceSwimming": "swimming",
        "distanceWheelchair": "wheelchair distance",
        "activeEnergyBurned": "active energy",
        "basalEnergyBurned": "resting energy",
        "dietaryEnergyConsumed": "dietary energy",
        "numberOfTimesFallen": "falls",
        "numberOfAlcoholicBeverages": "alcoholic drinks",
        "swimmingStrokeCount": "swimming strokes",
        "pushCount": "wheelchair pushes",
        "sleepAnalysis": "sleep",
        "bodyMass": "weight",
        "bodyMassIndex": "body mass index",
        "heartRateVariabilitySDNN": "heart rate variability",
        "vo2Max": "VO2 max",
        "appleExerciseTime": "exercise",
    ]

    /// Returns the words of a name in camel case: "resting heart rate" for "restingHeartRate".
    package static func split(_ name: String) -> String {
        var words = ""
        var previous: Character?
        for character in name {
            if character.isUppercase {
                let continues = previous?.isUppercase ?? true
                words += continues ? String(character) : " " + character.lowercased()
            } else {
                words.append(character)
            }
            previous = character
        }
        return words
    }
}

/// The number of decimal places for a unit. For most units it also depends on the largest of the
/// numbers shown together.
package enum UnitDigits {
    package static func digits(_ unit: String, largest: Double) -> Int {
        switch unit {
        case "count", "count/min", "kcal", "Cal", "mmHg", "ms", "min", "mL", "cm": return 0
        case "%": return 1
        default: return largest >= 1000 ? 0 : largest >= 20 ? 1 : 2
        }
    }
}

/// A reader's unit with the decimal places of a number. Percentages are scaled: HealthKit's 0.97 of "%"
/// is shown as 97.0.
package struct ReadableUnit {
    /// The unit's symbol: "km", "count/min".
    package var symbol: String
    package var digits: Int
    private let unit: DisplayUnit

    package init(_ unit: String, largest: Double) {
        self.unit = DisplayUnit(unit)
        symbol = self.unit.symbol
        digits = UnitDigits.digits(symbol, largest: largest * self.unit.factor)
    }

    /// Returns a value without the unit; "" for nil.
    package func text(_ value: Double?) -> String {
        value.map { NumberText.grouped(unit.displayed($0), digits: digits) } ?? ""
    }

    /// Returns a difference of two values without the unit: 1 degC is 1.8 °F.
    package func text(difference: Double) -> String {
        NumberText.grouped(difference * unit.factor, digits: digits)
    }

    /// Returns the value as a multiple of the last decimal place shown, not rounded: 521.4 for
    /// 5.214 with two places.
    package func scaled(_ value: Double) -> Double {
        unit.displayed(value) * (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    }

    package func text(scaled value: Double) -> String {
        NumberText.grouped(scaled: value, digits: digits)
    }
}
