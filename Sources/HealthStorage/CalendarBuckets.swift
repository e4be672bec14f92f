public import Foundation
package import HealthEngine

/// Where days, weeks and months begin: the one place that knows calendars.
///
/// Borders are always computed from an anchor (`anchor + n × interval`), never chained, so an anchor
/// on the 31st does not drift and a day without a midnight does not move the next one
/// (Semantics §5.4–5.5). Days may have 23 or 25 hours, and a date that the zone skipped has
/// no bucket: Apia went from 29 to 31 December 2011. All times are reference seconds, which begin at
/// 2001-01-01T00:00:00Z.
///
/// ```swift
/// let berlin = CalendarBuckets(timeZone: zone)   // Europe/Berlin
/// let day = try (berlin.time("2024-03-31"), berlin.time("2024-04-01"))
/// try berlin.edges(from: day.0, to: day.1, by: .hour).count   // 24 borders: a day of 23 hours
/// ```
public struct CalendarBuckets: Sendable {
    /// The usual lengths of a bucket.
    public enum Unit: String, Sendable, CaseIterable {
        case hour, day, week, month, year
    }

    public let calendar: Calendar

    /// A Gregorian calendar in a zone; weeks begin on `firstWeekday` (1 is Sunday, 2 is Monday).
    public init(timeZone: TimeZone, firstWeekday: Int = 2) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: "en_US_POSIX")
        calendar.timeZone = timeZone
        calendar.firstWeekday = firstWeekday
        calendar.minimumDaysInFirstWeek = 4
        self.calendar = calendar
    }

    /// Any calendar a caller brings.
    public init(calendar: Calendar) { self.calendar = calendar }

    /// The first moment of the hour, day, week, month or year that holds `time`.
    ///
    /// Where clocks go back over midnight, the hour before it comes again after the new day has begun;
    /// it belongs to that new day, whose first moment is its first midnight.
    ///
    /// - Complexity: O(1).
    public func start(of unit: Unit, at time: Double) -> Double {
        var day = startOfDay(time)
        let next = startOfDay(day + 36 * 3600)
        if next <= time { day = next }
        if unit == .hour { return day + ((time - day) / 3600).rounded(.down) * 3600 }
        return start(of: unit, holdingDayOf: day)
    }

    /// As ``start(of:at:)`` for a moment whose local date is that of its day.
    private func start(of unit: Unit, holdingDayOf moment: Double) -> Double {
        let component: Calendar.Component
        switch unit {
        case .hour, .day: return startOfDay(moment)
        case .week: component = .weekOfYear
        case .month: component = .month
        case .year: component = .year
        }
        let date = Date(timeIntervalSinceReferenceDate: moment)
        let start = calendar.dateInterval(of: component, for: date)?.start ?? date
        return startOfDay(start.timeIntervalSinceReferenceDate)
    }

    private func startOfDay(_ time: Double) -> Double {
        calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: time))
            .timeIntervalSinceReferenceDate
    }

    /// The first moment of a day given as numbers, or nil if there is no such day in the calendar.
    public func start(year: Int, month: Int, day: Int) -> Double? {
        start(of: CivilDate(year, month, day))
    }

    /// The first moment of a day of the Gregorian calendar; nil for one that the calendar doesn't
    /// have or that the zone skipped.
    ///
    /// By arithmetic as ``day(_:)``, whose inverse it is: Foundation's calendar is the Julian one
    /// before 15 October 1582, and has no 10 October of that year.
    package func start(of day: CivilDate) -> Double? {
        guard day.isInCalendar else { return nil }
        let noon = Double(day.dayNumber) * 86_400 + 43_200
        // The offset is that of the moment found, which on a day of a change needs a second look.
        var moment = noon - offset(at: noon)
        moment = noon - offset(at: moment)
        guard self.day(moment) == day.description else { return nil }
        return startOfDay(moment)
    }

    /// Borders of whole buckets that together cover `[from, to)`, in order: one more than buckets.
    ///
    /// The first border is at or before `from`, the last at or after `to`. Hours are 3600 seconds from
    /// the first moment of each local day; on a day that lasts no whole number of them (Lord Howe
    /// changes its clocks by half an hour) the last one is shorter.
    ///
    /// - Throws: ``StoreError`` if the range is empty, not finite, or more than 400,000 buckets:
    ///   45 years of hours, 1,095 of days. One wrong date in a person's data makes such a range.
    /// - Complexity: O(buckets).
    public func edges(from: Double, to: Double, by unit: Unit) throws -> [Double] {
        switch unit {
        case .hour: try hourEdges(from: from, to: to)
        case .day: try dayEdges(from: from, to: to)
        case .week: try edges(from: from, to: to, of: unit, every: DateComponents(day: 7))
        case .month: try edges(from: from, to: to, of: unit, every: DateComponents(month: 1))
        case .year: try edges(from: from, to: to, of: unit, every: DateComponents(year: 1))
        }
    }

    /// Counts moments well inside each bucket, noon of a first day or the middle of a week, since
    /// noon exists on every day and adding days over a date that the zone skipped lands a day off.
    private func edges(
        from: Double, to: Double, of unit: Unit, every interval: DateComponents
    ) throws -> [Double] {
        try checkRange(from, to)
        let inside = start(of: unit, at: from) + (unit == .week ? 84 : 12) * 3600
        let steps = CalendarSteps(
            interval, from: Date(timeIntervalSinceReferenceDate: inside), calendar)
        guard let steps else { throw tooMany(Self.mostBuckets) }
        try checkCount((to - from) / steps.length, atMost: Self.mostBuckets)
        var edges: [Double] = []
        var index = 0
        while let moment = steps.border(index) {
            let edge = start(of: unit, holdingDayOf: moment)
            if edge > edges.last ?? -.infinity { edges.append(edge) }
            if edge >= to { break }
            index += 1
        }
        return edges
    }

    /// Midnight follows midnight by a day's seconds where the zone's offset stands still, which costs
    /// a fraction of asking the calendar; where it changes the calendar is asked.
    private func dayEdges(from: Double, to: Double) throws -> [Double] {
        try checkRange(from, to)
        try checkCount((to - from) / 86_400, atMost: Self.mostBuckets)
        var last = start(of: .day, at: from)
        var offset = self.offset(at: last)
        var edges = [last]
        while last < to {
            var next = last + 86_400
            var nextOffset = self.offset(at: next)
            let isMidnight = (last + offset).truncatingRemainder(dividingBy: 86_400) == 0
            if nextOffset != offset || !isMidnight {
                // A zone that moved over the date line had a date twice: one bucket of two days.
                let later = [36.0, 60, 84].map { startOfDay(last + $0 * 3600) }
                guard let found = later.first(where: { $0 > last }) else {
                    throw tooMany(Self.mostBuckets)
                }
                next = found
                nextOffset = self.offset(at: next)
            }
            edges.append(next)
            (last, offset) = (next, nextOffset)
        }
        return edges
    }

    private func offset(at time: Double) -> Double {
        Double(calendar.timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: time)))
    }

    private func hourEdges(from: Double, to: Double) throws -> [Double] {
        try checkRange(from, to)
        try checkCount((to - from) / 3600, atMost: Self.mostBuckets)
        var edges: [Double] = []
        let days = try self.edges(from: from, to: to, by: .day)
        for (day, next) in zip(days, days.dropFirst()) {
            var edge = day
            while edge < next {
                if edge + 3600 > from || next <= edge + 3600 && next > from { edges.append(edge) }
                if edge >= to { return edges }
                edge += 3600
            }
        }
        if let end = days.last { edges.append(end) }
        return edges
    }

    /// Each costs a calendar's arithmetic, all together a few seconds.
    private static let mostBuckets = 400_000.0
    /// Those of hours and less, which are added up.
    private static let mostAbsoluteBuckets = 10_000_000.0

    private func checkCount(_ count: Double, atMost most: Double) throws {
        guard count < most else { throw tooMany(most) }
    }

    private func tooMany(_ most: Double) -> StoreError {
        let number =
            most < 1e6
            ? "\(Int(clamping: most / 1e3)),000" : "\(Int(clamping: most / 1e6)) million"
        return StoreError(
            .invalidArgument,
            "The range has more than \(number) buckets: ask for longer "
                + "buckets or for less time.")
    }

    private func checkRange(_ from: Double, _ to: Double) throws {
        guard from.isFinite, to.isFinite, abs(from) < 1e12, abs(to) < 1e12, from < to else {
            throw StoreError(
                .invalidArgument,
                "The time asked for is empty or endless: its end must come after its start.")
        }
    }

    /// Borders of buckets of any calendar interval, extending both ways from an anchor.
    ///
    /// Border n is `anchor + n × interval` in the calendar, so from 31 January every month:
    /// 29 February, 31 March, 30 April. Hours and less are absolute.
    ///
    /// - Parameter interval: Years, months, weeks, days, hours, minutes and seconds.
    /// - Throws: ``StoreError`` if the interval has no positive length or other components, or as for
    ///   ``edges(from:to:by:)``; of hours and less ten million buckets are allowed.
    /// - Complexity: O(buckets).
    public func edges(
        from: Double, to: Double, every interval: DateComponents, anchoredAt anchor: Double
    ) throws -> [Double] {
        let steps = try steps(from, to, interval, anchor)
        try checkCount(
            (to - from) / steps.length,
            atMost: steps.isAbsolute ? Self.mostAbsoluteBuckets : Self.mostBuckets)
        var edges: [Double] = []
        steps.forEachEdge(from: from, to: to) {
            edges.append($0)
            return true
        }
        return edges
    }

    /// Calls a body with the borders that ``edges(from:to:every:anchoredAt:)`` would list, one by one
    /// and however many, until it answers false.
    ///
    /// - Throws: As that does, but for the number of buckets.
    /// - Complexity: O(borders).
    public func forEachEdge(
        from: Double, to: Double, every interval: DateComponents, anchoredAt anchor: Double,
        _ body: (Double) -> Bool
    ) throws {
        try steps(from, to, interval, anchor).forEachEdge(from: from, to: to, body)
    }

    private func steps(
        _ from: Double, _ to: Double, _ interval: DateComponents, _ anchor: Double
    ) throws -> CalendarSteps {
        try checkRange(from, to)
        let steps = CalendarSteps(
            interval, from: Date(timeIntervalSinceReferenceDate: anchor), calendar)
        guard abs(anchor) < 1e12, let steps else {
            throw StoreError(
                .invalidArgument,
                "Buckets need a moment to count from and a length of at least a second, in years, "
                    + "months, weeks, days, hours, minutes and seconds.")
        }
        return steps
    }
}

/// Counts whole calendar intervals from an anchor, forwards and backwards.
private struct CalendarSteps {
    private let interval: DateComponents
    private let anchor: Date
    private let calendar: Calendar
    /// Seconds of the first interval, one at least.
    let length: Double
    /// All intervals have that length, in any calendar: hours, minutes and seconds.
    let isAbsolute: Bool
    private static let parts: [Calendar.Component] = [
        .year, .month, .weekOfYear, .day, .hour, .minute, .second,
    ]

    /// Nil if the interval has components that cannot be counted, negative ones (a year less 366 days
    /// runs backwards in most years) or far too large ones.
    init?(_ interval: DateComponents, from anchor: Date, _ calendar: Calendar) {
        var known = DateComponents()
        for part in CalendarSteps.parts {
            let count = interval.value(for: part) ?? 0
            guard (0..<1_000_000_000).contains(count) else { return nil }
            if count != 0 { known.setValue(count, for: part) }
        }
        for part in [
            Calendar.Component.era, .quarter, .weekOfMonth, .yearForWeekOfYear, .nanosecond,
        ]
        where interval.value(for: part) ?? 0 != 0 {
            return nil
        }
        let first = calendar.date(byAdding: known, to: anchor)
        guard let length = first?.timeIntervalSince(anchor), length >= 1 else { return nil }
        self.interval = known
        self.anchor = anchor
        self.calendar = calendar
        isAbsolute = ![known.year, known.month, known.weekOfYear, known.day]
            .contains { $0 != nil }
        let (minutes, seconds) = (Double(known.minute ?? 0), Double(known.second ?? 0))
        self.length =
            isAbsolute ? Double(known.hour ?? 0) * 3600 + minutes * 60 + seconds : length
    }

    /// The borders from the last at or before `from` to the first at or after `to`, until the body
    /// answers false.
    func forEachEdge(from: Double, to: Double, _ body: (Double) -> Bool) {
        let distance = from - anchor.timeIntervalSinceReferenceDate
        var index = Int(clamping: (distance / length).rounded(.down))
        while let edge = border(index), edge > from { index -= 1 }
        while let edge = border(index + 1), edge <= from { index += 1 }
        var last = -Double.infinity
        while let edge = border(index) {
            if edge > last, !body(edge) || edge >= to { return }
            last = max(last, edge)
            index += 1
        }
    }

    /// The moment n intervals behind the anchor.
    func border(_ n: Int) -> Double? {
        if isAbsolute { return anchor.timeIntervalSinceReferenceDate + Double(n) * length }
        var scaled = DateComponents()
        for part in CalendarSteps.parts {
            guard let count = interval.value(for: part) else { continue }
            let (product, overflows) = count.multipliedReportingOverflow(by: n)
            if overflows { return nil }
            scaled.setValue(product, for: part)
        }
        return calendar.date(byAdding: scaled, to: anchor)?.timeIntervalSinceReferenceDate
    }
}
