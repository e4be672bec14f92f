import HealthEngine
import HealthStorage

extension WhyPage {
    /// What a person has typed of their Health app into the form of the page, as they typed it.
    public struct Typed: Codable, Sendable, Hashable {
        /// A day with what the app shows for it.
        public struct Row: Codable, Sendable, Hashable {
            /// "2024-03-10", or whatever was typed: `on=` in the address.
            public var day: String
            /// "8432": `shows=`.
            public var amount: String
            /// What is wrong with it, a sentence; nil where nothing is.
            public var problem: String?

            public init(day: String, amount: String, problem: String? = nil) {
                self.day = day
                self.amount = amount
                self.problem = problem
            }
        }

        /// Without those that are empty.
        public var rows: [Row]
        /// What is wrong with all of them together.
        public var problem: String?

        /// More days than that are not compared: each is counted by every setting that is tried.
        public static let mostRows = 14
        /// What is kept of a text that nobody types.
        private static let mostCharacters = 40

        public init(rows: [Row] = [], problem: String? = nil) {
            self.rows = rows
            self.problem = problem
        }

        /// The first amount belongs to the first day, and so on.
        ///
        /// ```swift
        /// WhyPage.Typed(days: ["2024-03-10", ""], amounts: ["8432", ""]).rows.count   // 1
        /// ```
        public init(days: [String], amounts: [String]) {
            rows = (0..<max(days.count, amounts.count)).map { index in
                Row(
                    day: index < days.count ? Typed.kept(days[index]) : "",
                    amount: index < amounts.count ? Typed.kept(amounts[index]) : "")
            }.filter { !$0.day.isEmpty || !$0.amount.isEmpty }
            if rows.count > Typed.mostRows {
                rows.removeLast(rows.count - Typed.mostRows)
                problem =
                    "A few days are enough: only the first \(Typed.mostRows) were taken."
            }
        }

        private static func kept(_ text: String) -> String {
            String(text.prefix { !$0.isNewline }.prefix(mostCharacters))
                .split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
    }
}

extension WhyPage.Typed.Row {
    /// The day and its amount.
    func parsed(
        of type: SampleType
    ) throws(ShownAmount.Mistake) -> Calibration.Shown {
        if day.isEmpty { throw .init(description: "Which day shows that? Choose it.") }
        if amount.isEmpty {
            throw .init(description: "What does your app show for this day? Type it.")
        }
        return try ShownAmount.parse(day: day, amount: amount, of: type)
    }
}
