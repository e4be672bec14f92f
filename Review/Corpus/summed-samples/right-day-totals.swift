// Day totals through continuations, sources told apart by identifier, totals by source.
import HealthKit

struct DayReader {
    let healthStore: HKHealthStore

    func steps(on date: Date) async throws -> Double? {
        let calendar = Calendar.current
        let start = calendar.startOfDay(for: date)
        guard let end = calendar.date(byAdding: .day, value: 1, to: start) else { return nil }
        let predicate = HKQuery.predicateForSamples(
            withStart: start, end: end, options: .strictStartDate)
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: predicate,
                options: .cumulativeSum
            ) { _, statistics, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                continuation.resume(
                    returning: statistics?.sumQuantity()?.doubleValue(for: .count()))
            }
            healthStore.execute(query)
        }
    }

    func sources(of type: HKQuantityType) async throws -> Set<HKSource> {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSourceQuery(sampleType: type, samplePredicate: nil) { _, found, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: found ?? [])
                }
            }
            healthStore.execute(query)
        }
    }

    func ownSources(_ sources: Set<HKSource>) -> Set<HKSource> {
        sources.filter { $0.bundleIdentifier == Bundle.main.bundleIdentifier }
    }

    func fromHealth(_ nights: [HKCategorySample]) -> [HKCategorySample] {
        nights.filter { $0.sourceRevision.source.bundleIdentifier == "com.apple.health" }
    }

    func stepsBySource(_ predicate: NSPredicate) async throws -> [String: Double] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: predicate,
                options: [.cumulativeSum, .separateBySource]
            ) { _, statistics, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                var totals: [String: Double] = [:]
                for source in statistics?.sources ?? [] {
                    totals[source.name] =
                        statistics?.sumQuantity(for: source)?.doubleValue(for: .count()) ?? 0
                }
                continuation.resume(returning: totals)
            }
            healthStore.execute(query)
        }
    }
}
