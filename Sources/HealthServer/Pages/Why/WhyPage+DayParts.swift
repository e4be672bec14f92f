import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension WhyPage {
    /// The parts of a day and the hours at which they begin.
    private static let dayParts: [(name: HTML, hour: Int)] = [
        ("Night", 0), ("Morning", 6), ("Afternoon", 12), ("Evening", 18),
    ]

    /// A table of what each source counted in each part of the day. An interval over a boundary is divided
    /// by time. Empty without sources.
    func dayPartTable(_ calendar: Calendar) -> HTML {
        let rows = sources.filter { !$0.counted.isEmpty }
        let starts = Self.dayParts.compactMap { calendar.moment(minute: $0.hour * 60, of: day) }
        guard !rows.isEmpty, starts.count == Self.dayParts.count else { return .empty }
        let unit = ChartUnit(metric, largest: naive)
        let ends = starts.dropFirst() + [interval.end]
        let heads = Self.dayParts.enumerated().map { index, part -> HTML in
            let next = index + 1 < Self.dayParts.count ? Self.dayParts[index + 1].hour : 24
            let hours =
                "\(DateText.clock(hour: part.hour, minute: 0))–"
                + DateText.clock(hour: next % 24, minute: 0)
            return "<th scope=\"col\" class=\"n\">\(part.name)<br/>\(hours)</th>"
        }
        let lines = rows.map { row -> HTML in
            let cells = zip(starts, ends).map { start, end -> HTML in
                let amount = row.counted.reduce(0) { $0 + $1.amount(from: start, to: end) }
                return "<td class=\"n\">\(amount > 0 ? unit.text(amount) : "–")</td>"
            }
            return """
                <tr><th scope="row">\(SourceColour.key(row.rank, row.source))</th>\(cells)</tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Counted, \(unit.symbol)</th>\(heads)\
            </tr></thead><tbody>\(lines)</tbody></table></div>
            """
    }
}

extension WhyPage.Counted {
    /// Returns the share of the amount from a time to another. An instant is in one of them as a whole.
    fileprivate func amount(from first: Date, to last: Date) -> Double {
        guard end > start else { return first <= start && start < last ? value : 0 }
        let shared = min(end, last).timeIntervalSince(max(start, first))
        return shared > 0 ? value * shared / end.timeIntervalSince(start) : 0
    }
}
