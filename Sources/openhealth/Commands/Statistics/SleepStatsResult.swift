import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage
import OpenHealthKit

/// The output of `stats` for sleep, from the same nights as `summary` and the Sleep page.
///
/// A night isn't divided at midnight. By day, week, month and year, and in total, it counts in the
/// bucket that contains the night's day. By hour it is divided between the hours.
struct SleepStatsResult {
    /// The rule that assigns a night to a day, as stated in text and JSON output.
    static let nightDefinition =
        "A night is counted on one day: the day whose 24 hours up to 18:00 contain its midpoint, "
        + "usually the day it ends on. Naps are counted separately."

    /// The totals over the nights of a bucket.
    struct Amounts: Sendable {
        var nights = 0
        /// The number of nights of which the time asleep is known.
        var nightsAsleep = 0
        /// Seconds asleep; nil if no source recorded sleep.
        var asleep: Double?
        /// Seconds in bed; nil if no source recorded them. Always nil by hour.
        var inBed: Double?
        /// Seconds by stage, except time in bed without a stage.
        var stages: [SleepStage: Double] = [:]
        var naps = 0
        /// Seconds asleep in naps.
        var napped = 0.0
    }

    struct Bucket: Sendable {
        var start: Double
        var end: Double
        var amounts = Amounts()
        /// The interval of the night; set only by day.
        var night: DateInterval?
        /// From falling asleep to waking up, without time in bed before and after; set only by day,
        /// if sleep is known.
        var asleep: DateInterval?
        /// The totals of each source if only its data counted, highest priority first; nil unless
        /// requested.
        var sources: [(source: Source, amounts: Amounts)]?
    }

    var type: SampleType
    var calendar: CalendarBuckets
    var step: Step
    /// The buckets with data, in order.
    var buckets: [Bucket] = []
    /// Whether the buckets are in order of time asleep instead of time.
    var isRanked = false
    var excluded: [ExcludedSource]
    /// The sources selected with `--source`; empty for all.
    var chosen: [String]

    @MainActor init(
        _ store: SampleStore, _ query: SampleQuery, by step: Step,
        _ separation: StatisticsRules.Separation, _ calendar: CalendarBuckets
    ) async throws {
        type = query.type
        (self.calendar, self.step, chosen) = (calendar, step, query.sources)
        excluded = try store.exclusions(visibility: query.visibility)
            .filter { $0.type == query.type }.map(\.excluded)
        let reading = NightReader(store: store, query: query, step, calendar)
        let named = try UsageError.checking {
            try query.sources.map { try store.bundleIdentifier(ofSource: $0) }
        }
        let nights = try await reading.nights(from: named.isEmpty ? nil : Set(named))
        let edges = try reading.edges(of: nights)
        var parts = SleepStatsResult.fill(edges, nights, step, calendar)
        if separation == .bySource {
            for index in parts.keys { parts[index]?.sources = [] }
            let summaries = try store.sources(of: type, visibility: query.visibility)
            for summary in summaries where !summary.isExcluded {
                let identifier = summary.bundleIdentifier
                if !named.isEmpty, !named.contains(identifier) { continue }
                let own = SleepStatsResult.fill(
                    edges, try await reading.nights(from: [identifier]), step, calendar)
                let source = Source(name: summary.name, bundleIdentifier: identifier)
                for (index, bucket) in own {
                    parts[index, default: Bucket(start: bucket.start, end: bucket.end)]
                        .sources = (parts[index]?.sources ?? []) + [(source, bucket.amounts)]
                }
            }
        }
        buckets = parts.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the buckets with data, by the index of their start among the edges.
    private static func fill(
        _ edges: [Double], _ nights: [SleepNight], _ step: Step, _ calendar: CalendarBuckets
    ) -> [Int: Bucket] {
        var buckets: [Int: Bucket] = [:]
        func change(_ index: Int, _ body: (inout Bucket) -> Void) {
            body(&buckets[index, default: Bucket(start: edges[index], end: edges[index + 1])])
        }
        for night in nights {
            if step == .each(.hour) {
                for (index, amounts) in Amounts.byHour(night, edges) {
                    change(index) { $0.amounts.add(amounts) }
                }
                continue
            }
            guard let morning = calendar.calendar.interval(of: night.morning)?.start,
                let index = edges.bucket(holding: morning.timeIntervalSinceReferenceDate)
            else { continue }
            change(index) {
                $0.amounts.add(Amounts(night))
                guard step == .each(.day) else { return }
                $0.night = night.interval
                let parts = night.mergedIntervals.filter(\.stage.isAsleep)
                $0.asleep = parts.first.flatMap { first in
                    parts.map(\.end).max().map { DateInterval(start: first.start, end: $0) }
                }
            }
        }
        return buckets
    }
}

extension SleepStatsResult.Amounts {
    init(_ night: SleepNight) {
        nights = 1
        nightsAsleep = night.asleep == nil ? 0 : 1
        (asleep, inBed) = (night.asleep, night.inBed)
        for mergedInterval in night.mergedIntervals where mergedInterval.stage != .inBed {
            stages[mergedInterval.stage, default: 0] += mergedInterval.end.timeIntervalSince(
                mergedInterval.start)
        }
        (naps, napped) = (night.naps.count, night.napped)
    }

    mutating func add(_ other: SleepStatsResult.Amounts) {
        nights += other.nights
        nightsAsleep += other.nightsAsleep
        asleep = other.asleep.map { $0 + (asleep ?? 0) } ?? asleep
        inBed = other.inBed.map { $0 + (inBed ?? 0) } ?? inBed
        stages.merge(other.stages, uniquingKeysWith: +)
        naps += other.naps
        napped += other.napped
    }

    /// Returns the parts of a night and of its naps in each hour, by the index of the hour's start
    /// among the edges.
    static func byHour(_ night: SleepNight, _ edges: [Double]) -> [Int: Self] {
        var hours: [Int: Self] = [:]
        func cut(_ mergedInterval: SleepNight.MergedInterval, _ body: (inout Self, Double) -> Void)
        {
            let start = mergedInterval.start.timeIntervalSinceReferenceDate
            let end = mergedInterval.end.timeIntervalSinceReferenceDate
            guard let first = edges.first,
                var index = edges.bucket(holding: Swift.max(first, start))
            else { return }
            while index + 1 < edges.count, edges[index] < end {
                let seconds = Swift.min(end, edges[index + 1]) - Swift.max(start, edges[index])
                if seconds > 0 { body(&hours[index, default: Self()], seconds) }
                index += 1
            }
        }
        for mergedInterval in night.mergedIntervals where mergedInterval.stage != .inBed {
            cut(mergedInterval) { amounts, seconds in
                amounts.stages[mergedInterval.stage, default: 0] += seconds
                if mergedInterval.stage.isAsleep {
                    amounts.asleep = (amounts.asleep ?? 0) + seconds
                }
            }
        }
        for mergedInterval in night.naps.joined() where mergedInterval.stage.isAsleep {
            cut(mergedInterval) { $0.napped += $1 }
        }
        return hours
    }
}

/// Reads the nights of a query's range. Nights that begin before the earliest visible time are
/// left out.
struct NightReader {
    /// The number of days after the first that are read at a time, which limits memory.
    private static let maximumDays = 400
    /// The last day that is read if the range has no end.
    private static let last = CivilDate(4000, 1, 1)

    let store: SampleStore
    let query: SampleQuery
    let step: Step
    let calendar: CalendarBuckets

    init(
        store: SampleStore, query: SampleQuery, _ step: Step, _ calendar: CalendarBuckets
    ) {
        (self.store, self.query) = (store, query)
        (self.step, self.calendar) = (step, calendar)
    }

    /// The days that the range overlaps; by hour also the day after, to which sleep in the evening
    /// belongs.
    private var days: ClosedRange<CivilDate> {
        let (from, to) = (query.from, query.to)
        let first = from == -.infinity ? nil : CivilDate(calendar.day(from))
        let last = to == .infinity ? nil : CivilDate(calendar.day(to.nextDown))
        let begin = min(max(first ?? CivilDate(1, 1, 3), CivilDate(1, 1, 3)), NightReader.last)
        // Sleep in the evening of the last day belongs to the day after.
        let end = last.map { step == .each(.hour) ? $0.advanced(by: 1) : $0 } ?? NightReader.last
        return begin...max(begin, min(end, NightReader.last))
    }

    /// Returns the nights of the range, oldest first.
    ///
    /// - Parameter chosen: The bundle identifiers of the sources to read; nil for all.
    @MainActor func nights(from chosen: Set<String>?) async throws -> [SleepNight] {
        let context = PageContext(calendar: calendar.calendar, stepGoal: nil)
        let revisions = StoreRevisions(store: store)
        let service = try Summary.service(store, context, revisions)
        defer { withExtendedLifetime(store) {} }
        var nights: [SleepNight] = []
        var next = days.lowerBound
        while next <= days.upperBound, let begin = try firstDay(from: next) {
            if begin > days.upperBound { break }
            let end = min(days.upperBound, begin.advanced(by: NightReader.maximumDays))
            let earliest = query.visibility[query.type.code].earliest ?? -.infinity
            nights += try await service.nights(begin...end, from: chosen)
                .filter { $0.begin.timeIntervalSinceReferenceDate >= earliest }
            next = end.advanced(by: 1)
        }
        return nights
    }

    /// Returns the first day, from a given one on, that may have a night; nil if no sleep follows.
    private func firstDay(from day: CivilDate) throws -> CivilDate? {
        let start = calendar.calendar.interval(of: day)?.start.timeIntervalSinceReferenceDate
        let from = start.map { $0 - SleepNights.longestLead } ?? -.infinity
        let remaining = SampleQuery(query.type, from: from)
        guard let first = try store.extent(of: remaining)?.first else { return nil }
        return max(day, CivilDate(calendar.day(first)) ?? day)
    }

    /// Returns the borders of the buckets. They cover the requested range, extended to whole days
    /// unless by hour. An open end is that of the nights. Empty without nights.
    func edges(of nights: [SleepNight]) throws -> [Double] {
        guard let extent = extent(of: nights) else { return [] }
        let from = query.from == -.infinity ? extent.from : start(query.from)
        let to = query.to == .infinity ? extent.to : end(query.to)
        guard from < to else { return [] }
        guard let unit = step.calendarStep else { return [from, to] }
        let bounds = (
            from: query.from == -.infinity ? query.from : from,
            to: query.to == .infinity ? query.to : to
        )
        return try UsageError.checking {
            try calendar.edges(from: from, to: to, by: unit, within: bounds)
        }
    }

    private func extent(of nights: [SleepNight]) -> (from: Double, to: Double)? {
        guard let first = nights.first, let last = nights.last else { return nil }
        if step == .each(.hour) {
            let mergedIntervals = nights.flatMap { [$0.mergedIntervals] + $0.naps }.joined()
            guard let begin = mergedIntervals.map(\.start).min(),
                let end = mergedIntervals.map(\.end).max()
            else { return nil }
            return (begin.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
        }
        guard let begin = calendar.calendar.interval(of: first.morning),
            let end = calendar.calendar.interval(of: last.morning)
        else { return nil }
        return (
            begin.start.timeIntervalSinceReferenceDate, end.end.timeIntervalSinceReferenceDate
        )
    }

    private func start(_ time: Double) -> Double {
        step == .each(.hour) ? time : calendar.start(of: .day, at: time)
    }

    private func end(_ time: Double) -> Double {
        if step == .each(.hour) || calendar.start(of: .day, at: time) == time { return time }
        return calendar.end(of: .day, at: time)
    }
}

extension SleepNight {
    /// The start of the night or of its first nap.
    var begin: Date { naps.joined().map(\.start).reduce(interval.start, min) }
}

extension [Double] {
    /// Returns the index of the bucket that contains a time. The elements are borders in ascending
    /// order: bucket `i` is `[self[i], self[i + 1])`.
    ///
    /// - Complexity: O(log *n*).
    fileprivate func bucket(holding time: Double) -> Int? {
        guard let first, let last, first <= time, time < last else { return nil }
        return lastBoundary(atOrBefore: time)
    }
}
