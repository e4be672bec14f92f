import Foundation
import HealthKit

final class HealthKitActivityService: ActivityServicing {

    enum ServiceError: Error { case notAvailable }

    private let store: HKHealthStore
    private let stepType = HKQuantityType(.stepCount)
    private let calendar: Calendar

    init(store: HKHealthStore = HKHealthStore(), calendar: Calendar = .autoupdatingCurrent) {
        self.store = store
        self.calendar = calendar
    }

    func requestAccess() async throws {
        guard HKHealthStore.isHealthDataAvailable() else { throw ServiceError.notAvailable }
        try await store.requestAuthorization(toShare: [], read: [stepType, HKQuantityType(.appleExerciseTime)])
    }

    func steps(on day: Date) async throws -> Int {
        let start = calendar.startOfDay(for: day)
        let end = calendar.date(byAdding: .day, value: 1, to: start) ?? day
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: stepType,
                quantitySamplePredicate: Self.withoutManualEntries(from: start, to: end),
                options: .cumulativeSum
            ) { _, statistics, error in
                if let error = error as? HKError, error.code == .errorNoData {
                    continuation.resume(returning: 0)
                } else if let error {
                    continuation.resume(throwing: error)
                } else {
                    let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
                    continuation.resume(returning: Int(sum))
                }
            }
            store.execute(query)
        }
    }

    func steps(from start: Date, to end: Date) async throws -> [StepDay] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsCollectionQuery(
                quantityType: stepType,
                quantitySamplePredicate: Self.withoutManualEntries(from: start, to: end),
                options: .cumulativeSum,
                anchorDate: calendar.startOfDay(for: start),
                intervalComponents: DateComponents(day: 1))
            query.initialResultsHandler = { _, collection, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                var days: [StepDay] = []
                collection?.enumerateStatistics(from: start, to: end) { statistics, _ in
                    let sum = statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0
                    days.append(StepDay(day: statistics.startDate, steps: Int(sum)))
                }
                continuation.resume(returning: days)
            }
            store.execute(query)
        }
    }

    func changes() -> AsyncStream<Void> {
        AsyncStream { continuation in
            let query = HKObserverQuery(sampleType: stepType, predicate: nil) { _, done, error in
                if error == nil { continuation.yield(()) }
                done()
            }
            continuation.onTermination = { [store] _ in store.stop(query) }
            store.execute(query)
        }
    }

    /// Challenges don't count what was typed in.
    private static func withoutManualEntries(from start: Date, to end: Date) -> NSPredicate {
        let dates = HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate)
        let manual = HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeyWasUserEntered, operatorType: .notEqualTo, value: true)
        return NSCompoundPredicate(andPredicateWithSubpredicates: [dates, manual])
    }
}
