// Anchors find what is new; a stored date here only says when that was.
import HealthKit

final class AnchoredSync {
    private let store: HKHealthStore
    private let sink: ChangeSink
    private var anchor: HKQueryAnchor?
    private(set) var lastSync: Date?

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    func sync() async throws {
        let horizon = Calendar.current.date(byAdding: .year, value: -1, to: .now)
        let recent = HKQuery.predicateForSamples(withStart: horizon, end: nil)
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.heartRate), predicate: recent)
            ],
            anchor: anchor
        ).result(for: store)
        sink.apply(result.addedSamples, result.deletedObjects)
        anchor = result.newAnchor
        lastSync = Date()
        UserDefaults.standard.set(lastSync, forKey: "lastSync")
    }

    var isStale: Bool {
        guard let lastSync else { return true }
        return Date().timeIntervalSince(lastSync) > 3_600
    }

    func statistics(from start: Date, to end: Date) async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.stepCount),
                predicate: HKQuery.predicateForSamples(withStart: start, end: end)),
            options: .cumulativeSum
        ).result(for: store)
    }
}
