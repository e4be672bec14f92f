import Foundation
import HealthCalendar
public import HealthEngine

extension HealthKitService {
    /// Returns the total of a day with the contribution of each source.
    ///
    /// The value is the sum that HealthKit computes. HealthKit doesn't report its source order, so
    /// the contributions are those of a source order that gives the same sum. All orders are tried
    /// for up to 4 sources. With more, only the default order is tried. There are no contributions
    /// if no tried order gives the sum, or for a day with more than 20,000 samples.
    ///
    /// A larger total of Apple's takes the place of the sum if there is one (Semantics §15.7).
    ///
    /// - Parameters:
    ///   - metric: The metric; only amounts have a total.
    ///   - day: The day.
    /// - Returns: The total; without a value if there is no data, or for a metric that is not an
    ///   amount.
    /// - Throws: ``Unavailability``, also for a day that does not exist in the time zone.
    public func total(_ metric: Metric, on day: CivilDate) async throws(Unavailability) -> DayTotal
    {
        var total = try await recordedTotal(metric, on: day)
        let found = try await appleTotalsInPlace(
            metric, over: [total.interval.start, total.interval.end])
        if let apple = found[total.interval.start] {
            (total.value, total.appleTotal) = (apple.value, apple)
        }
        return total
    }

    /// Returns the total of a day's samples.
    private func recordedTotal(
        _ metric: Metric, on day: CivilDate
    ) async throws(Unavailability) -> DayTotal {
        let interval = try interval(of: day)
        var total = DayTotal(metric: metric, day: day, interval: interval, value: nil, shares: [])
        guard metric.kind == .amount, let type = metric.quantityType,
            let unit = metric.unit(of: type)
        else { return total }
        let statistics = try await statistics(
            of: type, [.cumulativeSum, .separateBySource], over: interval, anchor: interval.start,
            every: CalendarStep.day.components(in: calendar)
        ).first { $0.startDate == interval.start }
        guard let statistics, let sum = statistics.sumQuantity()?.doubleValue(for: unit) else {
            return total
        }
        total.value = sum
        let counted = Set(statistics.sources ?? [])
        let all = try await samples(
            of: type, touching: interval, limit: SourceShares.maximumSamples + 1)
        if all.count > SourceShares.maximumSamples { return total }
        let samples = all.filter { counted.contains($0.sourceRevision.source) }
        total.shares = SourceShares(samples, unit: unit, interval: interval).shares(of: sum)
        return total
    }

    private func samples(
        of type: HKQuantityType, touching interval: DateInterval, limit: Int
    ) async throws(Unavailability) -> [HKQuantitySample] {
        let query = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: interval.predicate())],
            sortDescriptors: [], limit: limit)
        do {
            return try await query.result(for: store)
        } catch {
            throw Unavailability(error)
        }
    }

    /// Returns the nights of a range of days, the earliest first.
    ///
    /// - Parameter days: The days, both bounds included. A night belongs to the day that contains
    ///   the middle of its sleep, usually the day on which it ends. For this, a day lasts from
    ///   18:00 on the evening before to 18:00.
    /// - Returns: At most one night per day.
    /// - Throws: ``Unavailability``.
    public func nights(
        _ days: ClosedRange<CivilDate>
    ) async throws(Unavailability) -> [SleepNight] {
        try await nights(days, from: nil)
    }

    /// Returns the nights as ``nights(_:)`` does, computed from selected sources only.
    ///
    /// - Parameters:
    ///   - days: The days, both bounds included.
    ///   - chosen: The bundle identifiers of the sources; nil for all. Excluded sources are left
    ///     out in either case.
    package func nights(
        _ days: ClosedRange<CivilDate>, from chosen: Set<String>?
    ) async throws(Unavailability) -> [SleepNight] {
        let interval = try interval(of: days)
        // The sleep of the last day may end on the next day.
        let touched = DateInterval(
            start: interval.start - SleepNights.longestLead, end: interval.end + 12 * 3600)
        var samples = try await samples(of: HKCategoryType(.sleepAnalysis), touching: touched)
        var order: [HKSource] = []
        if let known = try knownSleepSources() {
            samples.removeAll {
                known.excluded.contains($0.sourceRevision.source.bundleIdentifier)
            }
            order = known.ranked(Set(samples.map(\.sourceRevision.source)))
        }
        if let chosen {
            samples.removeAll { !chosen.contains($0.sourceRevision.source.bundleIdentifier) }
        }
        return samples.nights(order: order, in: calendar, until: now())
            .filter { days.contains($0.morning) }
    }

    /// Returns the activity rings of a range of days, the earliest first.
    ///
    /// - Parameter days: The days, both bounds included.
    /// - Returns: The rings; days without them are omitted.
    /// - Throws: ``Unavailability``.
    public func rings(
        _ days: ClosedRange<CivilDate>
    ) async throws(Unavailability) -> [ActivityRings] {
        let predicate = HKQuery.predicate(
            forActivitySummariesBetweenStart: components(days.lowerBound),
            end: components(days.upperBound))
        do {
            return try await HKActivitySummaryQueryDescriptor(predicate: predicate)
                .result(for: store).compactMap { ActivityRings($0, in: calendar) }
                .sorted { $0.day < $1.day }
        } catch {
            throw Unavailability(error)
        }
    }

    private func components(_ day: CivilDate) -> DateComponents {
        DateComponents(calendar: calendar, era: 1, year: day.year, month: day.month, day: day.day)
    }
}

/// The source priority for sleep in an OpenHealthKit store, which HealthKit does not report.
package struct SleepSources: Sendable {
    /// The bundle identifiers in order of priority, the highest first.
    var ranking: [String]
    /// The bundle identifiers of excluded sources.
    var excluded: Set<String>

    package init(ranking: [String], excluded: Set<String>) {
        self.ranking = ranking
        self.excluded = excluded
    }

    fileprivate func ranked(_ sources: Set<HKSource>) -> [HKSource] {
        let byIdentifier = Dictionary(grouping: sources, by: \.bundleIdentifier)
        return ranking.flatMap { byIdentifier[$0] ?? [] }
    }
}

extension ActivityRings {
    /// Creates the rings of HealthKit's summary; nil if the summary has no date. A goal of 0
    /// becomes nil.
    init?(_ summary: HKActivitySummary, in calendar: Calendar) {
        let parts = summary.dateComponents(for: calendar)
        guard let year = parts.year, let month = parts.month, let day = parts.day else {
            return nil
        }
        func ring(_ value: HKQuantity, _ goal: HKQuantity?, _ unit: HKUnit) -> Ring {
            let goal = goal?.doubleValue(for: unit)
            return Ring(value: value.doubleValue(for: unit), goal: goal == 0 ? nil : goal)
        }
        let isMoveTime = summary.activityMoveMode == .appleMoveTime
        self.init(
            day: CivilDate(year, month, day),
            move: isMoveTime
                ? ring(summary.appleMoveTime, summary.appleMoveTimeGoal, .minute())
                : ring(summary.activeEnergyBurned, summary.activeEnergyBurnedGoal, .kilocalorie()),
            isMoveTime: isMoveTime,
            exercise: ring(summary.appleExerciseTime, summary.exerciseTimeGoal, .minute()),
            stand: ring(summary.appleStandHours, summary.standHoursGoal, .count()))
    }
}
