public import Foundation
import HealthEngine

extension Collection where Element: HKQuantitySample {
    /// Who recorded each moment, with every moment counted once: what statistics queries do inside
    /// the store, over samples that are already in hand.
    ///
    /// In place of "group by minute, prefer the Watch", which loses or doubles what crosses a
    /// minute. At every moment only the highest source with a covering sample counts; lower ones
    /// keep, pro rata, the time nobody above them covers (Semantics §1.3). A Watch with 100
    /// steps from 10:00 to 10:10 over an iPhone with 100 from 10:05 to 10:15:
    ///
    /// ```swift
    /// let timeline = try samples.timeline()
    /// timeline.stretches          // 10:00–10:10 Watch 100, 10:10–10:15 iPhone 50
    /// timeline.total()?.sum       // 150 count
    /// timeline.total()?.naiveSum  // 200 count
    /// ```
    /// Samples of discrete types are readings: their stretches hold the value unchanged, and they have
    /// no total. A sample whose quantity is of another kind than its type's, as exports may bring them, is
    /// left out, as in statistics. Only what HealthKit makes public is used, so it is the same on a phone; there the
    /// order that a person chose in the Health app can't be read, and differs where they changed it.
    ///
    /// - Parameters:
    ///   - order: Sources, the winner first. Those not listed follow in the default order, which alone
    ///     counts if nothing is given: ``rankedSources(preferring:)``.
    ///   - unit: What values are computed in; nil for the type's own, which only types newer than this
    ///     package lack.
    /// - Throws: ``TimelineError`` where samples are of several types or no unit suits.
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
        let settling = SampleSettling(readable, order: order) { sample in
            sample.quantity.doubleValue(for: unit)
        }
        let isCumulative = type.aggregationStyle == .cumulative
        let timeline = Timeline(
            settling.batch, conversions: settling.batch.sources.map { _ in .identity },
            order: settling.order, values: isCumulative ? .amounts : .readings)
        return QuantityTimeline(
            timeline, samples: settling.samples, sources: settling.sources, unit: unit)
    }
}

/// Quantity samples of several sources with every moment counted once:
/// `[HKQuantitySample].timeline(order:)`.
public struct QuantityTimeline: Sendable {
    /// A sample's unbroken stretch of time that counts.
    public struct Stretch: Hashable, Sendable {
        /// Half-open; of no duration for an instant.
        public var interval: DateInterval
        public var source: HKSource
        /// The sample whose stretch it is.
        public var sample: HKQuantitySample
        /// The sample's amount for this stretch alone, or its reading unchanged.
        public var quantity: HKQuantity
    }

    /// How an amount came together.
    public struct Total: Hashable, Sendable {
        /// One source's part.
        public struct Share: Hashable, Sendable {
            public var source: HKSource
            /// What entered the sum.
            public var contributed: HKQuantity
            /// What sources above it had counted already.
            public var setAside: HKQuantity
            /// Its samples that touch the interval.
            public var count: Int
        }

        /// Every moment counted once.
        public var sum: HKQuantity
        /// All samples added up: more than ``sum`` where sources recorded the same moments.
        public var naiveSum: HKQuantity
        /// Of every source with a sample in the interval, the winner first.
        public var shares: [Share]
    }

    /// In order of start; stretches of different sources never overlap.
    public let stretches: [Stretch]
    /// Every source of the samples, the winner first.
    public let sources: [HKSource]
    private let unit: HKUnit?
    private let timeline: Timeline?

    /// A timeline of nothing.
    init() {
        (stretches, sources, unit, timeline) = ([], [], nil, nil)
    }

    init(_ timeline: Timeline, samples: [HKQuantitySample], sources: [HKSource], unit: HKUnit) {
        stretches = timeline.stretches.map { stretch in
            Stretch(
                interval: stretch.interval, source: sources[Int(stretch.source)],
                sample: samples[stretch.sample],
                quantity: HKQuantity(unit: unit, doubleValue: stretch.value))
        }
        self.sources = sources
        self.unit = unit
        self.timeline = timeline
    }

    /// What was counted, of everything or inside an interval at whose ends samples are divided.
    ///
    /// ```swift
    /// for share in timeline.total(in: today)?.shares ?? [] {
    ///     print(share.source.name, share.contributed, share.setAside)
    /// }
    /// ```
    /// - Returns: nil for discrete types, and where no sample touches the interval.
    /// - Complexity: O(n + stretches).
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
                setAside: quantity(share.setAside), count: share.count)
        }
        return Total(
            sum: quantity(amounts.merged), naiveSum: quantity(amounts.naive), shares: shares)
    }
}

extension HKUnit {
    /// The unit that the catalogue computes a type in.
    fileprivate convenience init(canonicalFor type: HKQuantityType) throws(TimelineError) {
        guard let unit = Catalogue.type(identifier: type.identifier)?.canonicalUnit else {
            throw .unknownUnit(type: type.identifier)
        }
        self.init(from: unit)
    }
}
