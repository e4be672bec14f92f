//  Pulse (2025): Swift 6, one actor owns HealthKit.

import Foundation
import HealthKit

actor HealthGateway {

    static let shared = HealthGateway()

    private let store = HKHealthStore()
    private var anchors: [String: HKQueryAnchor] = [:]
    private let defaults: UserDefaults

    init(defaults: UserDefaults = .standard) {
        self.defaults = defaults
    }

    enum Failure: Error {
        case unavailable
        case unreadableAnchor
    }

    static let readTypes: Set<HKObjectType> = [
        HKQuantityType(.stepCount), HKQuantityType(.heartRate), HKQuantityType(.heartRateVariabilitySDNN),
        HKQuantityType(.vo2Max), HKCategoryType(.sleepAnalysis), .workoutType(),
        .activitySummaryType(),
    ]

    func authorize() async throws {
        guard HKHealthStore.isHealthDataAvailable() else { throw Failure.unavailable }
        try await store.requestAuthorization(toShare: [], read: Self.readTypes)
    }

    func needsSheet() async throws -> Bool {
        let status = try await store.statusForAuthorizationRequest(toShare: [], read: Self.readTypes)
        return status == .shouldRequest
    }

    // MARK: - Statistics

    func dailyTotals(
        _ identifier: HKQuantityTypeIdentifier, unit: HKUnit, days: Int
    ) async throws -> [DayValue] {
        let calendar = Calendar.autoupdatingCurrent
        let today = calendar.startOfDay(for: .now)
        guard let start = calendar.date(byAdding: .day, value: 1 - days, to: today),
            let end = calendar.date(byAdding: .day, value: 1, to: today)
        else { return [] }
        let type = HKQuantityType(identifier)
        let cumulative = type.aggregationStyle == .cumulative
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(
                type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: end)),
            options: cumulative ? .cumulativeSum : .discreteAverage,
            anchorDate: today,
            intervalComponents: .init(day: 1))
        let collection = try await descriptor.result(for: store)
        return collection.statistics().compactMap { statistics in
            let quantity = cumulative ? statistics.sumQuantity() : statistics.averageQuantity()
            guard let quantity, quantity.is(compatibleWith: unit) else { return nil }
            return DayValue(day: statistics.startDate, value: quantity.doubleValue(for: unit))
        }
    }

    func heartRateRange(during workout: HKWorkout) async throws -> ClosedRange<Double>? {
        let bpm = HKUnit.count().unitDivided(by: .minute())
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.heartRate),
                predicate: HKQuery.predicateForObjects(from: workout)),
            options: [.discreteMin, .discreteMax])
        guard let result = try await descriptor.result(for: store),
            let low = result.minimumQuantity()?.doubleValue(for: bpm),
            let high = result.maximumQuantity()?.doubleValue(for: bpm)
        else { return nil }
        return low...high
    }

    // MARK: - Changes

    struct Changes: Sendable {
        var added: [HKSample] = []
        var deleted: [UUID] = []
        var isEmpty: Bool { added.isEmpty && deleted.isEmpty }
    }

    /// Everything new of a type; the anchor moves only when `apply` succeeded.
    func sync(_ type: HKSampleType, apply: @Sendable (Changes) async throws -> Void) async throws {
        var anchor = try storedAnchor(for: type)
        while true {
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: [.sample(type: type)], anchor: anchor, limit: 500)
            let result = try await descriptor.result(for: store)
            let changes = Changes(
                added: result.addedSamples, deleted: result.deletedObjects.map(\.uuid))
            if changes.isEmpty { break }
            try await apply(changes)
            try keep(result.newAnchor, for: type)
            anchor = result.newAnchor
        }
    }

    private func storedAnchor(for type: HKSampleType) throws -> HKQueryAnchor? {
        if let anchor = anchors[type.identifier] { return anchor }
        guard let data = defaults.data(forKey: "anchor.\(type.identifier)") else { return nil }
        guard let anchor = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
        else { throw Failure.unreadableAnchor }
        return anchor
    }

    private func keep(_ anchor: HKQueryAnchor, for type: HKSampleType) throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
        defaults.set(data, forKey: "anchor.\(type.identifier)")
        anchors[type.identifier] = anchor
    }

    // MARK: - Background

    private var observers: [HKObserverQuery] = []

    func startBackgroundDelivery(onChange: @escaping @Sendable (HKSampleType) async -> Void) async throws {
        let types: [HKSampleType] = [HKCategoryType(.sleepAnalysis), .workoutType()]
        for type in types {
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
                guard error == nil else {
                    completion()
                    return
                }
                Task {
                    await onChange(type)
                    completion()
                }
            }
            store.execute(query)
            observers.append(query)
            try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
        }
    }

    func stopBackgroundDelivery() async throws {
        for query in observers { store.stop(query) }
        observers = []
        try await store.disableAllBackgroundDelivery()
    }
}

struct DayValue: Sendable, Identifiable, Codable {
    var id: Date { day }
    let day: Date
    let value: Double
}
