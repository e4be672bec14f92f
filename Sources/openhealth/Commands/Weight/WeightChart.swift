import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// A text chart of weights: a dot for each measured day, and a line for the trend. If several days
/// fall into a column, they share a dot. The line is dashed over gaps of up to a week, and
/// interrupted over longer ones.
struct WeightChart {
    /// The number of rows. It is one more than a multiple of 2, 3 and 4, so that three to five
    /// ticks are evenly spaced.
    private static let rows = 13
    private static let gap: Character = "╌"

    var days: [WeightSeries.Day]
    /// The first and the last day shown, as days since 1 January 2001.
    var span: ClosedRange<Int>
    var unit: WeightUnit
    var style: TerminalStyle
    /// The width of the chart with its labels, in terminal columns.
    var width: Int

    private struct Point {
        var column: Int
        var days: ClosedRange<Int>
        var average: Double
        var trend: Double
        var isOwn: Bool
    }

    private enum Cell {
        case empty, trend(Character), own, other

        var isDrawn: Bool { if case .empty = self { false } else { true } }
    }

    var text: String {
        let shown = days.filter { span.contains($0.number) }
        guard !shown.isEmpty else { return "" }
        let values = shown.flatMap { [$0.average, $0.trend] }.map(unit.value)
        let scale = WeightScale(values)
        let labels = scale.ticks.map(scale.label)
        let margin = (labels.map(\.count).max() ?? 0) + 2
        let plot = max(20, width - margin)
        let points = points(shown, plot)
        var cells = [[Cell]](
            repeating: [Cell](repeating: .empty, count: plot), count: Self.rows)
        draw(points, scale, &cells)
        let isBroken = zip(points, points.dropFirst()).contains {
            joint($0, $1, plot) == Self.gap
        }
        var lines = [unit.rawValue.padded(to: margin - 2, .right)]
        for row in 0..<Self.rows {
            let tick = scale.ticks.firstIndex { scale.row($0, of: Self.rows) == row }
            let label = (tick.map { labels[$0] } ?? "").padded(to: margin - 2, .right)
            lines.append(label + (tick == nil ? " │" : " ┤") + drawn(cells[row]))
        }
        lines += axis(plot, margin)
        lines.append("")
        lines.append(String(repeating: " ", count: margin) + legend(shown, isBroken: isBroken))
        return lines.map { $0.trimmedAtEnd + "\n" }.joined()
    }

    // MARK: - Points

    private func column(_ day: Int, _ plot: Int) -> Int {
        let length = span.upperBound - span.lowerBound
        guard length > 0 else { return plot / 2 }
        return (day - span.lowerBound) * (plot - 1) / length
    }

    /// Returns one point for each column with weights. The averages of days in the same column are
    /// averaged again, and the trend is that of the last day.
    private func points(_ days: [WeightSeries.Day], _ plot: Int) -> [Point] {
        var points: [Point] = []
        var count = 0.0
        for day in days {
            let column = column(day.number, plot)
            if var last = points.last, last.column == column {
                count += 1
                last.average += (day.average - last.average) / count
                last.trend = day.trend
                last.isOwn = last.isOwn && day.isOwn
                last.days = last.days.lowerBound...day.number
                points[points.count - 1] = last
            } else {
                count = 1
                points.append(
                    Point(
                        column: column, days: day.number...day.number, average: day.average,
                        trend: day.trend, isOwn: day.isOwn))
            }
        }
        return points
    }

    // MARK: - Drawing

    private func draw(_ points: [Point], _ scale: WeightScale, _ cells: inout [[Cell]]) {
        let row = { (kilograms: Double) in scale.row(unit.value(kilograms), of: Self.rows) }
        for (last, point) in zip(points, points.dropFirst()) {
            guard let joint = joint(last, point, cells[0].count) else { continue }
            let width = Double(point.column - last.column)
            var previous = row(last.trend)
            for column in (last.column + 1)..<max(point.column, last.column + 1) {
                let share = Double(column - last.column) / width
                let next = row(last.trend + (point.trend - last.trend) * share)
                step(from: previous, to: next, at: column, joint, &cells)
                previous = next
            }
            step(from: previous, to: row(point.trend), at: point.column, joint, &cells)
        }
        for point in points where !cells[row(point.trend)][point.column].isDrawn {
            cells[row(point.trend)][point.column] = .trend("─")
        }
        for point in points {
            cells[row(point.average)][point.column] = point.isOwn ? .own : .other
        }
    }

    /// Returns the character of the line between two points: solid if no day is missing between
    /// them, dashed over a gap of up to a week; nil over a longer one. A gap that isn't longer than
    /// the days of a column counts as none.
    private func joint(_ last: Point, _ point: Point, _ plot: Int) -> Character? {
        let gap = point.days.lowerBound - last.days.upperBound
        let daysPerColumn = (span.count + plot - 1) / max(1, plot)
        if gap <= max(1, daysPerColumn) { return "─" }
        return gap <= max(7, daysPerColumn) ? Self.gap : nil
    }

    private func step(
        from old: Int, to new: Int, at column: Int, _ joint: Character, _ cells: inout [[Cell]]
    ) {
        guard old != new else {
            cells[new][column] = .trend(joint)
            return
        }
        cells[old][column] = .trend(new < old ? "╯" : "╮")
        cells[new][column] = .trend(new < old ? "╭" : "╰")
        for row in (min(old, new) + 1)..<max(old, new) { cells[row][column] = .trend("│") }
    }

    private func drawn(_ cells: [Cell]) -> String {
        cells.map { cell in
            switch cell {
            case .empty: " "
            case .trend(let mark): style.strong(String(mark))
            case .own: style.source("•", rank: 1)
            case .other: style.source("◦", rank: 2)
            }
        }.joined()
    }

    private func legend(_ shown: [WeightSeries.Day], isBroken: Bool) -> String {
        var parts: [String] = []
        if shown.contains(where: \.isOwn) {
            parts.append(style.source("•", rank: 1) + " this diary")
        }
        if shown.contains(where: { !$0.isOwn }) {
            parts.append(style.source("◦", rank: 2) + " other sources")
        }
        parts.append(style.strong("─") + " trend")
        if isBroken { parts.append(style.strong(String(Self.gap)) + " gap without weights") }
        return parts.joined(separator: "   ")
    }

    // MARK: - Time axis

    private func axis(_ plot: Int, _ margin: Int) -> [String] {
        var line = [Character](repeating: "─", count: plot)
        var names = [Character](repeating: " ", count: plot)
        var free = 0
        for (day, label) in WeightDates.ticks(span) {
            let column = column(day, plot)
            guard column >= free, column + label.count <= plot else { continue }
            line[column] = "┬"
            names.replaceSubrange(column..<column + label.count, with: label)
            free = column + label.count + 2
        }
        let left = String(repeating: " ", count: margin - 1)
        return [left + "└" + String(line), left + " " + String(names)]
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}

/// A vertical scale between two round numbers, in the displayed unit.
struct WeightScale {
    let ticks: [Double]
    private let low: Double
    private let high: Double
    private let digits: Int

    /// Creates a scale of some values with three to five ticks. NaN is ignored.
    init(_ values: [Double]) {
        let values = values.filter { !$0.isNaN }.map {
            min(max($0, -Self.maximumMagnitude), Self.maximumMagnitude)
        }
        let (least, most) = (values.min() ?? 0, values.max() ?? 0)
        // Smaller ranges aren't magnified: below half a unit differences are noise, and below the
        // precision of doubles they can't be drawn.
        let range = max(most - least, 0.5, max(abs(least), abs(most)) * 1e-9)
        let step = Self.step(least, range)
        let first = (least / step).rounded(.down)
        let last = max((most / step).rounded(.up), first + 2)
        ticks = stride(from: first, through: last, by: 1).map { $0 * step }
        (low, high) = (first * step, last * step)
        digits = step < 1 ? 1 : 0
    }

    /// The difference of two values beyond this may overflow.
    private static let maximumMagnitude = 1e300

    /// Returns the smallest step of 0.2, 0.5, 1, 2, 5, 10 and so on that needs at most five ticks.
    private static func step(_ least: Double, _ range: Double) -> Double {
        var power = 0.1
        while true {
            for multiple in power < 1 ? [2.0, 5] : [1, 2, 5] {
                let step = power * multiple
                let first = (least / step).rounded(.down)
                if ((least + range) / step).rounded(.up) - first <= 4 { return step }
            }
            power *= 10
        }
    }

    func label(_ tick: Double) -> String { NumberText.grouped(tick, digits: digits) }

    /// Returns the row of a value, of which 0 is at the top. Values outside the scale are at its
    /// ends.
    func row(_ value: Double, of rows: Int) -> Int {
        let share = (high - min(max(value, low), high)) / (high - low)
        return min(rows - 1, max(0, Int(clamping: (share * Double(rows - 1)).rounded())))
    }
}

/// The ticks of an axis of days.
enum WeightDates {
    /// Returns the ticks of a span: each day if it has at most eight days, each Monday if it has at
    /// most 45 days, else at most six first days of months.
    static func ticks(_ span: ClosedRange<Int>) -> [(day: Int, label: [Character])] {
        let first = CivilDate(dayNumber: span.lowerBound)
        let last = CivilDate(dayNumber: span.upperBound)
        if span.count <= 8 { return (first...last).days.map(dayTick) }
        func starts(
            of step: CalendarStep, every count: Int = 1, from first: CivilDate
        ) -> [CivilDate] {
            CivilDate.starts(of: step, every: count, from: first, through: last, firstWeekday: 2)
        }
        if span.count <= 45 { return starts(of: .week, from: first).map(dayTick) }
        // The months to label are multiples counted from the year 0, so an earlier start is moved
        // there.
        let begin = max(first, CivilDate(0, 1, 1))
        let count = starts(of: .month, from: begin).count
        var every = [1, 2, 3, 6, 12, 24, 60, 120].first { count / $0 <= 5 } ?? 240
        while count / every > 5 { every *= 5 }
        return starts(of: .month, every: every, from: begin).map { day in
            (day.dayNumber, Array("\(DateText.shortMonth(day)) \(day.year)"))
        }
    }

    private static func dayTick(_ day: CivilDate) -> (day: Int, label: [Character]) {
        (day.dayNumber, Array("\(day.day) \(DateText.shortMonth(day))"))
    }
}
