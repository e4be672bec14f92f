public import Foundation
package import HealthEngine

/// Bucket boundaries in a time zone: hours, days, weeks, months and years, and intervals from an
/// anchor.
///
/// Days are those of the proleptic Gregorian calendar. A day can have 23 or 25 hours, and a date
/// that the time zone skipped has no bucket: in Apia, 31 December 2011 followed 29 December.
/// Intervals from an anchor use ``calendar`` (Semantics §5.5). All times are reference seconds:
/// seconds since 2001-01-01T00:00:00Z.
///
/// ```swift
/// let berlin = CalendarBuckets(timeZone: zone)   // Europe/Berlin
/// let day = try (berlin.time("2024-03-31"), berlin.time("2024-04-01"))
/// try berlin.edges(from: day.0, to: day.1, by: .hour).count   // 24 boundaries: a day of 23 hours
/// ```
public struct CalendarBuckets: Sendable {
    /// The calendar of intervals from an anchor.
    public let calendar: Calendar
    package let clock: LocalClock
    /// The first day of the week: 1 is Sunday, 2 is Monday.
    package let firstWeekday: Int

    /// Creates buckets of a Gregorian calendar.
    ///
    /// - Parameters:
    ///   - timeZone: The time zone.
    ///   - firstWeekday: The first day of the week: 1 is Sunday, 2 is Monday.
    public init(timeZone: TimeZone, firstWeekday: Int = 2) {
        self.init(calendar: .gregorian(in: timeZone, firstWeekday: firstWeekday))
    }

    /// Creates buckets with the time zone and first weekday of a calendar.
    ///
    /// - Parameter calendar: Any calendar. It is used only for intervals from an anchor. Days,
    ///   weeks, months and years are always Gregorian.
    public init(calendar: Calendar) {
        self.calendar = calendar
        clock = LocalClock(calendar.timeZone)
        firstWeekday = calendar.firstWeekday
    }

    /// Returns the start of the hour, day, week, month or year that contains a time.
    ///
    /// If clocks show midnight and are then set back to before midnight, the new day starts at the
    /// first midnight. The repeated time belongs to the new day.
    ///
    /// - Parameters:
    ///   - step: The length of the bucket.
    ///   - time: Reference seconds.
    /// - Returns: The start of the bucket, in reference seconds.
    /// - Complexity: O(1).
    public func start(of step: CalendarStep, at time: Double) -> Double {
        let day = clock.day(at: time)
        guard step == .hour else { return clock.start(of: day.first(of: step, firstWeekday)) }
        let start = clock.start(of: day)
        return start + ((time - start) / 3600).rounded(.down) * 3600
    }

    /// Returns the end (exclusive) of the hour, day, week, month or year that contains a time. Both
    /// are reference seconds.
    package func end(of step: CalendarStep, at time: Double) -> Double {
        let day = clock.day(at: time)
        guard step == .hour else {
            return clock.start(of: day.first(of: step, firstWeekday).advanced(by: 1, step))
        }
        return min(
            start(of: .hour, at: time) + 3600, clock.start(of: day.advanced(by: 1)))
    }

    /// Returns the start of a day.
    ///
    /// - Parameters:
    ///   - year: The year of the Gregorian calendar; 0 is 1 BC.
    ///   - month: The month, 1 to 12.
    ///   - day: The day of the month, from 1.
    /// - Returns: Reference seconds; nil if the date does not exist or the time zone skipped it.
    public func start(year: Int, month: Int, day: Int) -> Double? {
        start(of: CivilDate(year, month, day))
    }

    /// Returns the start of a day, or nil if the date does not exist or the time zone skipped it.
    package func start(of day: CivilDate) -> Double? {
        day.isInCalendar && clock.contains(day) ? clock.start(of: day) : nil
    }

    /// Returns the boundaries of the whole buckets that cover `[from, to)`.
    ///
    /// Hours are 3600 seconds long, counted from the start of each local day. If a day is not a
    /// whole number of hours, its last hour is shorter (Lord Howe Island changes its clocks by half
    /// an hour).
    ///
    /// - Parameters:
    ///   - from: The start of the range (inclusive), in reference seconds.
    ///   - to: The end of the range (exclusive), in reference seconds.
    ///   - step: The length of the buckets.
    /// - Returns: The boundaries in ascending order, one more than buckets. The first is at or
    ///   before `from`, the last at or after `to`.
    /// - Throws: ``CalendarError`` if the range is empty, or if a bound is not finite or is 10^12
    ///   seconds or more from the reference date. Also for about 400,000 buckets or more: 45 years
    ///   of hours, 1,095 years of days. One wrong date in a person's data can cause such a range.
    /// - Complexity: O(buckets).
    public func edges(
        from: Double, to: Double, by step: CalendarStep
    ) throws(CalendarError) -> [Double] {
        try checkRange(from, to)
        try checkCount((to - from) / step.seconds, atMost: Self.maximumBuckets)
        var edges: [Double] = []
        forEachBoundary(by: step, from: from) { boundary in
            edges.append(boundary)
            return boundary < to
        }
        return edges
    }

    /// Returns the boundaries of ``edges(from:to:by:)``, with the first and the last clipped to a
    /// range. An infinite bound doesn't clip.
    ///
    /// - Parameters:
    ///   - from: The start of the range to cover (inclusive), in reference seconds.
    ///   - to: The end of the range to cover (exclusive), in reference seconds.
    ///   - step: The length of the buckets.
    ///   - bounds: The least and the greatest boundary.
    /// - Returns: The boundaries in ascending order, one more than buckets.
    /// - Throws: The errors of ``edges(from:to:by:)``.
    package func edges(
        from: Double, to: Double, by step: CalendarStep, within bounds: (from: Double, to: Double)
    ) throws(CalendarError) -> [Double] {
        var edges = try edges(from: from, to: to, by: step)
        if bounds.from > -.infinity, let first = edges.first { edges[0] = max(first, bounds.from) }
        if bounds.to < .infinity, let last = edges.popLast() { edges.append(min(last, bounds.to)) }
        return edges
    }

    /// Returns the day `count` days after a day, or before it if `count` is negative. Days that the
    /// time zone skipped are not counted.
    ///
    /// - Complexity: O(|`count`|).
    package func existingDay(_ count: Int, after day: CivilDate) -> CivilDate {
        let direction = count.signum()
        var day = day
        for _ in 0..<abs(count) {
            day = day.advanced(by: direction)
            // No time zone has skipped two days in a row.
            if !clock.contains(day) { day = day.advanced(by: direction) }
        }
        return day
    }

    /// Calls a closure with the boundaries in ascending order, from the last at or before `from`,
    /// until the closure returns false. Stops also where times are clamped (``LocalClock``).
    package func forEachBoundary(
        by step: CalendarStep, from: Double, _ body: (Double) -> Bool
    ) {
        switch step {
        case .hour: forEachHour(from: from, body)
        case .day: forEachDay(from: from, body)
        case .week, .month, .year:
            var day = clock.day(at: from).first(of: step, firstWeekday)
            var last = -Double.infinity
            while true {
                let boundary = clock.start(of: day)
                guard boundary > last, body(boundary) else { return }
                last = boundary
                day = day.advanced(by: 1, step)
            }
        }
    }

    /// Calls a closure with the starts of days. Adds 86,400 seconds to a midnight while the offset
    /// from UTC is constant. Where the offset changes, the start of the next day is computed.
    private func forEachDay(from: Double, _ body: (Double) -> Bool) {
        var boundary = start(of: .day, at: from)
        var offset = clock.offset(at: boundary)
        while body(boundary) {
            var next = boundary + 86_400
            var nextOffset = clock.offset(at: next)
            let isMidnight =
                (boundary + Double(offset)).truncatingRemainder(dividingBy: 86_400) == 0
            if nextOffset != offset || !isMidnight {
                next = clock.start(of: clock.day(at: boundary).advanced(by: 1))
                nextOffset = clock.offset(at: next)
            }
            guard next > boundary else { return }
            (boundary, offset) = (next, nextOffset)
        }
    }

    private func forEachHour(from: Double, _ body: (Double) -> Bool) {
        var previous: Double?
        forEachDay(from: from) { day in
            if var boundary = previous {
                while boundary < day {
                    if min(boundary + 3600, day) > from, !body(boundary) { return false }
                    boundary += 3600
                }
            }
            previous = day
            return true
        }
    }

    /// The limit (exclusive) of buckets that need calendar arithmetic. Computing that many takes a
    /// few seconds.
    static let maximumBuckets = 400_000
    /// The limit (exclusive) of buckets with a fixed length. It is higher, because their boundaries
    /// need no calendar.
    static let maximumAbsoluteBuckets = 10_000_000

    func checkCount(_ count: Double, atMost maximum: Int) throws(CalendarError) {
        guard count < Double(maximum) else { throw .tooManyBuckets(maximum: maximum) }
    }

    func checkRange(_ from: Double, _ to: Double) throws(CalendarError) {
        guard from.isFinite, to.isFinite, abs(from) < 1e12, abs(to) < 1e12, from < to else {
            throw .noRange
        }
    }
}
