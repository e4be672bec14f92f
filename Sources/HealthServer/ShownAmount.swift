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

    /// Reads a day and its amount, in the type's display unit.
    static func parse(
        day: String, amount: String, of type: SampleType
    ) throws(Mistake) -> Calibration.Shown {
        try parse(day, amount, type.displayUnit == "count")
    }

    private static func parse(
        _ text: String, _ isWhole: Bool
    ) throws(Mistake) -> Calibration.Shown {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw mistake(text, "is no day with an amount; write 2024-03-10=8432.")
        }
        return try parse(parts[0], parts[1], isWhole)
    }

    private static func parse(
        _ date: String, _ amount: String, _ isWhole: Bool
    ) throws(Mistake) -> Calibration.Shown {
        let day: CivilDate
        do {
            day = try CivilDate(asked: date)
        } catch {
            throw mistake(date, error.words)
        }
        let digits = amount.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain =
            digits.count <= 2
            && digits.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) }
            }
        guard isPlain, amount.utf8.count <= 15, let value = Double(amount) else {
            throw mistake(
                amount,
                "is no amount: write it without separators and with a point, 8432 or 5.21.")
        }
        guard !isWhole || digits.count == 1 else {
            throw mistake(
                amount, "is no count: write it whole and without separators, 8432.")
        }
        return Calibration.Shown(day, value, digits: digits.count == 2 ? digits[1].utf8.count : 0)
    }

    private static func mistake(_ text: String, _ why: String) -> Mistake {
        Mistake(description: "“\(PrintableText.text(text))” \(why)")
    }
}
