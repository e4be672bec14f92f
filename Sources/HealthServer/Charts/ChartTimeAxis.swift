import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// The horizontal time axis, with ticks at calendar boundaries, usually three to five. Days of 23
/// and 25 hours have their actual length.
struct ChartTimeAxis {
    struct Tick: Hashable {
        var time: Date
        var label: String
        /// Whether the label is a time of day.
        var isTime = false
    }

    let range: DateInterval
    let calendar: Calendar
    let ticks: [Tick]

    init(_ range: DateInterval, calendar: Calendar) {
        self.range = range
        self.calendar = calendar
        ticks = Spacing.ticks(range, calendar)
    }

    /// Returns the position of a time in percent of the width; 50 if the range is empty.
    func x(_ time: Date) -> Double {
        guard range.duration > 0 else { return 50 }
        return time.timeIntervalSince(range.start) / range.duration * 100
    }
}

extension ChartTimeAxis {
    fileprivate enum Spacing {
        case minutes(Int)
        case steps(Int, CalendarStep)

        static let all: [Spacing] = [
            .minutes(1), .minutes(2), .minutes(5), .minutes(10), .minutes(15), .minutes(30),
            .steps(1, .hour), .steps(2, .hour), .steps(3, .hour), .steps(4, .hour),
            .steps(6, .hour), .steps(12, .hour), .steps(1, .day), .steps(2, .day),
            .steps(3, .day), .steps(1, .week), .steps(14, .day), .steps(21, .day),
            .steps(1, .month), .steps(2, .month), .steps(3, .month), .steps(6, .month),
            .steps(1, .year), .steps(2, .year), .steps(3, .year), .steps(5, .year),
            .steps(10, .year), .steps(20, .year), .steps(50, .year),
        ]

        /// A lower bound of the seconds between two ticks. It is 0 for hourly ticks, because clocks
        /// can change.
        var seconds: Double {
            switch self {
            case .minutes(let count): Double(count) * 60
            case .steps(let count, let step): step.minimumSeconds(count)
            }
        }

        /// Returns the ticks of the finest spacing that has at most five. If those are fewer than
        /// three and the next finer spacing has six, returns the six. For a range of several
        /// centuries there may be more ticks or none.
        static func ticks(_ range: DateInterval, _ calendar: Calendar) -> [Tick] {
            var previous: [Tick] = []
            for spacing in all {
                if spacing.seconds > 0, range.duration / spacing.seconds > 40 { continue }
                let boundaries = spacing.boundaries(range, calendar)
                let areYearsMarked = boundaries.contains {
                    calendar.localDate(at: $0).month == 1 && spacing.isOfMonths
                }
                let ticks = boundaries.enumerated().map { index, boundary in
                    Tick(
                        time: boundary,
                        label: spacing.label(
                            boundary, after: index > 0 ? boundaries[index - 1] : nil,
                            areYearsMarked: areYearsMarked, calendar),
                        isTime: spacing.isTime)
                }
                if ticks.count <= 5 {
                    return ticks.count < 3 && previous.count == 6 ? previous : ticks
                }
                previous = ticks
            }
            return previous
        }

        func boundaries(_ range: DateInterval, _ calendar: Calendar) -> [Date] {
            switch self {
            case .minutes(let count): clock(range, calendar, minutes: count)
            case .steps(let count, .hour): clock(range, calendar, minutes: count * 60)
            case .steps(let count, let step): days(range, calendar, count, step)
            }
        }

        private func days(
            _ range: DateInterval, _ calendar: Calendar, _ count: Int, _ step: CalendarStep
        ) -> [Date] {
            var first = calendar.localDate(at: range.start)
            if calendar.midnight(first) < range.start { first = first.advanced(by: 1) }
            return CivilDate.starts(
                of: step, every: count, from: first, through: calendar.localDate(at: range.end),
                firstWeekday: calendar.firstWeekday
            ).map { calendar.midnight($0) }.filter { range.start <= $0 && $0 <= range.end }
        }

        /// Returns the ticks at local times. A local time that a clock change skips has no tick,
        /// and a repeated one has a tick at its first occurrence.
        private func clock(_ range: DateInterval, _ calendar: Calendar, minutes: Int) -> [Date] {
            var boundaries: [Date] = []
            var day = calendar.localDate(at: range.start)
            while day <= calendar.localDate(at: range.end), boundaries.count < 100 {
                for minute in stride(from: 0, to: 1440, by: minutes) {
                    guard let time = calendar.moment(minute: minute, of: day),
                        range.start <= time, time <= range.end
                    else { continue }
                    boundaries.append(time)
                }
                day = day.advanced(by: 1)
            }
            return boundaries
        }

        var isOfMonths: Bool {
            if case .steps(_, .month) = self { true } else { false }
        }

        var isTime: Bool {
            switch self {
            case .minutes, .steps(_, .hour): true
            case .steps: false
            }
        }

        /// Returns the label of a tick.
        ///
        /// - Parameters:
        ///   - previous: The tick before; nil for the first one.
        ///   - areYearsMarked: Whether a later tick is a January, which names its year.
        func label(
            _ time: Date, after previous: Date?, areYearsMarked: Bool, _ calendar: Calendar
        ) -> String {
            let day = calendar.localDate(at: time)
            switch self {
            case .minutes, .steps(_, .hour):
                // "6am", because "6:00 am" is too long for a phone.
                return PageDateText.clock(time, calendar).replacing(":00 ", with: "")
            case .steps(_, .day), .steps(_, .week):
                let before = previous.map(calendar.localDate(at:))
                return before.map { $0.month == day.month } ?? false
                    ? String(day.day) : DateText.dayAndMonth(day)
            case .steps(_, .month):
                return previous == nil && !areYearsMarked || day.month == 1
                    ? "\(PageDateText.month(day)) \(day.year)" : PageDateText.month(day)
            case .steps(_, .year): return String(day.year)
            }
        }
    }
}
