import Foundation
import HealthDashboard
import HealthEngine

/// The level axis: time from left to right, three to five ticks at the borders of a calendar, days of
/// 23 and 25 hours as long as they are.
struct ChartTimeAxis {
    struct Tick: Hashable {
        var time: Date
        var label: String
    }

    let range: DateInterval
    let calendar: Calendar
    let ticks: [Tick]

    init(_ range: DateInterval, calendar: Calendar) {
        self.range = range
        self.calendar = calendar
        ticks = Spacing.ticks(range, calendar)
    }

    /// Per cent of the width.
    func x(_ time: Date) -> Double {
        guard range.duration > 0 else { return 50 }
        return time.timeIntervalSince(range.start) / range.duration * 100
    }
}

extension ChartTimeAxis {
    fileprivate enum Spacing {
        case minutes(Int), hours(Int), days(Int), weeks, months(Int), years(Int)

        static let all: [Spacing] = [
            .minutes(1), .minutes(2), .minutes(5), .minutes(10), .minutes(15), .minutes(30),
            .hours(1), .hours(2), .hours(3), .hours(4), .hours(6), .hours(12), .days(1), .days(2),
            .days(3), .weeks, .days(14), .days(21), .months(1), .months(2), .months(3), .months(6),
            .years(1), .years(2), .years(3), .years(5), .years(10), .years(20), .years(50),
        ]

        /// About how many seconds lie between two borders; never more than they do.
        var seconds: Double {
            switch self {
            case .minutes(let count): Double(count) * 60
            case .hours(let count): Double(count) * 3600 - 3600
            case .days(let count): Double(count) * 86_400 - 3600
            case .weeks: 7 * 86_400 - 3600
            case .months(let count): Double(count) * 28 * 86_400
            case .years(let count): Double(count) * 365 * 86_400
            }
        }

        /// The finest borders that are five at most.
        static func ticks(_ range: DateInterval, _ calendar: Calendar) -> [Tick] {
            var previous: [Tick] = []
            for spacing in all {
                if spacing.seconds > 0, range.duration / spacing.seconds > 40 { continue }
                let borders = spacing.borders(range, calendar)
                let ticks = borders.enumerated().map { index, border in
                    Tick(
                        time: border,
                        label: spacing.label(
                            border, after: index > 0 ? borders[index - 1] : nil, calendar))
                }
                if ticks.count <= 5 {
                    return ticks.count < 3 && previous.count == 6 ? previous : ticks
                }
                previous = ticks
            }
            return previous
        }

        func borders(_ range: DateInterval, _ calendar: Calendar) -> [Date] {
            switch self {
            case .minutes(let count): return clock(range, calendar, minutes: count)
            case .hours(let count): return clock(range, calendar, minutes: count * 60)
            default: break
            }
            var borders: [Date] = []
            var day = calendar.civil(range.start)
            let last = calendar.civil(range.end)
            if calendar.midnight(day) < range.start {
                day = CivilDate(dayNumber: day.dayNumber + 1)
            }
            day = firstBorder(day, calendar)
            while day <= last, borders.count < 100 {
                let time = calendar.midnight(day)
                if time >= range.start, time <= range.end { borders.append(time) }
                day = next(day)
            }
            return borders
        }

        /// Minutes of the wall clock: an hour that doesn't exist has no border, one that comes twice
        /// has the first.
        private func clock(_ range: DateInterval, _ calendar: Calendar, minutes: Int) -> [Date] {
            var borders: [Date] = []
            var day = calendar.civil(range.start)
            while day <= calendar.civil(range.end), borders.count < 100 {
                for minute in stride(from: 0, to: 1440, by: minutes) {
                    let parts = DateComponents(
                        year: day.year, month: day.month, day: day.day, hour: minute / 60,
                        minute: minute % 60)
                    guard let time = calendar.date(from: parts), range.start <= time,
                        time <= range.end, calendar.component(.hour, from: time) == minute / 60
                    else { continue }
                    borders.append(time)
                }
                day = CivilDate(dayNumber: day.dayNumber + 1)
            }
            return borders
        }

        private func firstBorder(_ day: CivilDate, _ calendar: Calendar) -> CivilDate {
            switch self {
            case .weeks:
                let first = (calendar.firstWeekday + 5) % 7
                return CivilDate(dayNumber: day.dayNumber + (first - day.weekday + 7) % 7)
            case .months(let count):
                var months = day.year * 12 + day.month - 1
                if day.day > 1 { months += 1 }
                months = (months + count - 1) / count * count
                return CivilDate(months / 12, months % 12 + 1, 1)
            case .years(let count):
                let year = day.month == 1 && day.day == 1 ? day.year : day.year + 1
                return CivilDate((year + count - 1) / count * count, 1, 1)
            default: return day
            }
        }

        private func next(_ day: CivilDate) -> CivilDate {
            switch self {
            case .days(let count): return CivilDate(dayNumber: day.dayNumber + count)
            case .weeks: return CivilDate(dayNumber: day.dayNumber + 7)
            case .months(let count):
                let months = day.year * 12 + day.month - 1 + count
                return CivilDate(months / 12, months % 12 + 1, 1)
            case .years(let count): return CivilDate(day.year + count, 1, 1)
            case .minutes, .hours: return CivilDate(dayNumber: day.dayNumber + 1)
            }
        }

        func label(_ time: Date, after previous: Date?, _ calendar: Calendar) -> String {
            let day = calendar.civil(time)
            switch self {
            case .minutes, .hours: return DateWords.clock(time, calendar)
            case .days, .weeks:
                let before = previous.map(calendar.civil)
                return before.map { $0.month == day.month } ?? false
                    ? String(day.day) : "\(day.day) \(DateWords.month(day))"
            case .months:
                return previous == nil || day.month == 1
                    ? "\(DateWords.month(day)) \(day.year)" : DateWords.month(day)
            case .years: return String(day.year)
            }
        }
    }
}
