// Weekly means and the trend line.
import Foundation
import HealthKit

struct WeekMean: Identifiable {
    let week: Date
    let kilograms: Double

    var id: Date { week }
}

struct TrendReader {
    let store: HKHealthStore

    func weeks(_ count: Int, until now: Date = .now) async throws -> [WeekMean] {
        let calendar = Calendar.current
        guard let thisWeek = calendar.dateInterval(of: .weekOfYear, for: now),
            let start = calendar.date(byAdding: .weekOfYear, value: -count, to: thisWeek.start)
        else { return [] }
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.bodyMass),
                predicate: HKQuery.predicateForSamples(withStart: start, end: now)),
            options: .discreteAverage, anchorDate: thisWeek.start,
            intervalComponents: DateComponents(weekOfYear: 1))
        let collection = try await descriptor.result(for: store)
        return collection.statistics().compactMap { statistics in
            statistics.averageQuantity().map {
                WeekMean(
                    week: statistics.startDate,
                    kilograms: $0.doubleValue(for: .gramUnit(with: .kilo)))
            }
        }
    }

    static func slope(of means: [WeekMean]) -> Double {
        guard means.count > 1 else { return 0 }
        let middle = Double(means.count - 1) / 2
        let average = means.reduce(0) { $0 + $1.kilograms } / Double(means.count)
        var above = 0.0
        var below = 0.0
        for (index, mean) in means.enumerated() {
            above += (Double(index) - middle) * (mean.kilograms - average)
            below += (Double(index) - middle) * (Double(index) - middle)
        }
        return above / below
    }
}
