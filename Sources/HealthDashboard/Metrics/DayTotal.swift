import Foundation

/// How an amount that HealthKit gave came together from its sources.
///
/// HealthKit says the sum, and keeps the order of sources to itself. Of few sources every order can
/// be tried: the one whose sum is HealthKit's is the one that was used, or adds up as it does.
struct SourceShares {
    let samples: [HKQuantitySample]
    let unit: HKUnit
    let interval: DateInterval

    init(_ samples: [HKQuantitySample], unit: HKUnit, interval: DateInterval) {
        self.samples = samples
        self.unit = unit
        self.interval = interval
    }

    /// Of more sources only the usual order is tried.
    private static let mostSources = 4
    /// Of more samples none is.
    static let mostSamples = 20_000

    /// The winner first; empty where no order that was tried leads to the sum.
    func shares(of sum: Double) -> [DayTotal.Share] {
        let usual = samples.rankedSources()
        if let shares = shares(in: usual, of: sum) { return shares }
        guard usual.count <= Self.mostSources else { return [] }
        for order in Self.orders(of: usual).dropFirst() {
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
            guard let place = order.firstIndex(of: share.source) else { return nil }
            return DayTotal.Share(
                source: names[place], rank: place + 1,
                counted: share.contributed.doubleValue(for: unit),
                setAside: share.setAside.doubleValue(for: unit))
        }
    }

    /// Every order of some sources, the given one first.
    private static func orders(of sources: [HKSource]) -> [[HKSource]] {
        if sources.count < 2 { return [sources] }
        return sources.indices.flatMap { index in
            var rest = sources
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }
}
