public import Foundation
public import HealthEngine

/// A day's total without double counting, with the contribution of each source.
public struct DayTotal: Hashable, Sendable, Codable {
    /// The contribution of one source.
    public struct Share: Hashable, Sendable, Codable {
        /// The source's display name.
        public var source: String
        /// The source's priority among the day's sources, from 1 for the highest. It determines the
        /// source's color in charts.
        public var rank: Int
        /// The part of the source's samples that enters the total, in the metric's unit.
        public var counted: Double
        /// The part that overlaps higher-priority sources, in the metric's unit.
        public var duplicate: Double

        public init(source: String, rank: Int, counted: Double, duplicate: Double) {
            self.source = source
            self.rank = rank
            self.counted = counted
            self.duplicate = duplicate
        }

        private enum CodingKeys: String, CodingKey {
            case source, rank, counted
            case duplicate = "setAside"
        }
    }

    /// The metric, which determines the unit.
    public var metric: Metric
    /// The day.
    public var day: CivilDate
    /// The half-open interval of the day.
    public var interval: DateInterval
    /// The total without double counting, in the metric's unit; nil without data.
    public var value: Double?
    /// The contributions in order of rank. Their ``Share/counted`` parts add up to ``value``, apart
    /// from rounding; with ``appleTotal`` to its ``AppleTotal/own``. Empty if the contributions are
    /// not known.
    public var shares: [Share]
    /// Apple's total, if it is the ``value``; otherwise nil.
    public var appleTotal: AppleTotal?

    /// The duplicate amount: the sum of the parts that overlap higher-priority sources.
    public var duplicates: Double { shares.reduce(0) { $0 + $1.duplicate } }

    /// The sum of the stored samples without double counting; nil without samples.
    package var recorded: Double? {
        guard let appleTotal else { return value }
        return appleTotal.own == 0 && shares.isEmpty ? nil : appleTotal.own
    }

    public init(
        metric: Metric, day: CivilDate, interval: DateInterval, value: Double?, shares: [Share],
        appleTotal: AppleTotal? = nil
    ) {
        self.metric = metric
        self.day = day
        self.interval = interval
        self.value = value
        self.shares = shares
        self.appleTotal = appleTotal
    }

    private enum CodingKeys: String, CodingKey {
        case metric, day, interval, value, shares
        case appleTotal = "fromTotals"
    }
}

/// Determines the contributions of sources to a total that HealthKit has computed.
///
/// HealthKit returns the total, but not its source order. With few sources, all orders can be
/// tried. An order whose total equals HealthKit's is used. Where several orders give this total,
/// the contributions may differ from those that HealthKit counted.
struct SourceShares {
    let samples: [HKQuantitySample]
    let unit: HKUnit
    let interval: DateInterval

    init(_ samples: [HKQuantitySample], unit: HKUnit, interval: DateInterval) {
        self.samples = samples
        self.unit = unit
        self.interval = interval
    }

    /// The maximum number of sources for trying all orders; with more, only the default order is
    /// tried.
    private static let maximumSources = 4
    /// The maximum number of samples. With more, callers don't determine contributions.
    static let maximumSamples = 20_000

    /// Returns the contributions to a total, the highest priority first; empty if no tried order
    /// matches.
    func shares(of sum: Double) -> [DayTotal.Share] {
        let defaultOrder = samples.rankedSources()
        if let shares = shares(in: defaultOrder, of: sum) { return shares }
        guard defaultOrder.count <= Self.maximumSources else { return [] }
        for order in Self.orders(of: defaultOrder).dropFirst() {
            if let shares = shares(in: order, of: sum) { return shares }
        }
        return []
    }

    private func shares(in order: [HKSource], of sum: Double) -> [DayTotal.Share]? {
        guard let total = try? samples.timeline(order: order).total(in: interval) else {
            return nil
        }
        let merged = total.sum.doubleValue(for: unit)
        guard abs(merged - sum) <= 1e-9 * max(1, abs(sum)) else { return nil }
        let names = order.distinctNames
        return total.shares.compactMap { share -> DayTotal.Share? in
            guard let index = order.firstIndex(of: share.source) else { return nil }
            return DayTotal.Share(
                source: names[index], rank: index + 1,
                counted: share.contributed.doubleValue(for: unit),
                duplicate: share.duplicate.doubleValue(for: unit))
        }
    }

    /// Returns all permutations of the sources, the given order first.
    private static func orders(of sources: [HKSource]) -> [[HKSource]] {
        if sources.count < 2 { return [sources] }
        return sources.indices.flatMap { index in
            var remaining = sources
            let first = remaining.remove(at: index)
            return orders(of: remaining).map { [first] + $0 }
        }
    }
}
