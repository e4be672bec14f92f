package import Foundation
package import HealthCalendar
import HealthDashboard
import HealthEngine
package import HealthStorage

extension DataQualityPage {
    /// The part of a store that an examination by day covers.
    package struct Range: Hashable, Sendable {
        /// How far the examination goes back from the store's newest sample, in days of 24 hours.
        package var days: Int
        /// The maximum number of samples of a type. If there are more, only the complete days with
        /// the newest ones are examined, but at least one day.
        package var samplesPerType: Int

        package init(days: Int, samplesPerType: Int) {
            self.days = days
            self.samplesPerType = samplesPerType
        }

        /// The standard range: 400 days, with up to 30,000 samples of each type.
        package static let standard = Range(days: 400, samplesPerType: 30_000)
        /// 40,000 days (about 109 years), with all their samples.
        package static let everything = Range(days: 40_000, samplesPerType: .max / 2)
    }

    /// Examines a store.
    ///
    /// Days count back from the newest sample that has begun instead of from today. Otherwise, in
    /// an old export all sources would seem to have stopped.
    ///
    /// - Parameters:
    ///   - store: The store to examine.
    ///   - range: The days and samples to examine by day. Wrong dates, imports and excluded sources
    ///     are searched for in the whole store.
    ///   - calendar: The calendar and time zone of days.
    ///   - now: The current time.
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(*n*) in the samples in the range.
    package init(
        _ store: SampleStore, range: Range = .standard, in calendar: CalendarBuckets, now: Date
    ) throws {
        let moment = now.timeIntervalSinceReferenceDate
        let types = try store.presentTypes().filter { $0.kind != .activitySummary }
        let newest = try types.compactMap { type in
            try store.start(ofNewest: 0, of: type, from: -.infinity, to: moment)
        }.max()
        self.init(
            freshness: Freshness(asOf: now, isCurrent: true),
            timeZone: calendar.calendar.timeZone.identifier, sentence: "", findings: [],
            examined: nil)
        var check = DataQualityCheck(store, calendar, now: moment)
        try check.checkClocks(types)
        try check.checkImports()
        if let newest {
            let end = calendar.start(of: .day, at: newest)
            let oldest = try store.starts(of: types)?.lowerBound
            let earliest = newest - Double(range.days) * DataQualityCheck.dayLength
            let from = calendar.start(of: .day, at: max(oldest ?? newest, earliest))
            let edges = try calendar.edges(from: from, to: end.nextUp, by: .day)
            let asked = try types.filter { $0.kind == .quantity || $0.kind == .category }
                .map { ($0, try DataQualityPage.edges(edges, of: $0, range, store)) }
            for activity in try store.activity(of: asked) { try check.check(activity) }
            check.checkInactiveSources(newest: newest)
            examined = DateInterval(
                start: Date(timeIntervalSinceReferenceDate: from),
                end: Date(timeIntervalSinceReferenceDate: edges.last ?? end))
            notes = check.notes(days: edges.count - 1)
        }
        try check.checkDayTotals()
        try check.checkSilence()
        comparison = try ComparedType.all(of: store, in: calendar, now: moment)
        let kinds = Kind.allCases
        findings = check.findings.sorted { a, b in
            let (x, y) = (kinds.firstIndex(of: a.kind) ?? 0, kinds.firstIndex(of: b.kind) ?? 0)
            if x != y { return x < y }
            let never = CivilDate(1, 1, 1)
            return (b.since ?? never, a.sentence) < (a.since ?? never, b.sentence)
        }
        sentence = DataQualityPage.sentence(findings, examined)
    }

    /// Returns the borders of the days to examine of a type: all of `edges`, or the last ones whose
    /// days together have at most the maximum number of samples, but at least one day.
    private static func edges(
        _ edges: [Double], of type: SampleType, _ range: Range, _ store: SampleStore
    ) throws -> [Double] {
        guard let first = edges.first, let last = edges.last,
            let start = try store.start(
                ofNewest: range.samplesPerType, of: type, from: first, to: last)
        else { return edges }
        let kept = edges.firstIndex { $0 >= start } ?? edges.count - 2
        return Array(edges[min(kept, max(0, edges.count - 2))...])
    }

    private static func sentence(_ findings: [Finding], _ examined: DateInterval?) -> String {
        if findings.isEmpty {
            return examined == nil
                ? "No data to check yet: the store has no samples."
                : "No problems found."
        }
        let kinds = Kind.allCases.compactMap { kind -> String? in
            let count = findings.filter { $0.kind == kind }.count
            return count == 0 ? nil : counted(count, kind.words.one, kind.words.many)
        }
        return counted(findings.count, "finding", "findings") + ": "
            + kinds.joined(separator: ", ") + "."
    }
}

extension DataQualityPage.Kind {
    fileprivate var words: (one: String, many: String) {
        switch self {
        case .silentDevice: ("silent device", "silent devices")
        case .missingType: ("device with missing types", "devices with missing types")
        case .partialTotals: ("device with incomplete totals", "devices with incomplete totals")
        case .inactiveSource: ("inactive source", "inactive sources")
        case .dayTotals: ("source of daily totals", "sources of daily totals")
        case .impossibleValue: ("implausible value", "implausible values")
        case .twoTrackers: ("pair of overlapping sources", "pairs of overlapping sources")
        case .clockJump: ("wrong date", "wrong dates")
        case .quarantined: ("import with quarantined data", "imports with quarantined data")
        }
    }
}
