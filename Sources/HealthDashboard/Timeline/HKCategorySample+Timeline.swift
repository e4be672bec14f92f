public import Foundation
import HealthEngine

extension Collection where Element: HKCategorySample {
    /// Returns the merged timeline of samples of one category type.
    ///
    /// A source contributes only while no higher-priority source has a sample. All samples of one
    /// source contribute, even if they overlap each other, such as in bed and asleep.
    ///
    /// ```swift
    /// let night = try sleep.timeline(until: morning)
    /// night.duration(of: Set(HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue)))
    /// ```
    /// - Parameters:
    ///   - order: Sources in order of priority, the highest first, as for
    ///     `[HKQuantitySample].timeline(order:)`.
    ///   - end: Where samples of undetermined duration end. Those that start there or later are
    ///     skipped.
    /// - Returns: The timeline, which is empty without samples.
    /// - Throws: ``TimelineError`` if there are samples of several types.
    /// - Complexity: O(n log n + n · sources).
    public func timeline(
        order: [HKSource] = [], until end: Date = .now
    ) throws(TimelineError) -> CategoryTimeline {
        _ = try commonType()
        let input = TimelineInput(Array(self), order: order) { Double($0.value) }
        var rules = StatisticsRules()
        rules.horizon = end.timeIntervalSinceReferenceDate
        let timeline = Timeline(categories: input.batch, order: input.order, rules: rules)
        return CategoryTimeline(timeline, samples: input.samples, sources: input.sources)
    }
}

/// A merged timeline of category samples, without double counting: the result of
/// `[HKCategorySample].timeline(order:until:)`.
public struct CategoryTimeline: Sendable {
    /// A merged interval: a continuous part of one sample.
    public struct MergedInterval: Hashable, Sendable {
        /// The half-open interval; of zero length for an instantaneous sample.
        public var interval: DateInterval
        /// The source of the sample.
        public var source: HKSource
        /// The sample.
        public var sample: HKCategorySample
        /// The sample's raw value.
        public var value: Int
    }

    /// The merged intervals by start. Intervals of different sources do not overlap, except that an
    /// instantaneous sample can lie in an interval of a lower-priority source.
    public let mergedIntervals: [MergedInterval]
    /// All sources of the samples, the highest priority first.
    public let sources: [HKSource]

    init(_ timeline: Timeline, samples: [HKCategorySample], sources: [HKSource]) {
        mergedIntervals = timeline.mergedIntervals.map { mergedInterval in
            let sample = samples[mergedInterval.sample]
            return MergedInterval(
                interval: mergedInterval.interval, source: sources[Int(mergedInterval.source)],
                sample: sample,
                value: sample.value)
        }
        self.sources = sources
    }

    /// Returns the total duration of the merged intervals with one of several values. Overlaps count
    /// once.
    ///
    /// - Parameters:
    ///   - values: The raw values.
    ///   - interval: The interval in which time is counted; nil for no limit.
    /// - Returns: The duration, in seconds.
    /// - Complexity: O(n) for n merged intervals.
    public func duration(of values: Set<Int>, in interval: DateInterval? = nil) -> TimeInterval {
        var total = 0.0
        var reached = interval?.start ?? .distantPast
        for mergedInterval in mergedIntervals where values.contains(mergedInterval.value) {
            let end = Swift.min(mergedInterval.interval.end, interval?.end ?? .distantFuture)
            let start = Swift.max(mergedInterval.interval.start, reached)
            if start < end {
                total += end.timeIntervalSince(start)
                reached = end
            }
        }
        return total
    }
}
