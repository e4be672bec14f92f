import Foundation
import GRDB
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

/// Revisions of metrics over a store that other connections write to.
@Suite struct StoreRevisionsTests {
    private static let client = "org.example.pages"
    private let metrics: [Metric] = [.steps, .heartRate, .workouts]
    private let file: RecordedStore
    private let other: SampleStore
    private let revisions: StoreRevisions

    init() throws {
        file = try RecordedStore()
        try file.add("stepCount", "Watch", 0, 600, 100, .watch)
        try file.add("stepCount", "Phone", 0, 600, 90, .phone)
        try file.add("heartRate", "Watch", 0, 0, 60, .watch)
        try file.write()
        other = try file.open()
        revisions = StoreRevisions(store: try file.open(.reading), client: Self.client)
    }

    /// Returns the metrics whose revision changes during `body`.
    private func changed(by body: () throws -> Void) async throws -> Set<Metric> {
        let before = try await revisions.revisions(of: metrics)
        #expect(Set(before.keys) == Set(metrics))
        try body()
        let after = try await revisions.revisions(of: metrics)
        return Set(metrics.filter { before[$0] != after[$0] })
    }

    private func save(
        _ name: String, _ value: Double, at start: Double
    ) throws -> SampleUUID {
        let type = try other.type(named: name)
        var batch = SampleBatch(samples: [
            Sample(
                type: type.code, origin: 0, start: start, end: start, created: start, value: value)
        ])
        batch.sources = [Source(name: "App", bundleIdentifier: "org.example.app")]
        batch.origins = [Origin(source: 0, version: "1", unit: type.canonicalUnit)]
        let uuid = try #require(SampleUUID(UUID().uuidString))
        try other.save(batch, uuids: [uuid], at: start)
        return uuid
    }

    @Test("reading changes no revision")
    func reading() async throws {
        let first = try await revisions.revisions(of: metrics)
        let changed = try await changed {
            _ = try other.samples(SampleQuery(other.type(named: "stepCount")))
            _ = try other.statistics(
                SampleQuery(other.type(named: "stepCount")), over: [0, 86_400])
            _ = try other.contents()
        }
        #expect(changed.isEmpty)
        #expect(try await revisions.revisions(of: metrics) == first)
        #expect(try await revisions.revisions(of: [.steps])[.steps] == first[.steps])
        #expect(try await revisions.revisions(of: []) == [:])
    }

    @Test("a save changes the revision of its type and that of workouts")
    func saving() async throws {
        // The sample has a new source, which can affect every source order.
        _ = try save("heartRate", 1, at: 1000)
        let beats = try await changed { _ = try save("heartRate", 1, at: 2000) }
        #expect(beats == [.heartRate, .workouts])
        let steps = try await changed { _ = try save("stepCount", 7, at: 3000) }
        #expect(steps == [.steps, .workouts])
        let weight = try await changed { _ = try save("bodyMass", 80, at: 3000) }
        #expect(weight == [.workouts])
        let source = try await changed {
            try file.add("heartRate", "Chest strap", 9000, 9000, 61)
            try file.write()
        }
        #expect(source == Set(metrics))
    }

    @Test("a deletion changes its type's revision, and every one once its record is removed")
    func deleting() async throws {
        let uuid = try save("stepCount", 7, at: 3000)
        let deleted = try await changed { try other.delete([uuid], by: "org.example.app") }
        #expect(deleted == [.steps, .workouts])
        let second = try save("stepCount", 8, at: 4000)
        let traceless = try await changed {
            try other.delete([second], by: "org.example.app")
            _ = try other.purgeTombstones(through: try other.lastSequence)
        }
        #expect(traceless == Set(metrics))
        // The same again, now starting from a sequence number that was assigned meanwhile.
        #expect(try await changed { _ = try save("stepCount", 9, at: 5000) }.contains(.steps))
    }

    @Test("the source order, an exclusion, a grant and the home zone change every revision")
    func settings() async throws {
        let type = try other.type(named: "stepCount")
        let steps: [() throws -> Void] = [
            { try other.setOrder(of: type, to: ["Phone", "Watch"]) },
            { try other.set(.excluded, of: "Phone", in: type) },
            { try other.resetSources(of: type) },
            {
                try other.setAuthorization(
                    [type.code: AuthorizationRow(share: .notDetermined, read: .granted)],
                    of: Self.client)
            },
            {
                try other.setAuthorization(
                    [type.code: AuthorizationRow(share: .notDetermined, read: .denied)],
                    of: Self.client)
            },
            { try other.resetAuthorization(of: Self.client) },
        ]
        for (number, step) in steps.enumerated() {
            #expect(try await changed(by: step) == Set(metrics), "step \(number)")
        }
        let others = try await changed {
            try other.setAuthorization(
                [type.code: AuthorizationRow(share: .notDetermined, read: .denied)],
                of: "org.example.somebody")
        }
        #expect(others.isEmpty)
    }

    @Test("during a write revisions are the earlier ones, and none is reused")
    func busy() async throws {
        let before = try await revisions.revisions(of: metrics)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        try await queue.writeWithoutTransaction { db in
            try db.execute(
                sql:
                    "BEGIN IMMEDIATE; UPDATE store SET value = value + 1 WHERE key = 'lastSequence'"
            )
        }
        #expect(try await revisions.revisions(of: metrics) == before)
        try await queue.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        #expect(try await revisions.revisions(of: metrics) == before)
        try queue.close()
    }

    @Test("two readers agree on which metrics changed, each by its own revisions")
    func second() async throws {
        let late = StoreRevisions(store: try file.open(.reading), client: Self.client)
        #expect(
            try await late.revisions(of: metrics) == (try await revisions.revisions(of: metrics)))
        _ = try save("heartRate", 1, at: 1000)
        // A later client knows only the last sequence number of the store.
        let latest = StoreRevisions(store: try file.open(.reading), client: Self.client)
        let known = try await revisions.revisions(of: metrics)
        let first = try await latest.revisions(of: metrics)
        #expect(first[.heartRate] == known[.heartRate])
        #expect(first[.steps] != known[.steps])
    }
}
