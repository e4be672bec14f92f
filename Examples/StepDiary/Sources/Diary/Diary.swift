import Foundation
import HealthKit

/// Steps and weights, read from HealthKit and written to it.
public struct Diary: Sendable {
    /// Why the diary can't do what was requested.
    public enum Problem: Error, Equatable {
        /// The device has no health data.
        case unavailable
        /// The user doesn't allow the diary to write weights.
        case writeNotAllowed
    }

    private let healthStore: HKHealthStore
    private let calendar: Calendar

    /// Creates a diary.
    ///
    /// - Parameters:
    ///   - healthStore: The store to read from and write to.
    ///   - calendar: The calendar that defines days.
    public init(healthStore: HKHealthStore = HKHealthStore(), calendar: Calendar = .current) {
        self.healthStore = healthStore
        self.calendar = calendar
    }

    private static let steps = HKQuantityType(.stepCount)
    private static let bodyMass = HKQuantityType(.bodyMass)
    private static let kilogram = HKUnit.gramUnit(with: .kilo)

    /// Requests access to the diary's types. Access may be granted in part; denied types look
    /// empty.
    ///
    /// - Throws: ``Problem/unavailable`` if the device has no health data, or an error of the
    ///   store.
    public func requestAuthorization() async throws {
        guard HKHealthStore.isHealthDataAvailable() else { throw Problem.unavailable }
        try await healthStore.requestAuthorization(
            toShare: [Self.bodyMass], read: [Self.steps, Self.bodyMass])
    }

    /// Returns the days up to and including the day of a date, the oldest first.
    ///
    /// - Parameters:
    ///   - count: The number of days.
    ///   - date: A time on the last day, in the calendar's time zone.
    /// - Returns: One value per day.
    /// - Throws: An error of the store's queries.
    public func days(_ count: Int, upTo date: Date) async throws -> [DiaryDay] {
        guard
            let last = calendar.dateInterval(of: .day, for: date),
            let start = calendar.date(byAdding: .day, value: 1 - count, to: last.start)
        else { return [] }
        async let steps = collection(Self.steps, .cumulativeSum, from: start, to: last.end)
        async let weights = collection(Self.bodyMass, .discreteAverage, from: start, to: last.end)
        let (stepDays, weightDays) = try await (steps, weights)
        var days: [DiaryDay] = []
        stepDays.enumerateStatistics(from: start, to: last.start) { statistics, _ in
            let date = statistics.startDate
            let weight = weightDays.statistics(for: date)?.averageQuantity()
            days.append(
                DiaryDay(
                    date: date,
                    steps: statistics.sumQuantity().map { Int($0.doubleValue(for: .count())) },
                    kilograms: weight?.doubleValue(for: Self.kilogram)))
        }
        return days
    }

    /// Returns the steps of each source on a day. Sources overlap, so their sum can exceed the
    /// day's steps.
    ///
    /// - Parameter date: A time on the day, in the calendar's time zone.
    /// - Returns: The steps by the source's name.
    /// - Throws: An error of the store's queries.
    public func stepsBySource(on date: Date) async throws -> [String: Int] {
        guard let day = calendar.dateInterval(of: .day, for: date) else { return [:] }
        let collection = try await collection(
            Self.steps, [.cumulativeSum, .separateBySource], from: day.start, to: day.end)
        guard let statistics = collection.statistics(for: day.start) else { return [:] }
        let totals = (statistics.sources ?? []).compactMap { source in
            statistics.sumQuantity(for: source).map {
                (source.name, Int($0.doubleValue(for: .count())))
            }
        }
        return Dictionary(totals, uniquingKeysWith: +)
    }

    private func collection(
        _ type: HKQuantityType, _ options: HKStatisticsOptions, from start: Date, to end: Date
    ) async throws -> HKStatisticsCollection {
        var interval = DateComponents(day: 1)
        interval.calendar = calendar
        return try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: type,
                predicate: HKQuery.predicateForSamples(withStart: start, end: end)),
            options: options, anchorDate: start, intervalComponents: interval
        ).result(for: healthStore)
    }
}

extension Diary {
    /// Saves a weight. A later version for the same second replaces it.
    ///
    /// - Parameters:
    ///   - kilograms: The weight in kilograms.
    ///   - date: The time of the weight.
    ///   - version: The sync version. Only a higher one replaces a saved weight.
    /// - Returns: The identifier of the sample.
    /// - Throws: ``Problem/writeNotAllowed`` if writing is denied, or an error of the store.
    @discardableResult
    public func saveWeight(_ kilograms: Double, at date: Date, version: Int = 1) async throws
        -> UUID
    {
        guard healthStore.authorizationStatus(for: Self.bodyMass) != .sharingDenied else {
            throw Problem.writeNotAllowed
        }
        let sample = HKQuantitySample(
            type: Self.bodyMass,
            quantity: HKQuantity(unit: Self.kilogram, doubleValue: kilograms),
            start: date, end: date,
            metadata: [
                HKMetadataKeyWasUserEntered: true,
                HKMetadataKeySyncIdentifier: "weight-\(Int(date.timeIntervalSince1970))",
                HKMetadataKeySyncVersion: version,
            ])
        try await healthStore.save(sample)
        return sample.uuid
    }

    /// Deletes the diary's own weights of a day. Weights of other sources remain.
    ///
    /// - Parameter date: A time on the day, in the calendar's time zone.
    /// - Returns: The number of deleted weights.
    /// - Throws: An error of the store.
    public func removeWeights(on date: Date) async throws -> Int {
        guard let day = calendar.dateInterval(of: .day, for: date) else { return 0 }
        return try await healthStore.deleteObjects(
            of: Self.bodyMass,
            predicate: HKQuery.predicateForSamples(
                withStart: day.start, end: day.end, options: .strictStartDate))
    }

    /// Returns the most recent weight of any source.
    ///
    /// - Returns: The time and the weight in kilograms, or nil if there is none.
    /// - Throws: An error of the store's queries.
    public func latestWeight() async throws -> (date: Date, kilograms: Double)? {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Self.bodyMass)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
        ).result(for: healthStore)
        return samples.first.map { ($0.startDate, $0.quantity.doubleValue(for: Self.kilogram)) }
    }

    /// Returns a stream with a value for each change of steps or weights. The first comes
    /// immediately.
    ///
    /// - Returns: The stream. Its query stops when the stream ends.
    public func changes() -> AsyncStream<Void> {
        let store = healthStore
        return AsyncStream { continuation in
            let query = HKObserverQuery(queryDescriptors: [
                HKQueryDescriptor(sampleType: Self.steps, predicate: nil),
                HKQueryDescriptor(sampleType: Self.bodyMass, predicate: nil),
            ]) { _, _, completion, error in
                if error == nil { continuation.yield() }
                completion()
            }
            store.execute(query)
            continuation.onTermination = { _ in store.stop(query) }
        }
    }
}
