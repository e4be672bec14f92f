public import Foundation
public import HealthCalendar
import HealthEngine

extension HealthKitService {
    /// Returns a metric in calendar buckets that cover a range, without double counting.
    ///
    /// Sleep has the seconds asleep without naps. Other states have the seconds in which there is a
    /// sample whose value doesn't state absence, as "idle" does of stand hours. ``Metric/workouts``,
    /// ``Metric/rings`` and metrics that the system doesn't have get buckets without values.
    ///
    /// - Parameters:
    ///   - metric: The metric.
    ///   - step: The size of the buckets.
    ///   - range: The range; the first and the last bucket may extend beyond it.
    /// - Returns: All buckets, including those without data; at most 100,000.
    /// - Throws: ``Unavailability``.
    public func series(
        _ metric: Metric, by step: CalendarStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries {
        let boundaries = calendar.boundaries(by: step, over: range)
        let now = now()
        var points = zip(boundaries, boundaries.dropFirst()).map { start, end in
            HealthSeries.Point(
                start: start, end: end, value: nil, isCurrent: start <= now && now < end)
        }
        if !points.isEmpty {
            if let type = metric.quantityType {
                try await fill(&points, with: type, metric, by: step)
                try await addAppleTotals(to: &points, metric, by: step)
            } else if metric == .sleep {
                try await fillSleep(&points, by: step)
            } else if let type = metric.categoryType {
                try await fill(&points, with: type)
            }
        }
        return HealthSeries(metric: metric, step: step, points: points)
    }

    /// Returns single readings that start in a range, the earliest first.
    ///
    /// - Parameters:
    ///   - metric: The metric, which determines the unit.
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of readings; the latest ones are returned. A limit below 1
    ///     counts as 1.
    /// - Returns: The readings; none for a metric that is not a quantity.
    /// - Throws: ``Unavailability``.
    public func readings(
        _ metric: Metric, _ range: DateInterval, limit: Int
    ) async throws(Unavailability) -> [WeightPage.Reading] {
        guard let type = metric.quantityType, let unit = metric.unit(of: type) else { return [] }
        let query = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: type, predicate: range.predicate(.strictStartDate))
            ],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: max(1, limit))
        do {
            // Samples whose quantity has another dimension than the type are skipped, as in
            // statistics.
            return try await query.result(for: store).reversed().compactMap { sample in
                guard sample.quantity.is(compatibleWith: unit) else { return nil }
                return WeightPage.Reading(
                    date: sample.startDate, value: sample.quantity.doubleValue(for: unit),
                    source: sample.sourceRevision.source.name)
            }
        } catch {
            throw Unavailability(error)
        }
    }

    /// Fills in the sums of amounts, or the averages, minima and maxima of readings.
    private func fill(
        _ points: inout [HealthSeries.Point], with type: HKQuantityType, _ metric: Metric,
        by step: CalendarStep
    ) async throws(Unavailability) {
        guard let unit = metric.unit(of: type) else { return }
        let isAmount = type.aggregationStyle == .cumulative
        let statistics = try await statistics(
            of: type, isAmount ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
            over: points.interval, anchor: anchor(points, step),
            every: step.components(in: calendar)
        )
        points.fill(statistics) { point, statistics in
            let quantity = isAmount ? statistics.sumQuantity() : statistics.averageQuantity()
            point.value = quantity?.roundedValue(for: unit)
            if isAmount { return }
            point.minimum = statistics.minimumQuantity()?.roundedValue(for: unit)
            point.maximum = statistics.maximumQuantity()?.roundedValue(for: unit)
        }
    }

    /// Returns the statistics of buckets with data, in order. Buckets are counted from the anchor,
    /// in both directions. A sample that crosses a bound of the interval also gives buckets outside
    /// of it (Semantics §2.6).
    func statistics(
        of type: HKQuantityType, _ options: HKStatisticsOptions, over interval: DateInterval,
        anchor: Date, every step: DateComponents
    ) async throws(Unavailability) -> [HKStatistics] {
        let query = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: interval.predicate()),
            options: options, anchorDate: anchor, intervalComponents: step)
        do {
            return try await query.result(for: store).statistics()
        } catch {
            throw Unavailability(error)
        }
    }

    /// Returns the start of a bucket from which HealthKit can compute all others. The bucket is one
    /// that starts in the first hour of a day, or the first bucket if none does.
    ///
    /// A day whose midnight was skipped starts later, and buckets computed from it would all start
    /// later. For months and years the last suitable bucket is used, because HealthKit computes
    /// them with Foundation's calendar, which is Julian before 15 October 1582.
    private func anchor(_ points: [HealthSeries.Point], _ step: CalendarStep) -> Date {
        let starts = points.map(\.start)
        func isMidnight(_ start: Date) -> Bool { calendar.localTime(at: start).secondOfDay < 3600 }
        switch step {
        case .hour, .day, .week: return starts.first(where: isMidnight) ?? starts[0]
        case .month, .year: return starts.last(where: isMidnight) ?? starts[0]
        }
    }

    /// Fills in the seconds in which there is a sample of the type whose value doesn't state absence.
    /// Overlaps count once.
    private func fill(
        _ points: inout [HealthSeries.Point], with type: HKCategoryType
    ) async throws(Unavailability) {
        let samples = try await samples(of: type, touching: points.interval)
        guard !samples.isEmpty, let timeline = try? samples.timeline(until: now()) else { return }
        let enumeration = Catalogue.type(identifier: type.identifier)?.valueEnumeration ?? ""
        let values = Set(timeline.mergedIntervals.map(\.value)).filter {
            !Catalogue.isAbsence($0, of: enumeration)
        }
        for index in points.indices {
            let interval = DateInterval(start: points[index].start, end: points[index].end)
            let seconds = timeline.duration(of: values, in: interval)
            if seconds > 0 { points[index].value = seconds }
        }
    }

    /// Fills in the seconds asleep, without naps.
    ///
    /// A bucket of a day or longer gets all sleep of the nights whose day it contains. An hour gets
    /// the sleep within it. Nights without recorded sleep are skipped.
    private func fillSleep(
        _ points: inout [HealthSeries.Point], by step: CalendarStep
    ) async throws(Unavailability) {
        let days = calendar.days(of: points.interval)
        // The sleep of an evening belongs to the night of the next day.
        let last = step == .hour ? days.upperBound.advanced(by: 1) : days.upperBound
        for night in try await nights(days.lowerBound...last) {
            guard let asleep = night.asleep else { continue }
            if step == .hour {
                for mergedInterval in night.mergedIntervals where mergedInterval.stage.isAsleep {
                    points.add(mergedInterval)
                }
            } else if let morning = calendar.interval(of: night.morning)?.start,
                let index = points.index(holding: morning)
            {
                points[index].value = (points[index].value ?? 0) + asleep
            }
        }
    }
}

extension [HealthSeries.Point] {
    /// The interval from the start of the first bucket to the end of the last.
    var interval: DateInterval {
        guard let first, let last else { return DateInterval() }
        return DateInterval(start: first.start, end: Swift.max(first.start, last.end))
    }

    /// Returns the index of the bucket that contains a date; nil if there is none.
    ///
    /// - Complexity: O(log n).
    func index(holding date: Date) -> Int? {
        let index = partitioningIndex { !($0.end <= date) }
        return index < count && self[index].start <= date ? index : nil
    }

    /// Adds the seconds of a merged interval to the buckets that it overlaps.
    fileprivate mutating func add(_ mergedInterval: SleepNight.MergedInterval) {
        guard let first, mergedInterval.end > first.start,
            var index = index(holding: Swift.max(mergedInterval.start, first.start))
        else { return }
        while index < count, self[index].start < mergedInterval.end {
            let start = Swift.max(mergedInterval.start, self[index].start)
            let seconds = Swift.min(mergedInterval.end, self[index].end).timeIntervalSince(start)
            self[index].value = (self[index].value ?? 0) + seconds
            index += 1
        }
    }

    /// Calls a closure with each of the statistics and the bucket that contains its start.
    /// Statistics that start outside the buckets are skipped.
    mutating func fill(
        _ statistics: [HKStatistics], _ body: (inout HealthSeries.Point, HKStatistics) -> Void
    ) {
        for statistics in statistics {
            if let index = index(holding: statistics.startDate) { body(&self[index], statistics) }
        }
    }
}

extension HKQuantity {
    /// Returns the value in a unit, without rounding errors of the conversion; see
    /// ``NumberText/roundedConversion(_:)``.
    fileprivate func roundedValue(for unit: HKUnit) -> Double {
        NumberText.roundedConversion(doubleValue(for: unit))
    }
}
