import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// A text chart of a day: one row for each source by rank, one character for each half hour. The
/// example is shortened to one character for an hour.
///
/// ```
/// 1 Watch     ····██████░░████·····    6,120
/// 2 iPhone    ·······░░░██░░·······    2,094
///   merged    ····11111122111·····     8,214
///             0  3  6  9  12 15 18 21
/// ```
/// Characters and ranks show what counted, so the chart is readable without colour.
struct DayLanes {
    private static let cell: Double = 1800
    private static let widest = 80

    private static let together = "  merged"

    private enum Mark {
        case nothing, setAside, counted

        var text: String {
            switch self {
            case .nothing: "·"
            case .setAside: "░"
            case .counted: "█"
            }
        }
    }

    private struct Lane {
        var label: String
        var rank: Int
        var marks: [Mark]
        var sum: String
    }

    private var lanes: [Lane] = []
    /// For each half hour, the rank of the source that counted for most of the time; nil if none
    /// counted.
    private var winners: [Int?]
    private var total: String
    private var axis: String

    init(_ day: DayExplanation, _ sums: RoundedSums) {
        let explanation = day.explanation
        let count = max(
            1, Int(clamping: ((explanation.end - explanation.start) / DayLanes.cell).rounded(.up)))
        var seconds = [[Double]](repeating: [], count: count)
        let ranks = Dictionary(
            explanation.parts.map { ($0.source.bundleIdentifier, $0.rank) },
            uniquingKeysWith: { first, _ in first })
        let segments = Dictionary(grouping: explanation.segments, by: \.source)
        for (index, part) in explanation.parts.enumerated() {
            var won = [Double](repeating: 0, count: count)
            var seen = won
            for segment in segments[part.source] ?? [] {
                DayLanes.add((segment.start, segment.end), to: &won, from: explanation.start)
            }
            for time in explanation.recorded[index] {
                DayLanes.add(time, to: &seen, from: explanation.start)
            }
            lanes.append(
                Lane(
                    label: "\(part.rank) \(part.source.name.printable)", rank: part.rank,
                    marks: zip(won, seen).map { won, seen in
                        seen == 0 ? .nothing : won * 2 >= seen ? .counted : .setAside
                    }, sum: sums.text(sums.contributed[index])))
            for cell in 0..<count { seconds[cell].append(won[cell]) }
        }
        winners = seconds.map { won in
            guard let most = won.max(), most > 0, let index = won.firstIndex(of: most) else {
                return nil
            }
            return ranks[explanation.parts[index].source.bundleIdentifier]
        }
        total = sums.text(sums.merged)
        axis = DayLanes.axis(explanation, day.calendar, count)
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

    func text(ink: Ink) -> String {
        let width = ([total] + lanes.map(\.sum)).map(\.count).max() ?? 0
        let labels = lanes.map(\.label) + [DayLanes.together]
        let longest = labels.map(\.displayWidth).max() ?? 0
        let room = min(longest, DayLanes.widest - winners.count - 3 - width)
        func label(_ text: String) -> String { text.cut(to: room).padded(to: room + 1) }
        var text = ""
        for lane in lanes {
            let marks = lane.marks.map { mark in
                mark == .counted ? ink.source(mark.text, rank: lane.rank) : ink.quiet(mark.text)
            }
            text +=
                label(lane.label) + marks.joined() + "  "
                + lane.sum.padded(to: width, .right) + "\n"
        }
        let merged = winners.map { rank in
            rank.map { ink.source($0 > 9 ? "+" : String($0), rank: $0) } ?? ink.quiet("·")
        }
        text +=
            label(DayLanes.together) + merged.joined() + "  "
            + ink.strong(total.padded(to: width, .right)) + "\n"
        var hours = label("  hour") + axis
        while hours.hasSuffix(" ") { hours.removeLast() }
        return text + hours + "\n"
    }
}
