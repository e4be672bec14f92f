import HealthCalendar
import HealthDashboard
import HealthEngine
package import HealthStorage

extension DataQualityPage {
    /// How the merged sums of a type agree with Apple's totals, in percent only.
    package struct ComparedType: Codable, Sendable, Hashable {
        /// The display name of the type.
        package var type: String
        /// The number of compared days.
        package var days: Int
        /// The share of days that differ by at most 0.5 %.
        package var within05: Double
        /// The share of days that differ by at most 3 %.
        package var within3: Double
        /// The average of the absolute differences, as a share of Apple's total.
        package var mean: Double
        /// The largest difference with its sign, as a share of Apple's total.
        package var worst: Double

        /// Creates the summary of a comparison; nil if no day was compared.
        package init?(_ comparison: TotalsComparison) {
            guard let within05 = comparison.share(within: 0.005),
                let within3 = comparison.share(within: 0.03),
                let mean = comparison.meanDifference, let worst = comparison.worstDifference
            else { return nil }
            type = TypeText.name(comparison.type)
            days = comparison.days.count
            self.within05 = within05
            self.within3 = within3
            self.mean = mean
            self.worst = worst
        }

        /// Compares all types with totals; nil if no day can be compared.
        static func all(
            of store: SampleStore, in calendar: CalendarBuckets, now: Double
        ) throws -> [ComparedType]? {
            var rules = StatisticsRules()
            rules.horizon = now
            let compared = try store.typesWithReceivedTotals().compactMap { type in
                try store.totalsComparison(of: type, in: calendar, rules: rules)
                    .flatMap { ComparedType($0) }
            }
            return compared.isEmpty ? nil : compared
        }
    }

    /// The table of the comparison; empty without one.
    func comparisonTable(_ frame: PageFrame) -> HTML {
        guard let comparison else { return .empty }
        let head = ["days", "within 0.5 %", "within 3 %", "mean", "worst"].map { title -> HTML in
            "<th scope=\"col\" class=\"n\">\(title)</th>"
        }
        let rows = comparison.map { row -> HTML in
            let cells = [
                String(row.days), PercentText.share(row.within05), PercentText.share(row.within3),
                PercentText.difference(row.mean, signed: .never),
                PercentText.difference(row.worst, signed: .always),
            ].map { cell -> HTML in "<td class=\"n\">\(cell)</td>" }
            return "<tr><th scope=\"row\">\(row.type.capitalizedFirst)</th>\(cells)</tr>\n"
        }
        let worst: HTML? =
            frame.audience == .person
            ? nil
            : " Worst days: <code>openhealth sources calibrate --from-totals</code>"
        return """
            <p>The totals of whole days that a phone computed, beside the totals here.</p>\
            <div class="scroll"><table><thead><tr><th scope="col">Type</th>\(head)</tr></thead>\
            <tbody>\(rows)</tbody></table></div>\
            <p class="small">Differences of the totals here from the phone’s.\(worst)</p>
            """
    }
}

/// Shares and differences in percent.
package enum PercentText {
    package enum Sign { case always, never }

    /// Returns a share of days: "97 %". Only all days are "100 %".
    package static func share(_ share: Double) -> String {
        let percent = (share * 100).rounded()
        return NumberText.grouped(share < 1 ? min(percent, 99) : percent) + " %"
    }

    /// Returns a difference with one decimal place: "+0.4 %", "−12.0 %", "0.0 %".
    package static func difference(_ difference: Double, signed sign: Sign) -> String {
        let text = NumberText.grouped(abs(difference) * 100, digits: 1)
        let isZero = text.allSatisfy { !$0.isNumber || $0 == "0" }
        if sign == .never || isZero { return text + " %" }
        return (difference < 0 ? "−" : "+") + text + " %"
    }
}
