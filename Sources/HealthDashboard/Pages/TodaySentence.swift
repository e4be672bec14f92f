import Foundation
import HealthEngine

/// The first line of a Today page.
///
/// For a day it has the steps, their sources and the duplicates. For a week or month it has the
/// steps and those of the period before. Without steps, it has the first tile with a value, or says
/// that there is no data.
struct TodaySentence {
    let page: TodayPage
    let context: PageContext

    var text: String {
        if let steps = page.tiles.first(where: { $0.metric == .steps }), let value = steps.value {
            return text(of: steps, value) + "."
        }
        guard let tile = page.tiles.first(where: { $0.value != nil }) else {
            return "No data \(when). Either nothing was recorded, or reading is not allowed; the "
                + "system doesn't report which."
        }
        return "No steps \(when); \(tile.metric.displayName): \(tile.text)."
    }

    private func text(of tile: TodayPage.Tile, _ value: Double) -> String {
        guard page.period == .day else {
            let label = AppleTotalText.label(tile.appleTotal, in: page.period.step)
            return "\(tile.text) \(when), without double counting\(before(tile))"
                + (label.map { "; \($0)" } ?? "")
        }
        if let total = page.steps?.appleTotal ?? tile.appleTotal {
            return "\(tile.text) \(when)\(goal(value)). \(total.label)"
                + "; \(NumberText.grouped(total.own)) recorded"
        }
        return "\(tile.text) \(when)\(goal(value))\(origin)"
    }

    private var when: String {
        switch page.period {
        case .day: context.label(for: page.day)
        case .week: "in the week from \(DateText.long(page.day.description))"
        case .month: "in \(DateText.month(page.day.description))"
        }
    }

    /// The sources and duplicates: ". Watch 6,120 · iPhone 2,094 · 5,377 duplicates removed". The
    /// rounded contributions add up to the rounded total. Sources that contribute nothing are
    /// omitted.
    private var origin: String {
        guard let steps = page.steps, let value = steps.value, !steps.shares.isEmpty else {
            return ""
        }
        let total = value.rounded()
        let counted = NumberText.apportioned(steps.shares.map(\.counted), to: total)
        var parts = zip(steps.shares, counted).filter { $0.0.counted != 0 }.map { share, count in
            "\(PrintableText.name(share.source)) "
                + NumberText.grouped(scaled: count, digits: 0)
        }
        let more = (value + steps.duplicates).rounded() - total
        if more > 0 {
            parts.append("\(NumberText.grouped(scaled: more, digits: 0)) duplicates removed")
        }
        return parts.isEmpty ? "" : ". " + parts.joined(separator: " · ")
    }

    private func goal(_ value: Double) -> String {
        guard let goal = page.stepGoal, goal > 0 else { return "" }
        let share = NumberText.grouped((value / goal * 100).rounded(.down))
        return ", \(share) % of the goal of \(NumberText.grouped(goal))"
    }

    private func before(_ tile: TodayPage.Tile) -> String {
        guard let before = tile.before else { return "" }
        return "; \(NumberText.grouped(before)) in the \(page.period.rawValue) before"
    }
}
