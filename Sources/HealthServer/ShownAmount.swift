import HealthDashboard
public import HealthEngine
public import HealthStorage

/// A day with what the Health app shows for it, as somebody types them: "2024-03-10=8432".
public enum ShownAmount {
    /// Why a text is no day with an amount.
    public struct Mistake: Error, Hashable, CustomStringConvertible {
        /// A sentence for the one who typed it.
        public var description: String
    }

    /// Reads days with amounts.
    ///
    /// - Parameter unit: The unit of the amounts; nil for the type's display unit. What is counted
    ///   has no fraction.
    /// - Throws: What is wrong with the first text that is none: separators, a sign, a bad date.
    public static func parse(
        _ texts: [String], of type: SampleType, unit: String? = nil
    ) throws(Mistake) -> [Calibration.Shown] {
        let isWhole = (unit ?? type.displayUnit) == "count"
        var shown: [Calibration.Shown] = []
        for text in texts { shown.append(try parse(text, isWhole)) }
        return shown
    }

    private static func parse(
        _ text: String, _ isWhole: Bool
    ) throws(Mistake) -> Calibration.Shown {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw mistake(text, "is no day with an amount; write 2024-03-10=8432.")
        }
        guard let day = CivilDate(parts[0]) else {
            throw mistake(parts[0], "is no date: write 2024-03-10.")
        }
        let digits = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        let isPlain =
            digits.count <= 2
            && digits.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) }
            }
        guard isPlain, parts[1].utf8.count <= 15, let value = Double(parts[1]) else {
            throw mistake(
                parts[1],
                "is no amount: write it without separators and with a point, 8432 or 5.21.")
        }
        guard !isWhole || digits.count == 1 else {
            throw mistake(
                parts[1], "is no count: write it whole and without separators, 8432.")
        }
        return Calibration.Shown(day, value, digits: digits.count == 2 ? digits[1].utf8.count : 0)
    }

    private static func mistake(_ text: String, _ why: String) -> Mistake {
        Mistake(description: "“\(PrintableText.text(text))” \(why)")
    }
}
