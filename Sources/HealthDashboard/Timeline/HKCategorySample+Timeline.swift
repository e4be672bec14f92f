public import Foundation
import HealthEngine

extension Collection where Element: HKCategorySample {
    /// Who recorded each moment, for samples of one category type: the night of one source, not the
    /// sum of two.
    ///
    /// Lower sources fill only the time that nobody above them covers. Samples of one source all
    /// count, also where they overlap: being in bed and asleep.
    ///
    /// ```swift
    /// let night = try sleep.timeline(until: morning)
    /// night.duration(of: Set(HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue)))
    /// ```
    /// - Parameters:
    ///   - order: Sources, the winner first; as for `[HKQuantitySample].timeline(order:)`.
    ///   - end: Where samples of undetermined duration end.
    /// - Throws: ``TimelineError`` where samples are of several types.
    /// - Complexity: O(n log n + n · sources).
    public func timeline(
        order: [HKSource] = [], until end: Date = .now
    ) throws(TimelineError) -> CategoryTimeline {
        _ = try commonType()
        let settling = SampleSettling(Array(self), order: order) { Double($0.value) }
        var rules = StatisticsRules()
        rules.horizon = end.timeIntervalSinceReferenceDate
        let timeline = Timeline(categories: settling.batch, order: settling.order, rules: rules)
        return CategoryTimeline(timeline, samples: settling.samples, sources: settling.sources)
    }
}

/// Category samples of several sources with every moment counted once:
/// `[HKCategorySample].timeline(order:until:)`.
public struct CategoryTimeline: Sendable {
    /// A sample's unbroken stretch of time that counts.
    public struct Stretch: Hashable, Sendable {
        /// Half-open; of no duration for an instant.
        public var interval: DateInterval
        public var source: HKSource
        /// The sample whose stretch it is.
        public var sample: HKCategorySample
        /// The sample's raw value.
        public var value: Int
    }

    /// In order of start; stretches of different sources never overlap.
    public let stretches: [Stretch]
    /// Every source of the samples, the winner first.
    public let sources: [HKSource]

    init(_ timeline: Timeline, samples: [HKCategorySample], sources: [HKSource]) {
        stretches = timeline.stretches.map { stretch in
            let sample = samples[stretch.sample]
            return Stretch(
                interval: stretch.interval, source: sources[Int(stretch.source)], sample: sample,
                value: sample.value)
        }
        self.sources = sources
    }

    /// How long any of the values held, in seconds, overlaps counted once.
    ///
    /// - Parameter interval: Where time counts; nil for everywhere.
    /// - Complexity: O(stretches).
    public func duration(of values: Set<Int>, in interval: DateInterval? = nil) -> TimeInterval {
        var total = 0.0
        var reached = interval?.start ?? .distantPast
        for stretch in stretches where values.contains(stretch.value) {
            let end = Swift.min(stretch.interval.end, interval?.end ?? .distantFuture)
            let start = Swift.max(stretch.interval.start, reached)
            if start < end {
                total += end.timeIntervalSince(start)
                reached = end
            }
        }
        return total
    }
}
