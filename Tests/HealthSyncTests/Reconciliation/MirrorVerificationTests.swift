import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("verification finds and repairs differences from the store")
struct MirrorVerificationTests {
    private static let types = [TrackedType(TestSample.mass), TrackedType(TestSample.steps)]

    /// Creates a store with forty weights, one per day, and a mirror of them.
    private func world() async throws -> (HKHealthStore, Mirror, [HKSample]) {
        let store = HKHealthStore.inMemory(
            configuration: HealthStoreConfiguration(authorization: .grant))
        try await store.requestAuthorization(
            toShare: [TestSample.mass, TestSample.steps],
            read: [TestSample.mass, TestSample.steps])
        let samples = (0..<40).map { day in
            HKQuantitySample(
                type: TestSample.mass,
                quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 80 + Double(day)),
                start: TestSample.noon.addingTimeInterval(Double(day) * 86_400),
                end: TestSample.noon.addingTimeInterval(Double(day) * 86_400))
        }
        try await store.save(samples)
        let stored = try await HKSampleQueryDescriptor(
            predicates: [HKSamplePredicate<HKSample>.sample(type: TestSample.mass)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        let mirror = try Mirror.inMemory()
        let rows = stored
        try await mirror.write { db in for sample in rows { try mirror.upsert(sample, db) } }
        return (store, mirror, stored)
    }

    @Test("an equal mirror has no findings")
    func clean() async throws {
        let (store, mirror, _) = try await world()
        let report = try await mirror.verify(Self.types, against: store)
        #expect(report.isClean && report.daysCompared == 40 && report.entriesCompared == 40)
    }

    enum Damage: String, CaseIterable {
        case value, start, end, unit, missing, surplus, swapped, hidden
    }

    @Test(
        "each kind of difference is found on its day and removed by the repair",
        arguments: Damage.allCases)
    func damaged(damage: Damage) async throws {
        let (store, mirror, samples) = try await world()
        let uuid = samples[7].uuid
        let sql =
            switch damage {
            case .value: "UPDATE entry SET value = value + 1 WHERE uuid = ?"
            case .start: "UPDATE entry SET start = start + 1 WHERE uuid = ?"
            case .end: "UPDATE entry SET \"end\" = \"end\" + 1 WHERE uuid = ?"
            case .unit: "UPDATE entry SET unit = 'g' WHERE uuid = ?"
            case .missing: "DELETE FROM entry WHERE uuid = ?"
            case .surplus, .swapped:
                "UPDATE entry SET uuid = x'0123456789ABCDEF0123456789ABCDEF' WHERE uuid = ?"
            case .hidden: "UPDATE entry SET state = 1 WHERE uuid = ?"
            }
        try await mirror.write { try $0.execute(sql: sql, arguments: [uuid]) }
        if damage == .surplus { try await store.delete(samples[7]) }
        let report = try await mirror.verify(Self.types, against: store)
        let day = (samples[7].startDate.timeIntervalSinceReferenceDate / 86_400).rounded(.down)
        #expect(
            report.days.map(\.day) == [Date(timeIntervalSinceReferenceDate: day * 86_400)])
        let entries = damage == .missing || damage == .hidden ? 0 : 1
        #expect(report.days.first?.entries == entries)
        #expect(report.days.first?.samples == (damage == .surplus ? 0 : 1))
        let repaired = try await mirror.repair(report, against: store)
        let expected: RepairReport =
            switch damage {
            case .missing: RepairReport(added: 1)
            case .swapped: RepairReport(added: 1, hidden: 1)
            case .surplus: RepairReport(hidden: 1)
            default: RepairReport(changed: 1)
            }
        #expect(repaired == expected)
        #expect(try await mirror.verify(Self.types, against: store).isClean)
        var all = EntryRequest()
        all.states = [.notVisible]
        #expect(try await mirror.count(all) == expected.hidden)
    }

    @Test("only the requested span is compared")
    func span() async throws {
        let (store, mirror, samples) = try await world()
        let uuid = samples[7].uuid
        try await mirror.write {
            try $0.execute(sql: "DELETE FROM entry WHERE uuid = ?", arguments: [uuid])
        }
        let after = samples[8].startDate..<samples[39].startDate
        #expect(try await mirror.verify(Self.types, over: after, against: store).isClean)
    }

    @Test("an unreadable type is reported, and the other types are compared")
    func unasked() async throws {
        let (store, mirror, _) = try await world()
        let types = Self.types + [TrackedType(HKQuantityType(.heartRate))]
        let report = try await mirror.verify(types, against: store)
        #expect(Array(report.failures.keys) == ["HKQuantityTypeIdentifierHeartRate"])
        #expect(report.days.isEmpty && report.daysCompared == 40 && !report.isClean)
    }

    @Test("a corrupt index is reported")
    func integrity() async throws {
        let (store, mirror, _) = try await world()
        try await mirror.database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA writable_schema = ON")
            try db.execute(
                sql: "UPDATE sqlite_schema SET sql = replace(sql, '(type, start)', '(type, value)')"
                    + " WHERE name = 'entry_start'")
            try db.execute(sql: "PRAGMA writable_schema = RESET")
        }
        let report = try await mirror.verify([], against: store)
        #expect(!report.damage.isEmpty && !report.isClean)
    }
}
