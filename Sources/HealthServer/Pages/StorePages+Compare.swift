import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension StorePages {
    /// The number of days of a period that isn't requested.
    private static let comparedDays = 28
    private static let maximumDays = 4_000

    /// The comparison of two periods, of two types, or of the days after workouts with others.
    @Sendable func compare(_ query: PageQuery) async throws -> ComparePage {
        let kind = try query.choice("kind", of: ComparePage.Kind.self) ?? .periods
        let standard = kind == .workouts ? "sleepAnalysis" : "stepCount"
        let (metric, type) = try comparedMetric(query["metric"] ?? standard)
        switch kind {
        case .periods: return try await comparePeriods(metric, type, query)
        case .types:
            let (other, _) = try comparedMetric(query["other"] ?? "restingHeartRate")
            let days = try comparedDays(query, upTo: latestDay(of: type), count: 90)
            let (context, present) = (context, try presentMetrics())
            return try await current(
                "\(metric.shortName) and \(other.shortName) \(days)", context, of: [metric, other]
            ) { service async throws(Unavailability) in
                try await ComparePage(
                    of: service, metric, and: other, days, among: present, context: context)
            }
        case .workouts:
            let days = try comparedDays(query, upTo: latestDay(of: type), count: 90)
            let (context, present) = (context, try presentMetrics())
            return try await current(
                "\(metric.shortName) after workouts \(days)", context, of: [metric, .workouts]
            ) { service async throws(Unavailability) in
                try await ComparePage(
                    afterWorkouts: service, metric, days, among: present, context: context)
            }
        }
    }

    private func comparePeriods(
        _ metric: Metric, _ type: SampleType, _ query: PageQuery
    ) async throws -> ComparePage {
        let latest = try latestDay(of: type)
        let second = try comparedDays(
            query, "from2", "to2", upTo: latest, count: Self.comparedDays)
        let first = try comparedDays(
            query, upTo: second.lowerBound.advanced(by: -1), count: Self.comparedDays)
        let (context, present) = (context, try presentMetrics())
        return try await current(
            "\(metric.shortName) \(first) against \(second)", context, of: [metric]
        ) { service async throws(Unavailability) in
            try await ComparePage(
                of: service, metric, first, against: second, among: present, context: context)
        }
    }

    private func comparedMetric(_ name: String) throws -> (Metric, SampleType) {
        let type = try store.type(named: name)
        guard let metric = Metric(type) else {
            throw PageError.badRequest("“\(name.prefix(40))” has no values to compare.")
        }
        return (metric, type)
    }

    /// Returns the days in two fields, else a number of days up to one.
    private func comparedDays(
        _ query: PageQuery, _ from: String = "from", _ to: String = "to", upTo latest: CivilDate,
        count: Int
    ) throws -> ClosedRange<CivilDate> {
        let last = try day(to, of: query) ?? latest
        let first =
            try day(from, of: query)
            ?? max(last.advanced(by: 1 - count), CivilDate.supportedRange.lowerBound)
        guard first <= last else {
            throw PageError.badRequest("The range ends before it starts: \(first) to \(last).")
        }
        guard last.dayNumber - first.dayNumber < Self.maximumDays else {
            throw PageError.badRequest("At most \(Self.maximumDays) days can be compared.")
        }
        return first...last
    }
}
