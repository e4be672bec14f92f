package import HealthEngine

/// Words a person uses for a type.
package enum TypeWords {
    /// "steps", "active energy", "heart rate".
    package static func words(_ type: SampleType) -> String {
        usual[type.name] ?? (type.name == type.identifier ? type.name : split(type.name))
    }

    /// "Steps".
    package static func title(_ type: SampleType) -> String {
        let words = words(type)
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// An amount with what it is of: "8,214 steps", "5.21 km walked and run".
    package static func amount(_ value: String, _ unit: String, of type: SampleType) -> String {
        if unit == "count" { return "\(value) \(words(type))" }
        return "\(value) \(unit) of \(words(type))"
    }

    private static let usual = [
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

    /// "resting heart rate" of "restingHeartRate".
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

/// How many digits behind the point people want of a unit.
package enum UnitDigits {
    package static func digits(_ unit: String, largest: Double) -> Int {
        switch unit {
        case "count", "count/min", "kcal", "Cal", "mmHg", "ms", "min", "mL", "cm": return 0
        case "%": return 1
        default: return largest >= 1000 ? 0 : largest >= 20 ? 1 : 2
        }
    }
}

/// A quantity's values as people read them: HealthKit's 0.97 of "%" is 97.
package struct ReadableUnit {
    /// "km", "bpm".
    package var symbol: String
    package var digits: Int
    private var factor: Double

    package init(_ unit: String, largest: Double) {
        factor = unit == "%" ? 100 : 1
        symbol = unit
        digits = UnitDigits.digits(unit, largest: largest * factor)
    }

    package func text(_ value: Double?) -> String {
        value.map { NumberText.grouped($0 * factor, digits: digits) } ?? ""
    }

    /// The value in whole units of the last digit shown.
    package func scaled(_ value: Double) -> Double {
        value * factor * (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    }

    package func text(scaled value: Double) -> String {
        NumberText.grouped(scaled: value, digits: digits)
    }
}
