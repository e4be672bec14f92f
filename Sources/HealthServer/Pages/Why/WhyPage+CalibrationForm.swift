import HealthDashboard
package import HealthEngine
package import HealthStorage

extension WhyPage {
    /// The rows of the calibration form, as entered.
    package struct CalibrationForm: Codable, Sendable, Hashable {
        /// A day and the amount that the Health app shows.
        package struct Row: Codable, Sendable, Hashable {
            /// The day as entered, such as "2024-03-10": `on=` in the address.
            package var day: String
            /// The amount as entered, such as "8432": `shows=` in the address.
            package var amount: String
            /// An error message for the row; nil if there is none.
            package var problem: String?

            package init(day: String, amount: String, problem: String? = nil) {
                self.day = day
                self.amount = amount
                self.problem = problem
            }
        }

        /// The rows that aren't empty, at most ``maximumRows``.
        package var rows: [Row]
        /// An error message that isn't about a single row; nil if there is none.
        package var problem: String?

        /// The maximum number of rows. It bounds the work, since each tried setting is computed for
        /// each day.
        package static let maximumRows = 14
        /// The maximum number of characters of a day or an amount as entered. The rest is cut off.
        private static let maximumCharacters = 40

        package init(rows: [Row] = [], problem: String? = nil) {
            self.rows = rows
            self.problem = problem
        }

        /// Creates rows by pairing days and amounts by position. Empty rows are dropped. Of more
        /// than ``maximumRows`` rows only the first are kept, with a message in ``problem``.
        ///
        /// ```swift
        /// WhyPage.CalibrationForm(days: ["2024-03-10", ""], amounts: ["8432", ""]).rows.count   // 1
        /// ```
        /// - Parameters:
        ///   - days: The days as entered.
        ///   - amounts: The amounts as entered.
        package init(days: [String], amounts: [String]) {
            rows = (0..<max(days.count, amounts.count)).map { index in
                Row(
                    day: index < days.count ? CalibrationForm.truncated(days[index]) : "",
                    amount: index < amounts.count ? CalibrationForm.truncated(amounts[index]) : "")
            }.filter { !$0.day.isEmpty || !$0.amount.isEmpty }
            if rows.count > CalibrationForm.maximumRows {
                rows.removeLast(rows.count - CalibrationForm.maximumRows)
                problem =
                    "Only the first \(CalibrationForm.maximumRows) days were used."
            }
        }

        private static func truncated(_ text: String) -> String {
            String(text.prefix { !$0.isNewline }.prefix(maximumCharacters))
                .split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
    }
}

extension WhyPage.CalibrationForm.Row {
    /// Parses the row.
    ///
    /// - Parameter type: The type of the amount, which is in the type's display unit.
    /// - Throws: ``DisplayedTotalParser/ParseError`` if a field is empty or invalid.
    func parsed(
        of type: SampleType
    ) throws(DisplayedTotalParser.ParseError) -> Calibration.DisplayedTotal {
        if day.isEmpty { throw .init(description: "The day is missing. Choose it.") }
        if amount.isEmpty {
            throw .init(description: "The amount is missing. Enter the number in the Health app.")
        }
        return try DisplayedTotalParser.parse(day: day, amount: amount, of: type)
    }
}

/// Parses days with the amounts that the Health app shows, such as "2024-03-10=8432".
package enum DisplayedTotalParser {
    /// An error in a pair.
    package struct ParseError: Error, Hashable, CustomStringConvertible {
        /// The message for the user.
        package var description: String
    }

    /// Parses pairs of day and amount.
    ///
    /// - Parameters:
    ///   - texts: The pairs, such as "2024-03-10=8432".
    ///   - type: The type of the amounts.
    ///   - unit: The unit of the amounts; nil for the type's display unit. Counts must be whole
    ///     numbers.
    /// - Returns: The days and amounts, in the same order.
    /// - Throws: ``ParseError`` for the first invalid text, for example an invalid date, or an amount
    ///   with a sign or a thousands separator.
    package static func parse(
        _ texts: [String], of type: SampleType, unit: String? = nil
    ) throws(ParseError) -> [Calibration.DisplayedTotal] {
        let isWhole = (unit ?? type.displayUnit) == "count"
        var shown: [Calibration.DisplayedTotal] = []
        for text in texts { shown.append(try parse(text, isWhole)) }
        return shown
    }

    /// Parses a day and its amount, which is in the type's display unit.
    static func parse(
        day: String, amount: String, of type: SampleType
    ) throws(ParseError) -> Calibration.DisplayedTotal {
        try parse(day, amount, type.displayUnit == "count")
    }

    private static func parse(
        _ text: String, _ isWhole: Bool
    ) throws(ParseError) -> Calibration.DisplayedTotal {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw parseError(text, "is not a day with an amount. Use the form 2024-03-10=8432.")
        }
        return try parse(parts[0], parts[1], isWhole)
    }

    private static func parse(
        _ date: String, _ amount: String, _ isWhole: Bool
    ) throws(ParseError) -> Calibration.DisplayedTotal {
        let day: CivilDate
        do {
            day = try CivilDate(validating: date)
        } catch {
            throw parseError(date, error.reason)
        }
        let digits = amount.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain =
            digits.count <= 2
            && digits.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) }
            }
        guard isPlain, amount.utf8.count <= 15, let value = Double(amount) else {
            throw parseError(
                amount,
                "is not an amount. Use digits and a decimal point, for example 8432 or 5.21.")
        }
        guard !isWhole || digits.count == 1 else {
            throw parseError(
                amount, "is not a whole number. Use digits only, for example 8432.")
        }
        return Calibration.DisplayedTotal(
            day, value, digits: digits.count == 2 ? digits[1].utf8.count : 0)
    }

    private static func parseError(_ text: String, _ why: String) -> ParseError {
        ParseError(description: "“\(PrintableText.text(text))” \(why)")
    }
}
