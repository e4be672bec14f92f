import Foundation
import HealthCalendar
package import HealthEngine

/// A comparison of two periods, of two types, or of the days after workouts with others: `/compare`.
package struct ComparePage: Page, Hashable {
    package static let path = "/compare"
    package static let title = "Compare"

    /// What is compared.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A type in two periods.
        case periods
        /// Two types on the same days.
        case types
        /// A type on days after a day with a workout, and on other days.
        case workouts
    }

    package var freshness: Freshness
    /// The IANA time zone that determines when days begin.
    package var timeZone: String
    package var kind: Kind
    package var metric: Metric
    /// The second of two types; nil for the other kinds.
    package var other: Metric?
    /// The metrics to choose from.
    package var metrics: [Metric]
    /// The first and the last day, included.
    package var first: CivilDate, last: CivilDate
    /// The days of the second period; nil for the other kinds.
    package var secondFirst: CivilDate?, secondLast: CivilDate?
    /// The daily values: of the first period, or of the first type.
    package var series: HealthSeries
    /// The daily values of the second period or type; nil for workouts.
    package var secondSeries: HealthSeries?
    /// The difference of the two groups; nil for two types, and with too few days.
    package var difference: MeanDifference?
    /// The correlation of two types; nil for the other kinds, and with too few days.
    package var correlation: RankCorrelation?
    /// The answer: "More steps: 9,120 a day on average, against 7,800".
    package var sentence: String
    /// How sure it is, with the numbers.
    package var confidence: String
    /// How it was computed.
    package var method: String
}

extension ComparePage {
    private static let differenceMethod =
        "Averages of the days with data. The 95 % interval is that of Welch’s t-test, for fewer days if "
        + "successive days resemble each other. If it contains zero, the difference may be chance. A day "
        + "that isn’t over doesn’t count."
    private static let correlationMethod =
        "Spearman’s rank correlation of days with both values: 1 means that a day with more of one always "
        + "has more of the other, 0 no relation, −1 the opposite. The 95 % interval counts fewer days if "
        + "successive days resemble each other. A relation doesn’t say what causes it."

    /// Compares a metric in two periods.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - first: The days of the first period.
    ///   - second: The days of the second period, which is compared with the first.
    ///   - metrics: The metrics to choose from.
    /// - Throws: ``Unavailability``.
    package init(
        of service: some HealthService, _ metric: Metric, _ first: ClosedRange<CivilDate>,
        against second: ClosedRange<CivilDate>, among metrics: [Metric], context: PageContext
    ) async throws(Unavailability) {
        let before = try await service.days(metric, first, context)
        let after = try await service.days(metric, second, context)
        let difference = MeanDifference(before.complete, after.complete)
        self.init(
            freshness: context.freshness, timeZone: context.calendar.timeZone.identifier,
            kind: .periods, metric: metric, metrics: metrics, first: first.lowerBound,
            last: first.upperBound, secondFirst: second.lowerBound, secondLast: second.upperBound,
            series: before, secondSeries: after, difference: difference,
            sentence: CompareText.sentence(metric, difference, .periods),
            confidence: CompareText.confidence(metric, difference, .periods),
            method: Self.differenceMethod)
    }

    /// Compares a metric on days after a day with a workout with that on other days. Sleep is that of the
    /// night after the workout.
    package init(
        afterWorkouts service: some HealthService, _ metric: Metric,
        _ days: ClosedRange<CivilDate>, among metrics: [Metric], context: PageContext
    ) async throws(Unavailability) {
        let calendar = context.calendar
        let series = try await service.days(metric, days, context)
        let start = calendar.midnight(days.lowerBound.advanced(by: -1))
        let end = calendar.midnight(days.upperBound.advanced(by: 1))
        let workouts = try await service.workouts(
            DateInterval(start: start, end: max(start, end)), limit: 100_000)
        let active = Set(workouts.map { calendar.civilDate(of: $0.start) })
        var (others, after): ([Double?], [Double?]) = ([], [])
        for (point, value) in zip(series.points, series.complete) {
            let day = calendar.civilDate(of: point.start)
            let isAfter = active.contains(day.advanced(by: -1))
            after.append(isAfter ? value : nil)
            others.append(isAfter ? nil : value)
        }
        let difference = MeanDifference(others, after)
        self.init(
            freshness: context.freshness, timeZone: calendar.timeZone.identifier,
            kind: .workouts, metric: metric, metrics: metrics, first: days.lowerBound,
            last: days.upperBound, series: series, difference: difference,
            sentence: CompareText.sentence(metric, difference, .workouts(of: metric)),
            confidence: CompareText.confidence(metric, difference, .workouts(of: metric)),
            method: Self.differenceMethod)
    }

    /// Compares two metrics on the same days.
    package init(
        of service: some HealthService, _ metric: Metric, and other: Metric,
        _ days: ClosedRange<CivilDate>, among metrics: [Metric], context: PageContext
    ) async throws(Unavailability) {
        let first = try await service.days(metric, days, context)
        let second = try await service.days(other, days, context)
        let correlation = RankCorrelation(first.complete, second.complete)
        self.init(
            freshness: context.freshness, timeZone: context.calendar.timeZone.identifier,
            kind: .types, metric: metric, other: other, metrics: metrics, first: days.lowerBound,
            last: days.upperBound, series: first, secondSeries: second, correlation: correlation,
            sentence: CompareText.sentence(metric, other, correlation),
            confidence: CompareText.confidence(correlation), method: Self.correlationMethod)
    }
}

extension HealthService {
    /// Returns the values of a metric by day.
    fileprivate func days(
        _ metric: Metric, _ days: ClosedRange<CivilDate>, _ context: PageContext
    ) async throws(Unavailability) -> HealthSeries {
        guard let range = context.calendar.interval(of: days) else {
            return HealthSeries(metric: metric, step: .day, points: [])
        }
        return try await series(metric, by: .day, over: range)
    }
}

extension HealthSeries {
    /// The values of the days; nil for one that isn't over.
    fileprivate var complete: [Double?] { points.map { $0.isCurrent ? nil : $0.value } }
}
