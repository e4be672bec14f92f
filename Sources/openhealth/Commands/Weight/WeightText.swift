import ArgumentParser
import Foundation
import HealthDashboard
import HealthEngine
import OpenHealthKit

/// A unit of body weight.
enum WeightUnit: String, Sendable, CaseIterable, ExpressibleByArgument {
    case kilogram = "kg"
    case pound = "lb"
    case stone = "st"

    /// Creates the unit from a HealthKit unit; kilograms unless it is pounds or stones.
    init(_ unit: HKUnit?) {
        self = unit.flatMap { WeightUnit(rawValue: $0.unitString) } ?? .kilogram
    }

    var unit: HKUnit {
        switch self {
        case .kilogram: .gramUnit(with: .kilo)
        case .pound: .pound()
        case .stone: .stone()
        }
    }

    /// Converts a mass in kilograms to this unit.
    func value(_ kilograms: Double) -> Double {
        HKQuantity(unit: WeightUnit.kilogram.unit, doubleValue: kilograms).doubleValue(for: unit)
    }
}

/// A weight as entered, in its unit.
struct WeightAmount: Hashable, Sendable {
    var value: Double
    var unit: WeightUnit

    var kilograms: Double {
        HKQuantity(unit: unit.unit, doubleValue: value).doubleValue(for: WeightUnit.kilogram.unit)
    }
}

/// Parses and formats weights.
enum WeightText {
    /// Parses "82.4kg", "82,4 kg", "181.7 lb", "12st 13.5lb", "82.4".
    ///
    /// - Parameters:
    ///   - text: The weight as entered.
    ///   - defaultUnit: The unit of a number without a unit.
    /// - Throws: ``UsageError`` for an invalid weight, or one that isn't above 0 and below 1,000
    ///   kg.
    static func amount(_ text: String, in defaultUnit: WeightUnit) throws -> WeightAmount {
        let parts = try parts(text)
        let amount: WeightAmount
        switch (parts.first, parts.dropFirst().first, parts.count) {
        case ((let value, let unit)?, nil, 1):
            amount = WeightAmount(value: value, unit: unit ?? defaultUnit)
        case ((let stones, .stone?)?, (let pounds, .pound?)?, 2)
        where stones == stones.rounded() && (0..<14).contains(pounds):
            amount = WeightAmount(value: stones + pounds / 14, unit: .stone)
        default: throw noWeight(text)
        }
        guard amount.kilograms > 0, amount.kilograms < 1000 else {
            throw UsageError("A weight must be more than 0 and less than 1,000 kg.")
        }
        return amount
    }

    private static func parts(_ text: String) throws -> [(Double, WeightUnit?)] {
        var rest = Substring(text.lowercased().replacing("−", with: "-"))
        var parts: [(Double, WeightUnit?)] = []
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.isEmpty { break }
            let number = rest.prefix { $0.isASCII && ($0.isNumber || ".,-+".contains($0)) }
            rest = rest.dropFirst(number.count).drop(while: \.isWhitespace)
            let word = rest.prefix(while: \.isLetter)
            rest = rest.dropFirst(word.count)
            guard !number.isEmpty, word.isEmpty || words[String(word)] != nil else {
                throw noWeight(text)
            }
            parts.append((try value(number, of: text), words[String(word)]))
        }
        return parts
    }

    private static func value(_ number: Substring, of text: String) throws -> Double {
        let pieces = number.split(separator: ",", omittingEmptySubsequences: false)
        // "1,234" may have a decimal comma or a thousands separator.
        if pieces.count == 2, pieces[1].count == 3, !number.contains(".") {
            throw UsageError("“\(number)” is ambiguous. Use a decimal point.")
        }
        let plain = number.replacing(",", with: ".")
        guard plain.filter({ $0 == "." }).count <= 1, plain.last != ".", let value = Double(plain),
            value.isFinite
        else { throw noWeight(text) }
        return value
    }

    private static func noWeight(_ text: String) -> UsageError {
        UsageError("Unknown weight “\(text.printable)”. Use 82.4kg, 181.7lb or 12st 13lb.")
    }

    private static let words: [String: WeightUnit] = [
        "kg": .kilogram, "kgs": .kilogram, "kilo": .kilogram, "kilos": .kilogram,
        "kilogram": .kilogram, "kilograms": .kilogram, "lb": .pound, "lbs": .pound,
        "pound": .pound, "pounds": .pound, "st": .stone, "stone": .stone, "stones": .stone,
    ]

    /// From this number of stones on, doubles aren't exact enough for the rest in pounds.
    private static let maximumStones = 1e9

    /// Formats a weight: "82.4 kg", "181.7 lb", "12 st 13.5 lb".
    static func text(_ kilograms: Double, in unit: WeightUnit) -> String {
        guard kilograms.isFinite else { return "not a mass" }
        let stones = WeightUnit.stone.value(abs(kilograms))
        guard unit == .stone, stones < maximumStones else {
            // Stones above the limit are shown like the other units, with one decimal.
            return NumberText.grouped(unit.value(kilograms), digits: 1) + " " + unit.rawValue
        }
        let tenths = Int(clamping: (WeightUnit.pound.value(abs(kilograms)) * 10).rounded())
        let sign = kilograms < 0 && tenths > 0 ? "-" : ""
        let pounds = NumberText.grouped(scaled: Double(tenths % 140), digits: 1) + " lb"
        let whole = NumberText.grouped(Double(tenths / 140))
        return sign + (tenths < 140 ? pounds : "\(whole) st \(pounds)")
    }

    /// Formats a weight without its unit: "82.4". Stones keep their units: "12 st 13.5 lb".
    static func number(_ kilograms: Double, in unit: WeightUnit) -> String {
        guard kilograms.isFinite else { return "–" }
        if unit == .stone { return text(kilograms, in: unit) }
        let text = NumberText.grouped(unit.value(kilograms), digits: 1)
        return text == "-0.0" ? "0.0" : text
    }

    /// Formats a height: "182 cm", or "5 ft 11.5 in" if the unit of weight isn't kilograms.
    static func height(_ meters: Double, beside unit: WeightUnit) -> String {
        if unit == .kilogram { return NumberText.grouped(meters * 100) + " cm" }
        let halves = (meters / 0.0254 * 2).rounded()
        let feet = (halves / 24).rounded(.towardZero)
        let rest = halves.truncatingRemainder(dividingBy: 24)
        return "\(NumberText.grouped(feet)) ft " + NumberText.shortest(rest / 2) + " in"
    }
}
