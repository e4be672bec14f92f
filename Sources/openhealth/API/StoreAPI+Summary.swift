import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

extension StoreAPI {
    /// Returns the overview of a day, a week or a month: the JSON of `summary`. What the token
    /// doesn't permit is left out.
    func summary(_ request: APIRequest) async throws -> String {
        let calendar = try await queue.run { try request.calendar(of: store, timeZone).calendar }
        let context = PageContext(calendar: calendar, stepGoal: stepGoal)
        let reading = try Summary.service(
            store, context, StoreRevisions(store: store),
            visibility: request.scope.visibilityOfPermittedTypes)
        let service = PermittedHealthService(
            service: reading, scope: request.scope, calendar: calendar)
        let day: CivilDate
        if let requested = try request.day(context) {
            day = requested
        } else if request.scope.types == nil {
            day = try await reading.latestDay() ?? context.today
        } else {
            day = try await latestDay(context, request.scope)
        }
        do {
            var page = try await SummaryPage(
                of: service, try request.period, on: day, context: context)
            // They name types and devices, also such as the token may not permit.
            if request.scope == ReadScope() {
                page.notices = try await queue.run { try Summary.notices(store, context) }
            }
            return String(decoding: try page.json(), as: UTF8.self) + "\n"
        } catch Unavailability.notDetermined {
            throw APIProblem.notPermitted("This token permits nothing that the summary shows.")
        }
    }

    /// Returns the last day, at most today, on which a permitted sample of the types that determine
    /// the latest day starts.
    private func latestDay(_ context: PageContext, _ scope: ReadScope) async throws -> CivilDate {
        let metrics: [Metric] = [.steps, .activeEnergy, .heartRate, .sleep, .weight]
        let types = metrics.map(\.identifier).filter(scope.allows)
            .compactMap { Catalogue.type(identifier: $0) }
        let starts = try await queue.run { try store.starts(of: types) }
        guard let last = starts?.upperBound else { return context.today }
        let moment = min(last, context.now.timeIntervalSinceReferenceDate)
        return context.calendar.civilDate(of: Date(timeIntervalSinceReferenceDate: moment))
    }
}

extension APIRequest {
    /// Returns the day of `day`: a date, "today" or "yesterday"; nil if it is missing.
    fileprivate func day(_ context: PageContext) throws -> CivilDate? {
        switch self["day"] {
        case nil: return nil
        case "today": return context.today
        case "yesterday": return context.today.advanced(by: -1)
        case .some(let text):
            do {
                return try CivilDate(validating: text)
            } catch {
                throw UsageError("“\(text.prefix(40))” \(error.reason)")
            }
        }
    }

    fileprivate var period: SummaryPage.Period {
        get throws {
            guard let text = self["period"] else { return .day }
            guard let period = SummaryPage.Period(rawValue: text) else {
                throw UsageError("“\(text.prefix(40))” is not one of day, week, month, year.")
            }
            return period
        }
    }
}

/// A service that returns only what a read token permits. Other types are answered as if reading
/// them had not been authorized, and buckets, days and nights that begin before the token's
/// earliest time have no values.
struct PermittedHealthService: HealthService {
    let service: HealthKitService
    let scope: ReadScope
    let calendar: Calendar

    private var earliest: Date {
        scope.earliest.map { Date(timeIntervalSinceReferenceDate: $0) } ?? .distantPast
    }

    private func require(_ metric: Metric) throws(Unavailability) {
        if !scope.allows(metric.identifier) { throw .notDetermined }
        // Nights have the times of single samples, and so have workouts.
        if scope.isAggregatedOnly, [.sleep, .workouts].contains(metric) { throw .notDetermined }
    }

    func series(
        _ metric: Metric, by step: CalendarStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries {
        try require(metric)
        var series = try await service.series(metric, by: step, over: range)
        for index in series.points.indices where series.points[index].start < earliest {
            series.points[index].value = nil
            series.points[index].minimum = nil
            series.points[index].maximum = nil
        }
        return series
    }

    func total(_ metric: Metric, on day: CivilDate) async throws(Unavailability) -> DayTotal {
        try require(metric)
        var total = try await service.total(metric, on: day)
        if total.interval.start < earliest { (total.value, total.shares) = (nil, []) }
        return total
    }

    func nights(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [SleepNight] {
        try require(.sleep)
        return try await service.nights(days).filter { $0.begin >= earliest }
    }

    func rings(_ days: ClosedRange<CivilDate>) async throws(Unavailability) -> [ActivityRings] {
        try require(.rings)
        return try await service.rings(days)
            .filter { (calendar.interval(of: $0.day)?.start ?? .distantPast) >= earliest }
    }

    func workouts(
        _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WorkoutSummary] {
        try require(.workouts)
        return try await service.workouts(range, limit: limit).filter { $0.start >= earliest }
    }

    func workout(_ id: UUID) async throws(Unavailability) -> WorkoutDetail? {
        try require(.workouts)
        let workout = try await service.workout(id)
        return workout.flatMap { $0.summary.start >= earliest ? $0 : nil }
    }

    func readings(
        _ metric: Metric, _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WeightPage.Reading] {
        try require(metric)
        return try await service.readings(metric, range, limit: limit)
            .filter { $0.date >= earliest }
    }

    func metrics() async throws(Unavailability) -> [Metric] {
        try await service.metrics().filter { scope.allows($0.identifier) }
    }

    func revisions(of metrics: [Metric]) async throws(Unavailability) -> [Metric: Revision] {
        try await service.revisions(of: metrics)
    }

    var changes: AsyncStream<Void> { service.changes }
}
