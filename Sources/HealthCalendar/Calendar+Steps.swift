package import Foundation
package import HealthEngine

// The rules of ``CalendarBuckets`` for `Date` values. Of Foundation's calendar, only the time zone
// and the first weekday are used, except in `noonToNoon(containing:)`.
extension Calendar {
    /// Returns a Gregorian calendar in a time zone. The first week of a year has at least four
    /// days.
    ///
    /// - Parameters:
    ///   - zone: The time zone.
    ///   - firstWeekday: The first day of the week: 1 is Sunday, 2 is Monday.
    /// - Returns: The calendar.
    package static func gregorian(in zone: TimeZone, firstWeekday: Int = 2) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: "en_US_POSIX")
        calendar.timeZone = zone
        calendar.firstWeekday = firstWeekday
        calendar.minimumDaysInFirstWeek = 4
        return calendar
    }

    /// Returns a Gregorian calendar in a time zone, with weeks from Monday. UTC is used if the
    /// identifier is unknown.
    package static func of(timeZone name: String) -> Calendar {
        .gregorian(in: TimeZone(identifier: name) ?? .gmt)
    }

    private var buckets: CalendarBuckets { CalendarBuckets(calendar: self) }
    private var clock: LocalClock { LocalClock(timeZone) }

    /// Returns the day that a time belongs to.
    ///
    /// It differs from `localDate(at:)` if clocks show midnight and are then set back to before
    /// midnight: the repeated time belongs to the new day.
    package func civilDate(of date: Date) -> CivilDate {
        clock.day(at: date.timeIntervalSinceReferenceDate)
    }

    /// Returns the date that local clocks show at a time.
    package func localDate(at moment: Date) -> CivilDate { localTime(at: moment).date }

    /// Returns the date and the second of the day that local clocks show at a time.
    ///
    /// Times more than 2^49 seconds (18 million years) from the reference date are clamped.
    package func localTime(at moment: Date) -> (date: CivilDate, secondOfDay: Int) {
        clock.reading(at: moment.timeIntervalSinceReferenceDate)
    }

    /// Returns the first time at which local clocks show a minute of a day, or nil if the time zone
    /// skips that minute. Minutes are counted from 00:00.
    package func moment(minute: Int, of day: CivilDate) -> Date? {
        clock.moments(showing: day, secondOfDay: minute * 60).first
            .map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// Returns the offset from UTC at a time, in seconds east.
    package func offset(at moment: Date) -> Int {
        clock.offset(at: moment.timeIntervalSinceReferenceDate)
    }

    /// Returns the start of a day, which is not always 00:00. A day that the time zone skipped
    /// starts with the next day.
    package func midnight(_ day: CivilDate) -> Date {
        Date(timeIntervalSinceReferenceDate: clock.start(of: day))
    }

    /// Returns the interval from the start of a day to the start of the next day. Returns nil for a
    /// date that does not exist, such as 30 February, and for a day that the time zone skipped.
    package func interval(of day: CivilDate) -> DateInterval? {
        guard day.isInCalendar, clock.contains(day) else { return nil }
        return DateInterval(start: midnight(day), end: midnight(day.advanced(by: 1)))
    }

    /// Returns the interval from the start of the first day to the end of the last. If the time
    /// zone skipped the first day, the interval starts with the next day; if it skipped the last
    /// day, the interval ends with the day before. Returns nil if no day is left.
    package func interval(of days: ClosedRange<CivilDate>) -> DateInterval? {
        guard
            let first = interval(of: days.lowerBound)
                ?? interval(of: days.lowerBound.advanced(by: 1)),
            let last = interval(of: days.upperBound)
                ?? interval(of: days.upperBound.advanced(by: -1)),
            first.start < last.end
        else { return nil }
        return DateInterval(start: first.start, end: last.end)
    }

    /// Returns the days of a half-open interval, from the day of its start to the day of the time
    /// one second before its end. An interval shorter than a second has only the day of its start.
    package func days(of interval: DateInterval) -> ClosedRange<CivilDate> {
        let first = civilDate(of: interval.start)
        return first...Swift.max(first, civilDate(of: interval.end - 1))
    }

    /// Returns the hour, day, week, month or year that contains a time.
    package func interval(of step: CalendarStep, containing date: Date) -> DateInterval {
        let time = date.timeIntervalSinceReferenceDate
        let start = buckets.start(of: step, at: time)
        return DateInterval(
            start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(
                timeIntervalSinceReferenceDate: Swift.max(start, buckets.end(of: step, at: time))))
    }

    /// Returns the start of the hour, day, week, month or year that contains a time.
    ///
    /// If clocks show midnight and are then set back to before midnight, the repeated time belongs
    /// to the new day.
    package func start(of step: CalendarStep, containing date: Date) -> Date {
        Date(
            timeIntervalSinceReferenceDate: buckets.start(
                of: step, at: date.timeIntervalSinceReferenceDate))
    }

    /// Returns the start of the day, week, month or year that is `count` steps before the one that
    /// contains `date`. Days that the time zone skipped are not counted.
    ///
    /// Hours are not supported: the result is the start of the day that contains `date`.
    ///
    /// - Complexity: O(`count`) for days, O(1) for other steps.
    package func start(of step: CalendarStep, _ count: Int, before date: Date) -> Date {
        let first = civilDate(of: date).first(of: step, firstWeekday)
        return midnight(
            step == .day
                ? buckets.existingDay(-count, after: first) : first.advanced(by: -count, step))
    }

    /// Returns the boundaries of the whole steps that cover a range, in ascending order: one more
    /// than there are steps. An empty range is covered by the step that contains it.
    ///
    /// At most ``maximumSteps`` steps are covered. The rest of a longer range is left out.
    ///
    /// - Complexity: O(steps).
    package func boundaries(by step: CalendarStep, over range: DateInterval) -> [Date] {
        var boundaries: [Date] = []
        let (start, end) = (
            range.start.timeIntervalSinceReferenceDate, range.end.timeIntervalSinceReferenceDate
        )
        buckets.forEachBoundary(by: step, from: start) { boundary in
            boundaries.append(Date(timeIntervalSinceReferenceDate: boundary))
            return (boundary < end || boundaries.count == 1)
                && boundaries.count <= Self.maximumSteps
        }
        return boundaries
    }

    /// The largest number of steps of ``boundaries(by:over:)``: more than 11 years of hours.
    package static var maximumSteps: Int { 100_000 }

    /// Returns the interval from the noon at or before a time to the next noon, and the day of that
    /// next noon as year, month and day of this calendar.
    package func noonToNoon(
        containing date: Date
    ) -> (interval: DateInterval, morning: DateComponents) {
        let night = buckets.noonToNoon(containing: date.timeIntervalSinceReferenceDate)
        let (start, end) = (
            Date(timeIntervalSinceReferenceDate: night.start),
            Date(timeIntervalSinceReferenceDate: Swift.max(night.start, night.end))
        )
        var morning = dateComponents([.year, .month, .day], from: end)
        // Foundation's Gregorian calendar is Julian before 15 October 1582. The days of this module
        // are always Gregorian.
        if identifier == .gregorian, night.morning.year > 0 {
            morning.year = night.morning.year
            morning.month = night.morning.month
            morning.day = night.morning.day
        }
        return (DateInterval(start: start, end: end), morning)
    }
}
