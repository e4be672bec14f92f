public import Foundation
import HealthEngine

extension HealthKitService {
    /// See ``HealthService/series(_:by:over:)``.
    public func series(
        _ metric: Metric, by step: SeriesStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries {
        let borders = calendar.borders(by: step, over: range)
        let now = now()
        var points = zip(borders, borders.dropFirst()).map { start, end in
            HealthSeries.Point(
                start: start, end: end, value: nil, isCurrent: start <= now && now < end)
        }
        if !points.isEmpty {
            if let type = metric.quantityType {
                try await fill(&points, with: type, metric, by: step)
            } else if metric == .sleep {
                try await fillSleep(&points, by: step)
            } else if let type = metric.categoryType {
                try await fill(&points, with: type)
            }
        }
        return HealthSeries(metric: metric, step: step, points: points)
    }

    /// See ``HealthService/readings(_:_:limit:)``.
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
            // Statistics leave out what is in no unit of the type, too.
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

    /// Sums of amounts; averages of readings with their extremes.
    private func fill(
        _ points: inout [HealthSeries.Point], with type: HKQuantityType, _ metric: Metric,
        by step: SeriesStep
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
            point.value = quantity?.doubleValue(for: unit)
            if isAmount { return }
            point.minimum = statistics.minimumQuantity()?.doubleValue(for: unit)
            point.maximum = statistics.maximumQuantity()?.doubleValue(for: unit)
        }
    }

    /// The statistics of the steps that have data, in order; steps are counted from the anchor.
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

    /// A border at midnight: counted from a day that begins later, since clocks went forward then,
    /// all others would begin later too.
    private func anchor(_ points: [HealthSeries.Point], _ step: SeriesStep) -> Date {
        let starts = points.map(\.start)
        return starts.first { calendar.component(.hour, from: $0) == 0 } ?? starts[0]
    }

    /// Seconds of any state, overlaps counted once.
    private func fill(
        _ points: inout [HealthSeries.Point], with type: HKCategoryType
    ) async throws(Unavailability) {
        let samples = try await samples(of: type, touching: points.interval)
        guard !samples.isEmpty, let timeline = try? samples.timeline(until: now()) else { return }
        let values = Set(timeline.stretches.map(\.value))
        for index in points.indices {
            let interval = DateInterval(start: points[index].start, end: points[index].end)
            let seconds = timeline.duration(of: values, in: interval)
            if seconds > 0 { points[index].value = seconds }
        }
    }

    /// Seconds asleep, naps excluded: of the nights whose day is in a step, or of an hour the part
    /// of its night that is in it. A night of unknown sleep adds nothing.
    private func fillSleep(
        _ points: inout [HealthSeries.Point], by step: SeriesStep
    ) async throws(Unavailability) {
        let interval = points.interval
        let first = calendar.civilDate(of: interval.start)
        let last = max(first, calendar.civilDate(of: interval.end - 1))
        // The night of an evening belongs to the day after.
        for night in try await nights(first...(step == .hour ? last.advanced(by: 1) : last)) {
            guard let asleep = night.asleep else { continue }
            if step == .hour {
                for stretch in night.stretches where stretch.stage.isAsleep {
                    points.add(stretch)
                }
            } else if let morning = calendar.interval(of: night.morning)?.start,
                let index = points.index(holding: morning)
            {
                points[index].value = (points[index].value ?? 0) + asleep
            }
        }
    }
}

extension SeriesStep {
    /// Its length as HealthKit counts it, in the calendar's zone.
    func components(in calendar: Calendar) -> DateComponents {
        var components =
            switch self {
            case .hour: DateComponents(hour: 1)
            case .day: DateComponents(day: 1)
            case .week: DateComponents(day: 7)
            case .month: DateComponents(month: 1)
            case .year: DateComponents(year: 1)
            }
        components.calendar = calendar
        components.timeZone = calendar.timeZone
        return components
    }
}

extension [HealthSeries.Point] {
    /// From the first border to the last.
    var interval: DateInterval {
        guard let first, let last else { return DateInterval() }
        return DateInterval(start: first.start, end: Swift.max(first.start, last.end))
    }

    /// The point that holds a moment.
    ///
    /// - Complexity: O(log n).
    func index(holding date: Date) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].end <= date { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].start <= date ? low : nil
    }

    /// Adds the seconds of a stretch to the points that it touches.
    fileprivate mutating func add(_ stretch: SleepNight.Stretch) {
        guard let first, stretch.end > first.start,
            var index = index(holding: Swift.max(stretch.start, first.start))
        else { return }
        while index < count, self[index].start < stretch.end {
            let start = Swift.max(stretch.start, self[index].start)
            let seconds = Swift.min(stretch.end, self[index].end).timeIntervalSince(start)
            self[index].value = (self[index].value ?? 0) + seconds
            index += 1
        }
    }

    /// Hands each statistic to the point that it begins in.
    mutating func fill(
        _ statistics: [HKStatistics], _ body: (inout HealthSeries.Point, HKStatistics) -> Void
    ) {
        for statistics in statistics {
            if let index = index(holding: statistics.startDate) { body(&self[index], statistics) }
        }
    }
}
