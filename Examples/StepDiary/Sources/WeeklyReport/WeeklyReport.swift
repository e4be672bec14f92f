import Foundation
import HealthKit

/// A one-line summary of a week, in the style before Swift concurrency: completion handlers and a
/// group.
public class WeeklyReport {
    let healthStore: HKHealthStore
    let calendar: Calendar

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - healthStore: The store to read from.
    ///   - calendar: The calendar that defines days.
    public init(healthStore: HKHealthStore, calendar: Calendar = .current) {
        self.healthStore = healthStore
        self.calendar = calendar
    }

    /// Computes the line "52000 steps, 71.0 kg", or the available part of it.
    ///
    /// - Parameters:
    ///   - week: The interval to summarize.
    ///   - completion: Receives the line, on the main queue.
    public func line(for week: DateInterval, completion: @escaping (String) -> Void) {
        var steps: Double?
        var kilograms: Double?
        let group = DispatchGroup()

        group.enter()
        query(.stepCount, .cumulativeSum, week) { statistics in
            steps = statistics?.sumQuantity()?.doubleValue(for: .count())
            group.leave()
        }
        group.enter()
        query(.bodyMass, .discreteAverage, week) { statistics in
            kilograms = statistics?.averageQuantity()?.doubleValue(for: HKUnit(from: "kg"))
            group.leave()
        }
        group.notify(queue: .main) {
            var parts: [String] = []
            if let steps = steps { parts.append("\(Int(steps)) steps") }
            if let kilograms = kilograms { parts.append(String(format: "%.1f kg", kilograms)) }
            completion(parts.isEmpty ? "nothing recorded" : parts.joined(separator: ", "))
        }
    }

    private func query(
        _ identifier: HKQuantityTypeIdentifier, _ options: HKStatisticsOptions,
        _ week: DateInterval, completion: @escaping (HKStatistics?) -> Void
    ) {
        guard let type = HKObjectType.quantityType(forIdentifier: identifier) else {
            completion(nil)
            return
        }
        let predicate = HKQuery.predicateForSamples(
            withStart: week.start, end: week.end, options: [.strictStartDate])
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: options
        ) { _, statistics, error in
            if let error = error as? HKError, error.code != .errorNoData {
                print("\(identifier.rawValue): \(error.localizedDescription)")
            }
            completion(statistics)
        }
        healthStore.execute(query)
    }
}
