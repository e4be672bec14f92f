import Foundation
import HealthEngine

/// The first line of a summary: the steps and the day. Without steps, it has the first tile with a
/// value, or says that there is no data.
struct SummarySentence {
    let page: SummaryPage
    let context: PageContext

    var text: String {
        if let steps = page.tiles.first(where: { $0.metric == .steps }), let value = steps.value {
            return "\(steps.text)\(when)\(goal(value))"
        }
        guard let tile = page.tiles.first(where: { $0.value != nil }) else {
            return "No data\(when). Either nothing was recorded, or reading is not allowed; the "
                + "system doesn't report which."
        }
        let name = tile.metric.displayName
        return "\(name.prefix(1).uppercased() + name.dropFirst()) \(tile.text)\(when)"
    }

    /// The sources and duplicates: "Watch 6,120 · iPhone 2,094 · 5,377 duplicates removed". The rounded
    /// contributions add up to the rounded total. Sources that contribute nothing are omitted. Nil
    /// without steps of a day.
    var provenance: String? {
        let tile = page.tiles.first { $0.metric == .steps }
        if let total = page.steps?.appleTotal ?? (page.period == .day ? tile?.appleTotal : nil) {
            return "\(total.label); \(NumberText.grouped(total.own)) recorded"
        }
        if page.period != .day {
            return tile.flatMap { AppleTotalText.label($0.appleTotal, in: page.period.step) }
        }
        guard let steps = page.steps, let value = steps.value, !steps.shares.isEmpty else {
            return nil
        }
        let total = value.rounded()
        let counted = NumberText.apportioned(steps.shares.map(\.counted), to: total)
        var parts = zip(steps.shares, counted).filter { $0.0.counted != 0 }.map { share, count in
            "\(PrintableText.name(share.source)) " + NumberText.grouped(scaled: count, digits: 0)
        }
        let more = (value + steps.duplicates).rounded() - total
        if more > 0 {
            parts.append("\(NumberText.grouped(scaled: more, digits: 0)) duplicates removed")
        }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    private var when: String { page.period.label(from: page.day, today: context.today) }

    private func goal(_ value: Double) -> String {
        guard page.period == .day, let goal = page.stepGoal, goal > 0 else { return "" }
        let share = NumberText.grouped((value / goal * 100).rounded(.down))
        return "; \(share) % of the goal of \(NumberText.grouped(goal))"
    }
}
