// Buckets without a measurement that become 0.
import Foundation
import HealthKit

struct HourlyPulse {
    let hour: Date
    let beats: Double
}

enum Reading {
    case pulse, steps

    func value(_ statistics: HKStatistics) -> Double? {
        switch self {
        case .pulse: return statistics.averageQuantity()?.doubleValue(for: .count().unitDivided(by: .minute()))
        case .steps: return statistics.sumQuantity()?.doubleValue(for: .count())
        }
    }
}

final class PulseChart {
    private let beats = HKUnit.count().unitDivided(by: .minute())

    func hours(_ collection: HKStatisticsCollection, in day: DateInterval) -> [HourlyPulse] {
        var hours: [HourlyPulse] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { statistics, _ in
            let mean = statistics.averageQuantity()?.doubleValue(for: self.beats) ?? 0  // finds absent-as-zero
            hours.append(HourlyPulse(hour: statistics.startDate, beats: mean))
        }
        return hours
    }

    func lowest(_ collection: HKStatisticsCollection, in day: DateInterval) -> [Double] {
        var lowest: [Double] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            let minimum = bucket.minimumQuantity()
            lowest.append(minimum?.doubleValue(for: self.beats) ?? 0.0)  // finds absent-as-zero
        }
        return lowest
    }

    func rows(_ collection: HKStatisticsCollection, _ reading: Reading, in day: DateInterval)
        -> [[String: Any]]
    {
        var rows: [[String: Any]] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { statistics, _ in
            rows.append([
                "start": statistics.startDate,
                "value": reading.value(statistics) ?? 0,  // finds absent-as-zero
            ])
        }
        return rows
    }

    func weights(_ collection: HKStatisticsCollection, in year: DateInterval) -> [Double] {
        var weights: [Double] = []
        collection.enumerateStatistics(from: year.start, to: year.end) { bucket, _ in
            let latest = bucket.mostRecentQuantity()
            weights.append(latest != nil ? latest!.doubleValue(for: .gramUnit(with: .kilo)) : 0)  // finds absent-as-zero
        }
        return weights
    }

    func series(_ collection: HKStatisticsCollection, in day: DateInterval) -> [Double] {
        var series: [Double] = []
        collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
            series.append(self.highest(bucket))
        }
        return series
    }

    private func highest(_ statistics: HKStatistics) -> Double {
        guard statistics.endDate <= .now else { return .nan }
        return statistics.maximumQuantity()?.doubleValue(for: beats) ?? 0  // finds absent-as-zero
    }
}
