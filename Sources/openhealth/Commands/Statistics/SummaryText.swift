import Foundation
import HealthDashboard
import HealthEngine

/// The text output of `summary`.
struct SummaryText {
    let page: SummaryPage
    let style: TerminalStyle

    var text: String {
        let parts = [highlights, tiles, totals, rings, night, workouts, legend, notices]
            .compactMap(\.self)
        return [page.sentence, page.provenance].compactMap(\.self).map { $0.printable.wrapped() }
            .joined(separator: "\n") + "\n\n" + parts.joined(separator: "\n")
    }

    /// What is new; nil if nothing is.
    private var highlights: String? {
        if page.highlights.isEmpty { return nil }
        return page.highlights.map { "• " + $0.sentence.printable }.map { $0.wrapped() + "\n" }
            .joined()
    }

    // MARK: - Tiles

    /// The maximum number of values in a sparkline, with which a row of the table fits 80 columns.
    private static let marks = 14

    private var tiles: String? {
        guard !page.tiles.isEmpty else { return nil }
        let name = page.period.rawValue
        var table = Table([
            .text("", maximumWidth: 24), .number(name), .text(""), .number("change"),
            .number("typical"),
            .text("last \(min(Self.marks, page.tiles[0].series.points.count)) \(name)s"),
        ])
        for tile in page.tiles { table.rows.append(row(tile)) }
        return table.text
    }

    private func row(_ tile: SummaryPage.Tile) -> [String] {
        let metric = tile.metric
        let largest = tile.series.points.compactMap(\.value).map(abs).max() ?? 0
        func number(_ value: Double) -> String {
            MetricText.number(value, of: metric, largest: largest)
        }
        let unit = MetricText.unit(of: metric)
        return [
            metric.displayName, tile.value.map(number) ?? "–",
            tile.value == nil ? "" : marked(unit, tile),
            change(tile, largest: largest),
            tile.typicalRange.map { "\(number($0.low))–\(number($0.high))" } ?? "",
            chart(tile, number),
        ]
    }

    /// Adds the mark of Apple's total to a unit.
    private func marked(_ unit: String, _ tile: SummaryPage.Tile) -> String {
        tile.appleTotal == nil ? unit : unit.isEmpty ? "*" : unit + " *"
    }

    /// The note on marked values; nil if there are none.
    private var totals: String? {
        let found = page.tiles.filter { $0.value != nil }.compactMap(\.appleTotal)
        if found.isEmpty { return nil }
        let provisional = found.contains(where: \.isProvisional)
        let text =
            page.period == .day
            ? "* Apple's total, larger than what was recorded"
            : "* with Apple's totals of days for which less was recorded"
        return text + (provisional ? "; provisional" : "") + "\n"
    }

    /// What is missing now, whatever the period; nil if nothing is.
    private var notices: String? {
        page.notices.map { $0.map { $0.printable.wrapped() + "\n" }.joined() }
    }

    /// Formats the change since the period before: "+1,204", "−2", "±0"; empty if one of the values
    /// is unknown.
    private func change(_ tile: SummaryPage.Tile, largest: Double) -> String {
        guard let value = tile.value, let before = tile.before else { return "" }
        func text(_ value: Double) -> String {
            MetricText.number(value, of: tile.metric, largest: largest)
        }
        let amount = text(abs(value - before))
        if amount == text(0) { return "±" + amount }
        return (value < before ? "−" : "+") + amount
    }

    /// Returns a sparkline and its range. Amounts start at zero, other metrics at their lowest
    /// value.
    private func chart(_ tile: SummaryPage.Tile, _ number: (Double) -> String) -> String {
        let values = tile.series.points.suffix(Self.marks).map(\.value)
        let found = values.compactMap(\.self)
        guard let minimum = found.min(), let maximum = found.max() else { return "" }
        let low = tile.metric.kind == .amount ? 0 : minimum
        return Sparkline.text(values, from: low, to: maximum) + " \(number(low))–\(number(maximum))"
    }

    // MARK: - Rings, night and workouts

    private var rings: String? {
        guard let rings = page.rings else { return page.ringDays.map(text) }
        func ring(_ name: String, _ ring: ActivityRings.Ring, _ unit: String) -> String {
            let goal = ring.goal.map { " of \(NumberText.grouped($0))" } ?? ""
            return "\(name) \(NumberText.grouped(ring.value))\(goal) \(unit)"
        }
        let parts = [
            ring("move", rings.move, rings.isMoveTime ? "min" : "kcal"),
            ring("exercise", rings.exercise, "min"), ring("stand", rings.stand, "h"),
        ]
        return "Rings: \(parts.joined(separator: " · "))\n"
    }

    private func text(_ rings: RingDays) -> String {
        func ring(_ name: String, _ ring: RingDays.Ring, _ unit: String) -> String {
            "\(name) \(NumberText.grouped(ring.average)) \(unit), closed \(ring.closed)×"
        }
        let parts = [
            ring("move", rings.move, rings.isMoveTime ? "min" : "kcal"),
            ring("exercise", rings.exercise, "min"), ring("stand", rings.stand, "h"),
        ]
        return "Rings, average of \(counted(rings.days, "day", "days")): ".appending(
            parts.joined(separator: " · ")
        ).wrapped() + "\n"
    }

    private var night: String? {
        guard let night = page.night else {
            return page.nights.map { nights in
                "Sleep: \(NumberText.hours(nights.asleep)) h a night on average, "
                    + "\(NumberText.hours(nights.shortest))–\(NumberText.hours(nights.longest)) · "
                    + counted(nights.nights, "night", "nights") + "\n"
            }
        }
        let names: [(SleepStage, String)] = [
            (.deep, "deep"), (.rem, "REM"), (.core, "core"), (.asleep, "unspecified"),
            (.awake, "awake"),
        ]
        let stages = names.compactMap { stage, name -> String? in
            let seconds = night.seconds(stage)
            return seconds > 0 ? "\(name) \(NumberText.hours(seconds))" : nil
        }
        let naps = night.naps.isEmpty ? [] : ["plus " + counted(night.naps.count, "nap", "naps")]
        let asleep =
            night.asleep.map { "\(NumberText.hours($0)) h asleep" } ?? "time asleep unknown"
        let inBed = night.inBed.map { ["in bed \(NumberText.hours($0))"] } ?? []
        let parts = [asleep] + stages + inBed + naps
        return ("Sleep: " + parts.joined(separator: " · ")).wrapped() + "\n"
    }

    private var workouts: String? {
        guard !page.workouts.isEmpty else { return nil }
        let lines = page.workouts.prefix(5).map { workout in
            let distance = workout.distance.map {
                " · \(NumberText.grouped($0 / 1000, digits: 2)) km"
            }
            let energy = workout.energy.map { " · \(NumberText.grouped($0)) kcal" }
            return "Workout: \(workout.activity.printable) \(NumberText.hours(workout.duration)) h"
                + "\(distance ?? "")\(energy ?? "") · \(workout.source.printable)\n"
        }
        let more = page.workouts.count - lines.count
        return lines.joined()
            + (more > 0 ? "and \(counted(more, "more workout", "more workouts"))\n" : "")
    }

    private var legend: String? {
        guard page.tiles.contains(where: { $0.typicalRange != nil }) else { return nil }
        let name = page.period.rawValue
        let text =
            "change: from the \(name) before · "
            + "typical: 10th–90th percentile, last \(page.period.compared) \(name)s"
        return style.quiet(text) + "\n"
    }
}
