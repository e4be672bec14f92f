public import Foundation

/// Where days, weeks and months begin: the one place that knows calendars.
///
/// Borders are always computed from an anchor (`anchor + n × interval`), never chained, so an anchor
/// on the 31st does not drift and a day without a midnight does not move the next one
/// (healthkit-semantics §5.4–5.5). Days may have 23 or 25 hours.
///
/// ```swift
/// let berlin = CalendarBuckets(timeZone: TimeZone(identifier: "Europe/Berlin")!)
/// let edges = try berlin.edges(from: march31, to: april1, by: .hour)   // 24 edges: a 23-hour day
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
    public func start(of unit: Unit, at time: Double) -> Double {
        let date = Date(timeIntervalSinceReferenceDate: time)
        let component: Calendar.Component =
            switch unit {
            case .hour: .hour
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        if unit == .hour { return startOfHour(time) }
        let start =
            calendar.dateInterval(of: component, for: date)?.start ?? calendar.startOfDay(for: date)
        return start.timeIntervalSinceReferenceDate
    }

    /// Hours are absolute; they begin where the zone's offset puts the full hour.
    private func startOfHour(_ time: Double) -> Double {
        let date = Date(timeIntervalSinceReferenceDate: time)
        let offset = Double(calendar.timeZone.secondsFromGMT(for: date))
        return ((time + offset) / 3600).rounded(.down) * 3600 - offset
    }

    /// The first moment of a day given as numbers, or nil if there is no such day in the calendar.
    public func start(year: Int, month: Int, day: Int) -> Double? {
        let components = DateComponents(year: year, month: month, day: day, hour: 12)
        guard let noon = calendar.date(from: components) else { return nil }
        let back = calendar.dateComponents([.year, .month, .day], from: noon)
        guard back.year == year, back.month == month, back.day == day else { return nil }
        return calendar.startOfDay(for: noon).timeIntervalSinceReferenceDate
    }

    /// Borders of whole buckets that together cover `[from, to)`, in order: one more than buckets.
    ///
    /// The first border is at or before `from`, the last at or after `to`. A day that the clocks or
    /// the zone skip begins at its first moment, or not at all.
    ///
    /// - Throws: ``StoreError`` if the range is empty, not finite, or more than ten million buckets.
    /// - Complexity: O(buckets).
    public func edges(from: Double, to: Double, by unit: Unit) throws -> [Double] {
        let interval: DateComponents
        switch unit {
        case .hour: return try hourEdges(from: from, to: to)
        case .day: interval = DateComponents(day: 1)
        case .week: interval = DateComponents(day: 7)
        case .month: interval = DateComponents(month: 1)
        case .year: interval = DateComponents(year: 1)
        }
        try checkRange(from, to)
        // Noon exists on every day, and n months after the first of one are the first of another.
        let noon = start(of: unit, at: from) + 12 * 3600
        let noons = try edges(from: noon, to: to + 36 * 3600, every: interval, anchoredAt: noon)
        var edges: [Double] = []
        for time in noons {
            let edge = startOfDay(Date(timeIntervalSinceReferenceDate: time))
            if let last = edges.last {
                if last >= to { break }
                if edge <= last { continue }
            }
            edges.append(edge)
        }
        return edges
    }

    private func startOfDay(_ date: Date) -> Double {
        calendar.startOfDay(for: date).timeIntervalSinceReferenceDate
    }

    private func checkRange(_ from: Double, _ to: Double) throws {
        guard from.isFinite, to.isFinite, from < to else {
            throw StoreError(.invalidArgument, "The range of time is empty or has no bounds.")
        }
    }

    /// Borders of buckets of any calendar interval, extending both ways from an anchor.
    ///
    /// - Throws: ``StoreError`` if the interval has no positive length, or as for ``edges(from:to:by:)``.
    public func edges(
        from: Double, to: Double, every interval: DateComponents, anchoredAt anchor: Double
    ) throws -> [Double] {
        try checkRange(from, to)
        guard anchor.isFinite else {
            throw StoreError(.invalidArgument, "An anchor must be a moment in time.")
        }
        let anchorDate = Date(timeIntervalSinceReferenceDate: anchor)
        let length = (border(1, from: anchorDate, interval) ?? anchor) - anchor
        guard length > 0 else {
            throw StoreError(.invalidArgument, "An interval of time must have a positive length.")
        }
        guard (to - from) / length < 10_000_000 else {
            throw StoreError(.invalidArgument, "That would be more than ten million buckets.")
        }
        var index = Int(((from - anchor) / length).rounded(.down))
        while let edge = border(index, from: anchorDate, interval), edge > from { index -= 1 }
        while let edge = border(index + 1, from: anchorDate, interval), edge <= from { index += 1 }
        var edges: [Double] = []
        while let edge = border(index, from: anchorDate, interval) {
            if edges.last.map({ edge > $0 }) ?? true { edges.append(edge) }
            if edge >= to { break }
            index += 1
        }
        return edges
    }

    private func border(_ n: Int, from anchor: Date, _ interval: DateComponents) -> Double? {
        var scaled = DateComponents()
        scaled.year = interval.year.map { $0 * n }
        scaled.month = interval.month.map { $0 * n }
        scaled.weekOfYear = interval.weekOfYear.map { $0 * n }
        scaled.day = interval.day.map { $0 * n }
        scaled.hour = interval.hour.map { $0 * n }
        scaled.minute = interval.minute.map { $0 * n }
        scaled.second = interval.second.map { $0 * n }
        return calendar.date(byAdding: scaled, to: anchor)?.timeIntervalSinceReferenceDate
    }

    /// Full local hours. Where a zone changes its offset by less than an hour, the hour of the change
    /// is shorter or longer.
    private func hourEdges(from: Double, to: Double) throws -> [Double] {
        try checkRange(from, to)
        guard (to - from) / 3600 < 10_000_000 else {
            throw StoreError(.invalidArgument, "That would be more than ten million buckets.")
        }
        var edges = [startOfHour(from)]
        while let last = edges.last, last < to {
            let next = startOfHour(last + 3600)
            edges.append(next > last ? next : last + 3600)
        }
        return edges
    }
}

// MARK: - Dates as people and scripts write them

extension CalendarBuckets {
    /// Reads "2024-03-10" (its first local moment) or ISO 8601 with an offset or Z.
    ///
    /// - Throws: ``StoreError`` naming the text that is no date.
    public func time(_ text: String) throws -> Double {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if text.count == 10, parts.count == 3, parts[0].count == 4, let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2]),
            let start = start(year: year, month: month, day: day)
        {
            return start
        }
        for fraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
            if let date = try? style.parse(text) { return date.timeIntervalSinceReferenceDate }
        }
        throw StoreError(
            .invalidArgument,
            "“\(text)” is no date: write 2024-03-10, or 2024-03-10T08:30:00+01:00.")
    }

    /// ISO 8601 with the local offset: "2024-03-31T00:00:00+01:00". Fractions of a second appear only
    /// where there are any.
    public func text(_ time: Double) -> String {
        guard time.isFinite else { return "" }
        let whole = time.rounded(.down)
        let date = Date(timeIntervalSinceReferenceDate: whole)
        let offset = calendar.timeZone.secondsFromGMT(for: date)
        let parts = CivilTime(reference: Int64(whole) + Int64(offset))
        var text = parts.text(separator: "T")
        let milliseconds = Int(((time - whole) * 1000).rounded())
        if milliseconds > 0 { text += "." + CivilTime.digits(min(milliseconds, 999), width: 3) }
        return text + CivilTime.offset(seconds: offset)
    }

    /// "2024-03-31", the local day of a moment.
    public func day(_ time: Double) -> String {
        let date = Date(timeIntervalSinceReferenceDate: time)
        let offset = calendar.timeZone.secondsFromGMT(for: date)
        return CivilTime(reference: Int64(time.rounded(.down)) + Int64(offset)).dayText
    }
}

/// Year to second without a zone: proleptic Gregorian arithmetic that costs nanoseconds.
struct CivilTime {
    var year, month, day, hour, minute, second: Int

    /// From seconds since 2001-01-01T00:00:00 on the same clock.
    init(reference seconds: Int64) {
        let days = Int((Double(seconds) / 86400).rounded(.down))
        let rest = Int(seconds) - days * 86400
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        // Days since 0000-03-01, in eras of 400 years (146,097 days).
        let z = days + 730_791
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var dayText: String {
        CivilTime.digits(year, width: 4) + "-" + CivilTime.digits(month, width: 2) + "-"
            + CivilTime.digits(day, width: 2)
    }

    func text(separator: String) -> String {
        dayText + separator + CivilTime.digits(hour, width: 2) + ":"
            + CivilTime.digits(minute, width: 2) + ":" + CivilTime.digits(second, width: 2)
    }

    static func digits(_ value: Int, width: Int) -> String {
        let text = String(value)
        return text.count >= width ? text : String(repeating: "0", count: width - text.count) + text
    }

    static func offset(seconds: Int) -> String {
        let size = abs(seconds)
        return (seconds < 0 ? "-" : "+") + digits(size / 3600, width: 2) + ":"
            + digits(size / 60 % 60, width: 2)
    }
}
