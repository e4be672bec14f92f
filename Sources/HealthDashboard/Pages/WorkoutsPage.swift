public import Foundation
import HealthCalendar
import HealthEngine

/// A list of workouts with weekly totals and records, or the details of one: `/workouts`,
/// `/workouts/UUID`.
public struct WorkoutsPage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/workouts"
    /// The title of the page.
    public static let title = "Workouts"
    /// The maximum number of listed workouts, unless another one is requested.
    public static let defaultLimit = 30

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// The workouts of the filter, the newest first, up to the requested limit.
    public var workouts: [WorkoutSummary]
    /// The number of all workouts; nil if it is not known.
    public var total: Int?
    /// The number of workouts of the filter; nil if it is not known.
    public var matching: Int?
    /// The `before=` parameter of the next page, which lists older workouts of the filter. Nil if
    /// there are none.
    public var older: Date?
    /// The end of the requested range; nil for a range without an end.
    public var before: Date?
    /// Which workouts are listed.
    public var filter: WorkoutFilter
    /// The activities of all workouts, the one with the most workouts first.
    public var activities: [WorkoutHistory.Activity]
    /// The totals of the filter's activity in twelve weeks, to the week of the newest workout of
    /// any activity.
    public var weeks: [WorkoutWeek]
    /// The records of the filter's activity, or of the five activities with the most workouts.
    public var records: [WorkoutRecord]
    /// The requested workout; nil if none was requested or found.
    public var detail: WorkoutDetail?
    /// The time in zones of heart rate of the requested workout; nil if it is not known.
    public var zones: HeartRateZones?
    /// The unit of the splits to show.
    public var splitUnit: WorkoutSplit.Unit
    /// The first line: the main result as an English sentence.
    public var sentence: String

    package init(
        freshness: Freshness, timeZone: String, workouts: [WorkoutSummary], total: Int? = nil,
        matching: Int? = nil, older: Date? = nil, before: Date? = nil,
        filter: WorkoutFilter = WorkoutFilter(), activities: [WorkoutHistory.Activity] = [],
        weeks: [WorkoutWeek] = [], records: [WorkoutRecord] = [], detail: WorkoutDetail?,
        zones: HeartRateZones? = nil, splitUnit: WorkoutSplit.Unit = .kilometre,
        sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.workouts = workouts
        self.total = total
        self.matching = matching
        self.older = older
        self.before = before
        self.filter = filter
        self.activities = activities
        self.weeks = weeks
        self.records = records
        self.detail = detail
        self.zones = zones
        self.splitUnit = splitUnit
        self.sentence = sentence
    }
}

extension WorkoutsPage {
    /// Reads the page of the workouts in a range.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of listed workouts, from 1 to 10,000; the newest of the range
    ///     are listed.
    ///   - filter: Which workouts of the range are listed.
    ///   - id: The identifier of the workout to show in detail, which need not be in the range; nil
    ///     for none.
    ///   - splitUnit: The unit of the splits to show.
    ///   - counts: The numbers of workouts; nil if they are not known.
    ///   - history: The history of all workouts; nil to read it.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``; ``Unavailability/notDetermined`` without requested
    ///   authorization for workouts. Heart rates and routes without requested authorization are
    ///   omitted.
    /// - Complexity: O(listed workouts) with a history. An activity is searched for in all workouts
    ///   of the range, 500 at a time.
    public init(
        of service: some HealthService, over range: DateInterval,
        limit: Int = WorkoutsPage.defaultLimit, filter: WorkoutFilter = WorkoutFilter(),
        chosen id: UUID? = nil, splitUnit: WorkoutSplit.Unit = .kilometre,
        counts: Counts? = nil, history: WorkoutHistory? = nil, context: PageContext
    ) async throws(Unavailability) {
        let all: WorkoutHistory
        if let history {
            all = history
        } else {
            all = try await WorkoutHistory(of: service, context: context)
        }
        var listing = try await Listing(
            of: service, over: range, limit: min(max(1, limit), 10_000), filter, all, context)
        if filter.hasDays, filter.activity == nil { listing.matching = counts?.inRange }
        var detail: WorkoutDetail?
        if let id { detail = try await service.workout(id) }
        let zones = try await detail.zones(of: service, context)
        self.init(
            freshness: context.freshness, timeZone: context.calendar.timeZone.identifier,
            workouts: listing.workouts, total: counts?.total ?? all.count,
            matching: listing.matching, older: listing.older,
            before: range.end < .distantFuture ? range.end : nil, filter: filter,
            activities: all.activities, weeks: all.weeks(of: filter.activity),
            records: all.records(of: filter.activity), detail: detail, zones: zones,
            splitUnit: splitUnit, sentence: "")
        sentence = detail.map { Self.sentence($0.summary, context) } ?? listSentence(context)
    }
}

extension WorkoutDetail? {
    /// Returns the time in zones of heart rate, from the highest heart rate of the workout's month
    /// and the twelve months before it. Nil without a workout or heart rate, and without requested
    /// authorization.
    fileprivate func zones(
        of service: some HealthService, _ context: PageContext
    ) async throws(Unavailability) -> HeartRateZones? {
        guard let workout = self, workout.heartRate.contains(where: { $0.value != nil }) else {
            return nil
        }
        let calendar = context.calendar
        let start = calendar.start(of: .month, 12, before: workout.summary.start)
        let end = calendar.interval(of: .month, containing: workout.summary.start).end
        let range = DateInterval(start: start, end: max(start, end))
        let series: HealthSeries
        do throws(Unavailability) {
            series = try await service.series(.heartRate, by: .month, over: range)
        } catch {
            guard error == .notDetermined else { throw error }
            return nil
        }
        return series.points.compactMap(\.maximum).filter(\.isFinite).max().flatMap { maximum in
            HeartRateZones(
                of: workout.heartRate, maximum: maximum, in: calendar.days(of: range))
        }
    }
}
