public import Foundation
import HealthEngine

// Calendar intervals counted from an anchor (Semantics §5.4–5.5). Border n is
// `anchor + n × interval`. It is never computed from boundary n - 1, so that an anchor on the 31st
// does not drift.
extension CalendarBuckets {
    /// Returns the boundaries of the buckets that cover `[from, to)`, for any calendar interval
    /// from an anchor.
    ///
    /// Boundary n is `anchor + n × interval` in ``calendar``. From 31 January of a leap year,
    /// monthly boundaries are 29 February, 31 March, 30 April. Intervals that have only hours,
    /// minutes and seconds have a fixed length.
    ///
    /// - Parameters:
    ///   - from: The start of the range (inclusive), in reference seconds.
    ///   - to: The end of the range (exclusive), in reference seconds.
    ///   - interval: Years, months, weeks (`weekOfYear`), days, hours, minutes and seconds, none
    ///     negative and each below 1,000,000,000.
    ///   - anchor: The time of boundary 0, in reference seconds. It can be outside the range.
    /// - Returns: The boundaries in ascending order, one more than buckets. The first is at or
    ///   before `from`, the last at or after `to`.
    /// - Throws: ``CalendarError`` if the interval is shorter than a second or has other
    ///   components, or if the range is empty. Also if a bound or the anchor is not finite or is
    ///   10^12 seconds or more from the reference date. Also for 400,000 buckets or more
    ///   (10,000,000 for a fixed length), estimated from the length of the first interval.
    /// - Complexity: O(buckets).
    public func edges(
        from: Double, to: Double, every interval: DateComponents, anchoredAt anchor: Double
    ) throws(CalendarError) -> [Double] {
        let steps = try steps(from, to, interval, anchor)
        try checkCount(
            (to - from) / steps.length,
            atMost: steps.isAbsolute ? Self.maximumAbsoluteBuckets : Self.maximumBuckets)
        var edges: [Double] = []
        steps.forEachEdge(from: from, to: to) {
            edges.append($0)
            return true
        }
        return edges
    }

    /// Calls a closure with each boundary that ``edges(from:to:every:anchoredAt:)`` returns,
    /// without a limit of their number.
    ///
    /// - Parameters:
    ///   - from: The start of the range (inclusive), in reference seconds.
    ///   - to: The end of the range (exclusive), in reference seconds.
    ///   - interval: Years, months, weeks (`weekOfYear`), days, hours, minutes and seconds, none
    ///     negative and each below 1,000,000,000.
    ///   - anchor: The time of boundary 0, in reference seconds. It can be outside the range.
    ///   - body: Called with each boundary in ascending order. Return false to stop.
    /// - Throws: ``CalendarError`` if the interval is shorter than a second or has other
    ///   components, or if the range is empty. Also if a bound or the anchor is not finite or is
    ///   10^12 seconds or more from the reference date.
    /// - Complexity: O(boundaries).
    package func forEachEdge(
        from: Double, to: Double, every interval: DateComponents, anchoredAt anchor: Double,
        _ body: (Double) -> Bool
    ) throws(CalendarError) {
        try steps(from, to, interval, anchor).forEachEdge(from: from, to: to, body)
    }

    private func steps(
        _ from: Double, _ to: Double, _ interval: DateComponents, _ anchor: Double
    ) throws(CalendarError) -> CalendarSteps {
        try checkRange(from, to)
        let steps = CalendarSteps(
            interval, from: Date(timeIntervalSinceReferenceDate: anchor), calendar)
        guard abs(anchor) < 1e12, let steps else { throw .noInterval }
        return steps
    }
}

/// Computes the boundaries of calendar intervals before and after an anchor.
private struct CalendarSteps {
    private let interval: DateComponents
    private let anchor: Date
    private let calendar: Calendar
    /// The length in seconds of the interval that starts at the anchor, at least 1. Other intervals
    /// can be longer or shorter, as months are.
    let length: Double
    /// Whether every interval is exactly `length` seconds long, because it has only hours, minutes
    /// and seconds.
    let isAbsolute: Bool
    private static let parts: [Calendar.Component] = [
        .year, .month, .weekOfYear, .day, .hour, .minute, .second,
    ]

    /// Returns nil for an interval with unsupported or negative components, with a component of
    /// 1,000,000,000 or more, or with a length below one second. Negative components are refused
    /// because an interval of a year minus 366 days goes backwards in most years.
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

    /// Calls `body` with the boundaries from the last at or before `from` to the first at or after
    /// `to`, in ascending order. Stops early if `body` returns false or a boundary cannot be
    /// computed.
    func forEachEdge(from: Double, to: Double, _ body: (Double) -> Bool) {
        let distance = from - anchor.timeIntervalSinceReferenceDate
        var index = Int(clamping: (distance / length).rounded(.down))
        while let edge = boundary(index), edge > from { index -= 1 }
        while let edge = boundary(index + 1), edge <= from { index += 1 }
        var last = -Double.infinity
        while let edge = boundary(index) {
            if edge > last, !body(edge) || edge >= to { return }
            last = max(last, edge)
            index += 1
        }
    }

    /// Returns the time n intervals after the anchor in reference seconds, or nil if the calendar
    /// cannot compute it.
    func boundary(_ n: Int) -> Double? {
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
