import Foundation
package import HealthEngine

extension Calendar {
    /// A Gregorian calendar in a zone; what a dashboard counts days, weeks and months by.
    ///
    /// - Parameter firstWeekday: 1 is Sunday, 2 is Monday.
    package static func gregorian(in zone: TimeZone, firstWeekday: Int = 2) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: "en_US_POSIX")
        calendar.timeZone = zone
        calendar.firstWeekday = firstWeekday
        calendar.minimumDaysInFirstWeek = 4
        return calendar
    }

    /// The day that a moment is in, of the Gregorian calendar also before 15 October 1582, where
    /// Foundation's is the Julian one.
    package func civilDate(of date: Date) -> CivilDate {
        localDate(at: start(of: .day, holding: date))
    }

    /// The date that clocks show at a moment.
    package func localDate(at moment: Date) -> CivilDate { localTime(at: moment).date }

    /// The date and the second of it that clocks show at a moment; moments further away than any
    /// record are taken for the furthest.
    package func localTime(at moment: Date) -> (date: CivilDate, secondOfDay: Int) {
        let local =
            moment.timeIntervalSinceReferenceDate + Double(timeZone.secondsFromGMT(for: moment))
        let furthest = 1e13
        let seconds = local.isNaN ? 0 : Swift.min(furthest, Swift.max(-furthest, local))
        return CivilDate.split(seconds: Int(clamping: seconds.rounded(.down)))
    }

    /// From the first moment of a day to that of the next; nil for a day that the zone skipped.
    package func interval(of day: CivilDate) -> DateInterval? {
        guard day.isInCalendar else { return nil }
        let noon = Date(timeIntervalSinceReferenceDate: Double(day.dayNumber) * 86_400 + 43_200)
        // The offset is that of the moment found, which on a day of a change needs a second look.
        var moment = noon - Double(timeZone.secondsFromGMT(for: noon))
        moment = noon - Double(timeZone.secondsFromGMT(for: moment))
        guard civilDate(of: moment) == day else { return nil }
        return interval(of: .day, holding: moment)
    }

    /// The hour, day, week, month or year that holds a moment.
    package func interval(of step: SeriesStep, holding date: Date) -> DateInterval {
        let start = start(of: step, holding: date)
        return DateInterval(start: start, end: Swift.max(start, end(of: step, startingAt: start)))
    }

    /// The first moment of the step that holds a moment. Where clocks go back over midnight the
    /// hour before it comes again, and belongs to the new day.
    package func start(of step: SeriesStep, holding date: Date) -> Date {
        var day = startOfDay(for: date)
        let next = startOfDay(for: day + 36 * 3600)
        if next <= date { day = next }
        let component: Component
        switch step {
        case .day: return day
        case .hour:
            return day + (date.timeIntervalSince(day) / 3600).rounded(.down) * 3600
        case .week: component = .weekOfYear
        case .month: component = .month
        case .year: component = .year
        }
        return startOfDay(for: dateInterval(of: component, for: day)?.start ?? day)
    }

    /// The first moment after a step that begins at `start`.
    private func end(of step: SeriesStep, startingAt start: Date) -> Date {
        let nextDay = startOfDay(for: start + 36 * 3600)
        switch step {
        case .hour:
            let nextDay = startOfDay(for: self.start(of: .day, holding: start) + 36 * 3600)
            return Swift.min(start + 3600, nextDay > start ? nextDay : start + 3600)
        case .day: return nextDay
        // Well inside the next one, also where a zone skipped a day or changed its clocks.
        case .week: return self.start(of: .week, holding: start + 174 * 3600)
        case .month: return self.start(of: .month, holding: start + 32.5 * 86_400)
        case .year: return self.start(of: .year, holding: start + 367.5 * 86_400)
        }
    }

    /// Borders of the whole steps that together cover a range, in order: one more than steps. No
    /// more than ``mostSteps``; what a longer range has beyond them is left out.
    ///
    /// - Complexity: O(steps).
    package func borders(by step: SeriesStep, over range: DateInterval) -> [Date] {
        var borders = [start(of: step, holding: range.start)]
        while let last = borders.last, last < range.end || borders.count == 1,
            borders.count <= Self.mostSteps
        {
            let next = end(of: step, startingAt: last)
            guard next > last else { break }
            borders.append(next)
        }
        return borders
    }

    /// More marks than anybody looks at: over eleven years of hours.
    package static var mostSteps: Int { 100_000 }
}

extension CivilDate {
    /// The day so many days later, in the Gregorian calendar.
    package func advanced(by days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }
}
