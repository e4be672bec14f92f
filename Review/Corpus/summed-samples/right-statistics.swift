// Totals that HealthKit merges itself, and sums of what it has merged.
import HealthKit

struct TotalsReader {
    let store: HKHealthStore

    func energy(on day: DateInterval) async throws -> Double {
        let predicate = HKQuery.predicateForSamples(
            withStart: day.start, end: day.end, options: .strictStartDate)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.activeEnergyBurned), predicate: predicate),
            options: .cumulativeSum)
        let statistics = try await descriptor.result(for: store)
        return statistics?.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
    }

    func weeklySteps(from start: Date, to end: Date, completion: @escaping (Double) -> Void) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end),
            options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
            intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, results, _ in
            var total = 0.0
            results?.enumerateStatistics(from: start, to: end) { day, _ in
                total += day.sumQuantity()?.doubleValue(for: .count()) ?? 0
            }
            completion(total)
        }
        store.execute(query)
    }

    func perSource(on day: DateInterval, completion: @escaping ([String: Double]) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(
                withStart: day.start, end: day.end),
            options: [.cumulativeSum, .separateBySource]
        ) { _, statistics, _ in
            var result: [String: Double] = [:]
            for source in statistics?.sources ?? [] {
                let sum = statistics?.sumQuantity(for: source)?.doubleValue(for: .count()) ?? 0
                result[source.bundleIdentifier, default: 0] += sum
            }
            completion(result)
        }
        store.execute(query)
    }

    func yearOfMonths(_ months: [HKStatistics]) -> Double {
        months.compactMap { $0.sumQuantity()?.doubleValue(for: .kilocalorie()) }.reduce(0, +)
    }
}
