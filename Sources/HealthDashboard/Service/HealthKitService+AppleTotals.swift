import Foundation
import HealthCalendar

extension HealthKitService {
    /// Returns the interval that contains all of Apple's totals of a metric that have begun; nil if
    /// there are none.
    func appleTotalsExtent(_ metric: Metric) async throws(Unavailability) -> DateInterval? {
        guard metric.kind == .amount, let appleTotals else { return nil }
        do {
            guard let extent = try await appleTotals.extent(metric), extent.start < now() else {
                return nil
            }
            return extent
        } catch {
            throw Unavailability.totals(error)
        }
    }

    /// Returns the totals that answer buckets of at most a day, by the start of the bucket.
    func appleTotalsInPlace(
        _ metric: Metric, over boundaries: [Date]
    ) async throws(Unavailability) -> [Date: AppleTotal] {
        guard metric.kind == .amount, boundaries.count > 1, let appleTotals else { return [:] }
        do {
            return try await appleTotals.inPlace(metric, boundaries)
        } catch {
            throw Unavailability.totals(error)
        }
    }

    /// Puts Apple's totals in the place of smaller sums. An hour or a day gets Apple's total; a
    /// longer bucket grows by the differences of its days.
    func addAppleTotals(
        to points: inout [HealthSeries.Point], _ metric: Metric, by step: CalendarStep
    ) async throws(Unavailability) {
        guard let extent = try await appleTotalsExtent(metric),
            let range = points.interval.intersection(with: extent), range.duration > 0
        else { return }
        let boundaries: [Date]
        switch step {
        case .hour, .day:
            let within = points.filter { $0.start < range.end && $0.end > range.start }
            boundaries = within.map(\.start) + [within.last?.end ?? range.end]
        case .week, .month, .year: boundaries = calendar.boundaries(by: .day, over: range)
        }
        let totals = try await appleTotalsInPlace(metric, over: boundaries)
        for (start, total) in totals.sorted(by: { $0.key < $1.key }) {
            guard let index = points.index(holding: start) else { continue }
            points[index].add(total, by: step)
        }
    }
}

extension HealthSeries.Point {
    fileprivate mutating func add(_ total: AppleTotal, by step: CalendarStep) {
        switch step {
        case .hour, .day: value = total.value
        case .week, .month, .year:
            value = NumberText.roundedConversion((value ?? 0) + total.excess)
        }
        if appleTotal == nil { appleTotal = total } else { appleTotal?.add(total) }
    }
}

extension Unavailability {
    fileprivate static func totals(_ error: any Error) -> Unavailability {
        .failed("Apple's totals can't be read: \(error)")
    }
}
