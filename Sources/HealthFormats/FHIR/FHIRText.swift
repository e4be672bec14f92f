import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// Texts and numbers as FHIR's data types allow them.
enum FHIRText {
    /// Returns a text without surrounding white space, and with U+FFFD for control characters; nil
    /// if nothing remains.
    static func string(_ text: String?) -> String? {
        guard let text else { return nil }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            result.append(
                isControl && !"\t\n\r".unicodeScalars.contains(scalar) ? "\u{FFFD}" : scalar)
        }
        let trimmed = String(result).trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Returns a text as a code, which has no white space except for single spaces inside.
    static func code(_ text: String) -> String {
        let words = (string(text) ?? "").split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? "unknown" : words.joined(separator: " ")
    }

    /// Returns the words of a Swift name: "Heart rate variability SDNN" for
    /// "heartRateVariabilitySDNN".
    static func words(_ name: String) -> String {
        var words: [String] = []
        var current = ""
        for character in name {
            let wasLower = current.last.map { $0.isLowercase || $0.isNumber } ?? false
            if character.isUppercase, wasLower {
                words.append(current)
                current = ""
            }
            current.append(character)
        }
        words.append(current)
        let sentence = words.enumerated().map { index, word in
            if index == 0 { return word.prefix(1).uppercased() + word.dropFirst() }
            return word.count > 1 && word.allSatisfy { !$0.isLowercase } ? word : word.lowercased()
        }
        return sentence.joined(separator: " ")
    }

    /// Removes the rounding errors of a unit conversion: 13 significant digits, if that changes the
    /// value by four units in the last place at most.
    static func settled(_ value: Double) -> Double {
        guard value.isFinite, let rounded = Double(String(format: "%.12e", value)),
            (rounded - value).magnitude <= 4 * value.ulp
        else { return value }
        return rounded
    }
}

extension CalendarBuckets {
    /// Returns a time as FHIR's `dateTime` and `instant`; nil outside the years 1 to 9999.
    func fhirTime(_ time: Double) -> String? {
        // A day less at both ends, because the local time can be in another year.
        guard time >= -63_113_817_600, time < 252_423_907_200 else { return nil }
        return text(time)
    }
}

extension JSONText {
    /// A concept with codings of a system each.
    static func concept(_ codings: [(system: String, code: String)], _ text: String?) -> JSONText {
        .object([
            "coding": codings.isEmpty
                ? nil
                : .array(
                    codings.map {
                        .object(["system": .string($0.system), "code": .string($0.code)])
                    }),
            "text": text.map(JSONText.string),
        ])
    }
}

extension JSONText {
    /// The code of a measure of this project.
    static func measure(_ measure: FHIRMeasure) -> JSONText {
        .concept([(FHIRSystem.measure, measure.rawValue)], measure.text)
    }
}
