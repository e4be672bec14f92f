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
    /// by time. The rounded numbers of a source add up to its contribution. Empty without sources.
    func dayPartTable(_ calendar: Calendar) -> HTML {
        let rows = sources.filter { !$0.counted.isEmpty }
        let starts = Self.dayParts.compactMap { calendar.moment(minute: $0.hour * 60, of: day) }
        guard !rows.isEmpty, starts.count == Self.dayParts.count else { return .empty }
        let unit = ReadableUnit(self.unit, largest: naive)
        let totals = NumberText.apportioned(
            sources.map { unit.scaled($0.contributed) }, to: unit.scaled(merged).rounded())
        let totalByRank = Dictionary(zip(sources.map(\.rank), totals)) { first, _ in first }
        let ends = starts.dropFirst() + [interval.end]
        let heads = Self.dayParts.enumerated().map { index, part -> HTML in
            let next = index + 1 < Self.dayParts.count ? Self.dayParts[index + 1].hour : 24
            let hours =
                "\(DateText.clock(hour: part.hour, minute: 0))–"
                + DateText.clock(hour: next % 24, minute: 0)
            return "<th scope=\"col\" class=\"n\">\(part.name)<br/>\(hours)</th>"
        }
        let lines = rows.map { row -> HTML in
            let amounts = zip(starts, ends).map { start, end in
                row.counted.reduce(0) { $0 + $1.amount(from: start, to: end) }
            }
            let rounded = NumberText.apportioned(
                amounts.map(unit.scaled), to: totalByRank[row.rank] ?? 0)
            let cells = zip(amounts, rounded).map { amount, rounded -> HTML in
                "<td class=\"n\">\(amount > 0 ? unit.text(scaled: rounded) : "–")</td>"
            }
            return """
                <tr><th scope="row">\(SourceColour.key(row.rank, row.source))</th>\(cells)</tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Counted, \(unitLabel)</th>\(heads)\
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
