public import Foundation
import HealthEngine

extension Collection where Element: HKQuantitySample {
    /// Returns the merged timeline of samples of one quantity type, without double counting.
    ///
    /// This is the merge that statistics queries do, for samples in memory. It replaces grouping by
    /// minute with a preferred device, which loses or doubles samples that cross a minute. At each
    /// instant, only the highest-priority source with a sample contributes. A lower source keeps
    /// the proportional part of its samples outside higher sources (Semantics §1.3). For example, a
    /// watch has 100 steps from 10:00 to 10:10 and a lower-priority iPhone 100 from 10:05 to 10:15:
    ///
    /// ```swift
    /// let timeline = try samples.timeline()
    /// timeline.mergedIntervals    // 10:00–10:10 Watch 100, 10:10–10:15 iPhone 50
    /// timeline.total()?.sum       // 150 count
    /// timeline.total()?.naiveSum  // 200 count
    /// ```
    /// Samples of discrete types are readings: their intervals have the unchanged value, and there
    /// is no total. As in statistics, samples whose quantity has another dimension than the type
    /// are skipped; exports may contain them.
    ///
    /// The merge uses only HealthKit's public interface, so it is the same on a phone. The source
    /// order that a person has chosen in the Health app is not public, so results differ where it
    /// was changed.
    ///
    /// - Parameters:
    ///   - order: Sources in order of priority, the highest first. Other sources follow in the
    ///     order of ``rankedSources(preferring:)``.
    ///   - unit: The unit for computing values; nil for the type's canonical unit. Types unknown to
    ///     this package have none.
    /// - Returns: The timeline, which is empty without samples.
    /// - Throws: ``TimelineError`` if there are samples of several types, or no compatible unit.
    /// - Complexity: O(n log n + n · sources).
    public func timeline(
        order: [HKSource] = [], unit: HKUnit? = nil
    ) throws(TimelineError) -> QuantityTimeline {
        guard let type = try commonType() as? HKQuantityType else { return QuantityTimeline() }
        let unit = if let unit { unit } else { try HKUnit(canonicalFor: type) }
        guard type.is(compatibleWith: unit) else {
            throw .incompatibleUnit(unit.unitString, type: type.identifier)
        }
        let readable = filter { $0.quantity.is(compatibleWith: unit) }
        let input = TimelineInput(readable, order: order) { sample in
            sample.quantity.doubleValue(for: unit)
        }
        let isCumulative = type.aggregationStyle == .cumulative
        let timeline = Timeline(
            input.batch, conversions: input.batch.sources.map { _ in .identity },
            order: input.order, values: isCumulative ? .amounts : .readings)
        return QuantityTimeline(
            timeline, samples: input.samples, sources: input.sources, unit: unit)
    }
}

/// A merged timeline of quantity samples, without double counting: the result of
/// `[HKQuantitySample].timeline(order:)`.
public struct QuantityTimeline: Sendable {
    /// A merged interval: a continuous part of one sample.
    public struct MergedInterval: Hashable, Sendable {
        /// The half-open interval; of zero length for an instantaneous sample.
        public var interval: DateInterval
        /// The source of the sample.
        public var source: HKSource
        /// The sample.
        public var sample: HKQuantitySample
        /// The proportional part of the sample's amount, or its unchanged reading.
        public var quantity: HKQuantity
    }

    /// A total with the contribution of each source.
    public struct Total: Hashable, Sendable {
        /// The contribution of one source.
        public struct Share: Hashable, Sendable {
            /// The source.
            public var source: HKSource
            /// The source's contribution to the sum: its amount without the parts that overlap
            /// higher-priority sources.
            public var contributed: HKQuantity
            /// The part that overlaps higher-priority sources.
            public var duplicate: HKQuantity
            /// The number of the source's samples in the interval.
            public var count: Int
        }

        /// The sum without double counting.
        public var sum: HKQuantity
        /// The sum of all samples in the interval, which is greater than ``sum`` if sources
        /// overlap.
        public var naiveSum: HKQuantity
        /// The contributions of all sources with a sample in the interval, the highest priority
        /// first.
        public var shares: [Share]
    }

    /// The merged intervals by start. Intervals of different sources do not overlap, except that an
    /// instantaneous sample can lie in an interval of a lower-priority source.
    public let mergedIntervals: [MergedInterval]
    /// All sources of the samples, the highest priority first.
    public let sources: [HKSource]
    private let unit: HKUnit?
    private let timeline: Timeline?

    /// Creates an empty timeline.
    init() {
        (mergedIntervals, sources, unit, timeline) = ([], [], nil, nil)
    }

    init(_ timeline: Timeline, samples: [HKQuantitySample], sources: [HKSource], unit: HKUnit) {
        mergedIntervals = timeline.mergedIntervals.map { mergedInterval in
            MergedInterval(
                interval: mergedInterval.interval, source: sources[Int(mergedInterval.source)],
                sample: samples[mergedInterval.sample],
                quantity: HKQuantity(unit: unit, doubleValue: mergedInterval.value))
        }
        self.sources = sources
        self.unit = unit
        self.timeline = timeline
    }

    /// Returns the total of all samples, or of an interval. Samples that cross a bound of the
    /// interval contribute proportionally.
    ///
    /// ```swift
    /// for share in timeline.total(in: today)?.shares ?? [] {
    ///     print(share.source.name, share.contributed, share.duplicate)
    /// }
    /// ```
    /// - Parameter interval: The half-open interval; nil for all samples.
    /// - Returns: The total; nil for discrete types, and if there is no sample in the interval.
    /// - Complexity: O(n + m) for n samples and m merged intervals.
    public func total(in interval: DateInterval? = nil) -> Total? {
        guard let timeline, let unit, timeline.values == .amounts else { return nil }
        let amounts = timeline.amounts(
            from: interval?.start.timeIntervalSinceReferenceDate ?? -.infinity,
            to: interval?.end.timeIntervalSinceReferenceDate ?? .infinity)
        guard !amounts.bySource.isEmpty else { return nil }
        func quantity(_ value: Double) -> HKQuantity { HKQuantity(unit: unit, doubleValue: value) }
        let shares = sources.indices.compactMap { index -> Total.Share? in
            guard let share = amounts.bySource[Int32(index)] else { return nil }
            return Total.Share(
                source: sources[index], contributed: quantity(share.contributed),
                duplicate: quantity(share.duplicate), count: share.count)
        }
        return Total(
            sum: quantity(amounts.merged), naiveSum: quantity(amounts.naive), shares: shares)
    }
}

extension HKUnit {
    /// Creates the canonical unit of a type.
    ///
    /// - Throws: ``TimelineError/unknownUnit(type:)`` for a type that the catalogue doesn't
    ///   contain.
    fileprivate convenience init(canonicalFor type: HKQuantityType) throws(TimelineError) {
        guard let unit = Catalogue.type(identifier: type.identifier)?.canonicalUnit else {
            throw .unknownUnit(type: type.identifier)
        }
        self.init(from: unit)
    }
}
