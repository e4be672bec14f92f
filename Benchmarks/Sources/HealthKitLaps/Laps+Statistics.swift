import Foundation
import HealthCalendar
import HealthEngine
import HealthKit
import HealthStorage

extension Laps {
    /// Times ten years of daily steps, through HealthKit's query and through the engine alone.
    mutating func collecting() async throws {
        let steps = HKQuantityType(.stepCount)
        let store = try HKHealthStore(path: importedStore)
        try await store.requestAuthorization(toShare: [], read: [steps])
        let engine = try SampleStore(at: importedStore, access: .reading)
        let question = SampleQuery(try engine.type(named: "stepCount"))
        guard let extent = try engine.extent(of: question), let zone = try engine.homeZone else {
            throw LapError("the imported store has no steps")
        }
        let buckets = CalendarBuckets(timeZone: zone.timeZone)
        let edges = try buckets.edges(from: extent.first, to: extent.last, by: .day)
        for round in 0...rounds {
            var expected: StatisticsResult?
            let alone = try await Self.seconds {
                expected = try engine.statistics(question, over: edges)
            }
            var collection: HKStatisticsCollection?
            let query = try await Self.seconds {
                collection = try await Self.days(
                    of: steps, from: Date(timeIntervalSinceReferenceDate: edges[0]),
                    buckets.calendar, in: store)
            }
            try Self.compare(collection, expected)
            if round == 0 { continue }
            add("ten years of days, engine", alone)
            add("ten years of days, collection query", query)
            add("ten years of days, added", query - alone)
        }
    }

    private static func days(
        of type: HKQuantityType, from anchor: Date, _ calendar: Calendar, in store: HKHealthStore
    ) async throws -> HKStatisticsCollection {
        var interval = DateComponents(day: 1)
        interval.calendar = calendar
        let query = HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: anchor, intervalComponents: interval)
        return try await withCheckedThrowingContinuation { continuation in
            query.initialResultsHandler = { _, collection, error in
                if let collection {
                    continuation.resume(returning: collection)
                } else {
                    continuation.resume(throwing: error ?? LapError("neither nor"))
                }
            }
            store.execute(query)
        }
    }

    private static func compare(
        _ collection: HKStatisticsCollection?, _ expected: StatisticsResult?
    ) throws {
        let days = collection?.statistics() ?? []
        guard let expected, days.count == expected.buckets.count else {
            throw LapError("\(days.count) days of \(expected?.buckets.count ?? 0)")
        }
        for (day, bucket) in zip(days, expected.buckets) {
            guard
                day.startDate.timeIntervalSinceReferenceDate == bucket.start,
                day.sumQuantity()?.doubleValue(for: .count()) == bucket.merged.sum
            else { throw LapError("a day differs from the engine's") }
        }
    }

    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        let duration = (ContinuousClock.now - start).components
        return Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
    }
}
