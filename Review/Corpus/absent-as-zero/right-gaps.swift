// Sums, gaps, buckets that aren't empty, and zeros that are taken out again.
import Foundation
import HealthKit

struct PulsePoint {
    let date: Date
    let pulse: Double
}

final class PulseGaps {
    private let beats = HKUnit.count().unitDivided(by: .minute())

    func steps(_ collection: HKStatisticsCollection, in day: DateInterval) -> [Double] {
        var steps: [Double] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            steps.append(bucket.sumQuantity()?.doubleValue(for: .count()) ?? 0)
        }
        return steps
    }

    /// `statistics()` has no empty buckets, so that there always is a mean.
    func means(_ collection: HKStatisticsCollection) -> [Double] {
        collection.statistics().map { $0.averageQuantity()?.doubleValue(for: beats) ?? 0 }
    }

    func gaps(_ collection: HKStatisticsCollection, in day: DateInterval) -> [Double?] {
        var means: [Double?] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            means.append(bucket.averageQuantity()?.doubleValue(for: self.beats))
        }
        return means
    }

    func nonZero(_ collection: HKStatisticsCollection, in day: DateInterval) -> [Double] {
        var means: [Double] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            means.append(bucket.averageQuantity()?.doubleValue(for: self.beats) ?? 0)
        }
        return means.filter { $0 > 0 }
    }

    func points(_ collection: HKStatisticsCollection, in day: DateInterval) -> [PulsePoint] {
        var points: [PulsePoint] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            let pulse = bucket.averageQuantity()?.doubleValue(for: self.beats) ?? 0
            points.append(PulsePoint(date: bucket.startDate, pulse: pulse))
        }
        return points
    }

    /// Points without a measurement are gaps of the line.
    func line(_ points: [PulsePoint]) -> [PulsePoint] { points.filter { $0.pulse > 0 } }

    func zones(_ collection: HKStatisticsCollection, in day: DateInterval) -> [Int] {
        var zones: [Int] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            let mean = bucket.averageQuantity()?.doubleValue(for: self.beats) ?? 0
            zones.append(mean == 0 ? -1 : mean < 120 ? 1 : 2)
        }
        return zones
    }

    func energy(_ collection: HKStatisticsCollection, in day: DateInterval) -> [Double?] {
        var energies: [Double?] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            let pulse = bucket.averageQuantity()?.doubleValue(for: self.beats)
            let energy = bucket.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
            energies.append(pulse.map { $0 * energy })
        }
        return energies
    }
}
