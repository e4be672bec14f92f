import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// A text chart of a day: one row for each source by rank, one character for each half hour.
///
/// █ means that at least half of the time that the source recorded was counted, and ░ that less was
/// counted. A · means no data. The row "merged" shows the rank of the source that counted for most
/// of the time. So the chart is readable without colour. This example is shortened to one character
/// for each hour:
///
/// ```
/// 1 Watch  ····██████░░████········  6,120
/// 2 iPhone ·······░░░██░░··········  2,094
///   merged ····111111221111········  8,214
///   hour   0  3  6  9  12 15 18 21
/// ```
struct DayTimeline {
    private static let cell: Double = 1800
    private static let maximumWidth = 80

    private static let mergedLabel = "  merged"

    private enum Mark {
        case nothing, duplicate, counted

        var text: String {
            switch self {
            case .nothing: "·"
            case .duplicate: "░"
            case .counted: "█"
            }
        }
    }

    private struct Row {
        var label: String
        var rank: Int
        var marks: [Mark]
        var sum: String
    }

    private var rows: [Row] = []
    /// For each half hour, the rank of the source that counted for most of the time; nil if none
    /// counted.
    private var mergedRanks: [Int?]
    private var total: String
    private var axis: String

    init(_ day: DayExplanation, _ sums: RoundedSums) {
        let explanation = day.explanation
        let count = max(
            1,
            Int(clamping: ((explanation.end - explanation.start) / DayTimeline.cell).rounded(.up)))
        var seconds = [[Double]](repeating: [], count: count)
        let ranks = Dictionary(
            explanation.parts.map { ($0.source.bundleIdentifier, $0.rank) },
            uniquingKeysWith: { first, _ in first })
        let segments = Dictionary(grouping: explanation.segments, by: \.source)
        for (index, part) in explanation.parts.enumerated() {
            var countedSeconds = [Double](repeating: 0, count: count)
            var recordedSeconds = countedSeconds
            for segment in segments[part.source] ?? [] {
                DayTimeline.add(
                    (segment.start, segment.end), to: &countedSeconds, from: explanation.start)
            }
            for time in explanation.recorded[index] {
                DayTimeline.add(time, to: &recordedSeconds, from: explanation.start)
            }
            rows.append(
                Row(
                    label: "\(part.rank) \(part.source.name.printable)", rank: part.rank,
                    marks: zip(countedSeconds, recordedSeconds).map { counted, recorded in
                        recorded == 0 ? .nothing : counted * 2 >= recorded ? .counted : .duplicate
                    }, sum: sums.text(sums.contributed[index])))
            for cell in 0..<count { seconds[cell].append(countedSeconds[cell]) }
        }
        mergedRanks = seconds.map { seconds in
            guard let maximum = seconds.max(), maximum > 0,
                let index = seconds.firstIndex(of: maximum)
            else {
                return nil
            }
            return ranks[explanation.parts[index].source.bundleIdentifier]
        }
        total = sums.text(sums.merged)
        axis = DayTimeline.axis(explanation, day.calendar, count)
    }

    /// Adds the seconds of an interval to each half hour that it overlaps, at least a millisecond
    /// each, so that an instant is visible too.
    private static func add(
        _ time: (start: Double, end: Double), to cells: inout [Double], from start: Double
    ) {
        func place(_ time: Double, _ rule: FloatingPointRoundingRule) -> Int {
            let place = ((time - start) / cell).rounded(rule)
            return Int(clamping: min(max(place, 0), Double(cells.count)))
        }
        let first = place(time.start, .down)
        let last = max(place(max(time.end, time.start), .up), first + 1)
        for index in first..<max(first, min(cells.count, last)) where time.end >= start {
            let low = max(time.start, start + Double(index) * cell)
            let high = min(time.end, start + Double(index + 1) * cell)
            cells[index] += max(high - low, 0.001)
        }
    }

    /// Returns the axis of local hours. Every third one is labelled, and after a clock change the
    /// first hour that doesn't follow the one before.
    private static func axis(
        _ explanation: Explanation, _ calendar: CalendarBuckets, _ count: Int
    ) -> String {
        var axis = [Character](repeating: " ", count: count + 3)
        var last: Int?
        for index in 0..<count {
            let text = calendar.text(explanation.start + Double(index) * cell)
            let clock = text.dropFirst(11).prefix(5)
            guard clock.hasSuffix(":00"), let hour = Int(clock.prefix(2)) else { continue }
            let isJump = last.map { hour != $0 + 1 } ?? false
            last = hour
            let isFree = axis[max(0, index - 1)] == " " || index == 0
            guard hour % 3 == 0 || isJump, isFree else { continue }
            for (place, digit) in String(hour).enumerated() { axis[index + place] = digit }
        }
        return String(axis)
    }

    func text(style: TerminalStyle) -> String {
        let width = ([total] + rows.map(\.sum)).map(\.count).max() ?? 0
        let labels = rows.map(\.label) + [DayTimeline.mergedLabel]
        let longest = labels.map(\.displayWidth).max() ?? 0
        let labelWidth = min(longest, DayTimeline.maximumWidth - mergedRanks.count - 3 - width)
        func label(_ text: String) -> String { text.cut(to: labelWidth).padded(to: labelWidth + 1) }
        var text = ""
        for row in rows {
            let marks = row.marks.map { mark in
                mark == .counted ? style.source(mark.text, rank: row.rank) : style.quiet(mark.text)
            }
            text +=
                label(row.label) + marks.joined() + "  "
                + row.sum.padded(to: width, .right) + "\n"
        }
        let merged = mergedRanks.map { rank in
            rank.map { style.source($0 > 9 ? "+" : String($0), rank: $0) } ?? style.quiet("·")
        }
        text +=
            label(DayTimeline.mergedLabel) + merged.joined() + "  "
            + style.strong(total.padded(to: width, .right)) + "\n"
        var hours = label("  hour") + axis
        while hours.hasSuffix(" ") { hours.removeLast() }
        return text + hours + "\n"
    }
}
