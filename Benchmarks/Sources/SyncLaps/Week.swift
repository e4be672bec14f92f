import Foundation
import HealthKit
import HealthSync

/// A week of heart rates, some of which are later replaced or deleted, and others added.
struct Week {
    /// 30,000 samples. The first third is replaced later, the second deleted.
    let before: [HKQuantitySample]
    static let third = 10_000
    private static let span = 7 * Laps.day
    private let start: Date

    /// Saves the samples that exist before the week's changes.
    init(_ store: HKHealthStore) async throws {
        let start = Date().addingTimeInterval(-Self.span - 3600)
        self.start = start
        before = (0..<3 * Self.third).map { Self.beat(numbered: $0, 60, version: 1, since: start) }
        for batch in 0..<3 {
            try await store.save(Array(before[batch * Self.third..<(batch + 1) * Self.third]))
        }
    }

    /// 50,000 changes: 10,000 replacements, 10,000 deletions and 30,000 new samples.
    func change(_ store: HKHealthStore) async throws {
        try await store.save(
            (0..<Self.third).map { Self.beat(numbered: $0, 90, version: 2, since: start) })
        try await store.delete(Array(before[Self.third..<2 * Self.third]))
        for batch in 3..<6 {
            try await store.save(
                (batch * Self.third..<(batch + 1) * Self.third).map {
                    Self.beat(numbered: $0, 70, version: 1, since: start)
                })
        }
    }

    /// Checks that the mirror holds the week as it is after ``change(_:)``.
    func check(_ mirror: Mirror) async throws {
        for (index, sample) in before.enumerated() where index % 100 == 0 {
            let isKept = try await mirror.entry(sample.uuid) != nil
            guard isKept == (index >= 2 * Self.third) else {
                throw LapError("sample \(index) of the week is \(isKept ? "" : "not ")kept")
            }
        }
        let own = try await mirror.entries(
            of: Laps.beats, from: start, to: start.addingTimeInterval(Self.span)
        ).filter { $0.syncIdentifier?.hasPrefix("week-") == true }
        var values: [Double: Int] = [:]
        for case .quantity(let value, _) in own.map(\.content) { values[value, default: 0] += 1 }
        let expected = [60.0: Self.third, 90: Self.third, 70: 3 * Self.third]
        guard values == expected else { throw LapError("the week's entries are \(values)") }
    }

    static func beat(at date: Date) -> HKQuantitySample {
        HKQuantitySample(
            type: Laps.beats, quantity: HKQuantity(unit: Laps.perMinute, doubleValue: 61),
            start: date, end: date)
    }

    private static func beat(
        numbered index: Int, _ value: Double, version: Int, since start: Date
    ) -> HKQuantitySample {
        let date = start.addingTimeInterval(Double(index) * span / Double(6 * third))
        return HKQuantitySample(
            type: Laps.beats, quantity: HKQuantity(unit: Laps.perMinute, doubleValue: value),
            start: date, end: date,
            metadata: [
                HKMetadataKeySyncIdentifier: "week-\(index)", HKMetadataKeySyncVersion: version,
            ])
    }
}

extension Laps {
    /// Times one sync of a week's changes.
    mutating func catchingUp(_ mirror: Mirror, _ week: Week) async throws {
        let watcher = try await watcher(mirror)
        // Only the week's changes remain to be read.
        for failure in try await watcher.sync().failures.values { throw failure }
        try await week.change(store)
        let seconds = try await Self.seconds {
            for failure in try await watcher.sync().failures.values { throw failure }
        }
        try await week.check(mirror)
        add("a week's 50,000 changes", seconds)
    }

    /// Times the reconciliation of ninety days with an up-to-date mirror.
    mutating func comparing(_ mirror: Mirror, _ week: Week) async throws {
        for _ in 0..<3 {
            var found: ReconciliationReport?
            let seconds = try await Self.seconds {
                found = try await mirror.reconcile([TrackedType(Self.beats)], with: store)
            }
            guard let report = found, report.isComplete, !report.foundDifferences,
                report.samples >= 5 * Week.third
            else { throw LapError("the comparison says \(found as Any)") }
            add("reconciling, 50,000 samples", seconds * 50_000 / Double(report.samples))
        }
    }
}
