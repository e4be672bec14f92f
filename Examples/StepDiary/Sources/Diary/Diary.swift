import Foundation
import HealthKit

/// Steps and weights, read from HealthKit and written to it.
public struct Diary: Sendable {
    public enum Problem: Error, Equatable {
        /// This device keeps no health data.
        case unavailable
        /// The person doesn't let the diary write weights.
        case mayNotWrite
    }

    private let healthStore: HKHealthStore
    private let calendar: Calendar

    public init(healthStore: HKHealthStore = HKHealthStore(), calendar: Calendar = .current) {
        self.healthStore = healthStore
        self.calendar = calendar
    }

    private static let steps = HKQuantityType(.stepCount)
    private static let bodyMass = HKQuantityType(.bodyMass)
    private static let kilogram = HKUnit.gramUnit(with: .kilo)

    /// Asks for what the diary needs. It may be granted in part; what is denied looks empty.
    public func requestAuthorization() async throws {
        guard HKHealthStore.isHealthDataAvailable() else { throw Problem.unavailable }
        try await healthStore.requestAuthorization(
            toShare: [Self.bodyMass], read: [Self.steps, Self.bodyMass])
    }

    /// The last days up to and including the one of `date`, the oldest first.
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

    /// What each source counted by itself on a day: they overlap, so they add up to more than the day.
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
    /// Writes a weight, one for each moment: written again it replaces the first.
    @discardableResult
    public func weigh(_ kilograms: Double, at date: Date, version: Int = 1) async throws -> UUID {
        guard healthStore.authorizationStatus(for: Self.bodyMass) != .sharingDenied else {
            throw Problem.mayNotWrite
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

    /// Takes back the diary's own weights of a day; those of others stay.
    public func removeWeights(on date: Date) async throws -> Int {
        guard let day = calendar.dateInterval(of: .day, for: date) else { return 0 }
        return try await healthStore.deleteObjects(
            of: Self.bodyMass,
            predicate: HKQuery.predicateForSamples(
                withStart: day.start, end: day.end, options: .strictStartDate))
    }

    /// The last weight anybody wrote.
    public func latestWeight() async throws -> (date: Date, kilograms: Double)? {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Self.bodyMass)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
        ).result(for: healthStore)
        return samples.first.map { ($0.startDate, $0.quantity.doubleValue(for: Self.kilogram)) }
    }

    /// A value each time steps or weights come in or go away, the first at once.
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
