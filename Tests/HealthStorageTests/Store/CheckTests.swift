import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("the check finds each broken rule, and nothing in a healthy store")
struct CheckTests {
    private func healthy() throws -> TemporaryStore {
        let file = try TemporaryStore()
        var recording = Recording()
        for index in 0..<20 {
            let start = Double(index) * 100
            recording.add(.steps, "Phone", start, start + 60, 10, device: .phone)
            recording.add(.sleep, "Watch", start, start + 60, 1, unit: nil, device: .watch)
        }
        let pressure = SampleType.named("bloodPressure")
        let parent = recording.add(pressure, "Cuff", 0, 0, .nan, unit: nil)
        let child = recording.add(.named("bloodPressureSystolic"), "Cuff", 0, 0, 120)
        recording.batch.parents[child] = parent
        let rings = recording.add(.named("activitySummary"), "Watch", 0, 1, .nan, unit: nil)
        recording.batch.details[rings] = .activitySummary(ActivitySummary(date: "2001-01-01"))
        recording.batch.metadata = [["HKTimeZone": .string("Europe/Berlin")]]
        recording.batch.samples[0].metadata = 0
        try file.add(recording)
        // A newer export that lacks one sample and changes another.
        recording.batch.samples[2].value = 11
        recording.batch.samples[3].start = -500
        recording.batch.samples[3].end = -400
        try file.add(recording)
        return file
    }

    @Test("nothing is wrong after imports that add, change and remove")
    func healthyStore() throws {
        let file = try healthy()
        let store = try file.open(.reading)
        #expect(try store.check() == [])
        let counts = try store.read { db in
            try ["removed", "tombstone", "membership", "detail", "metadata"].map {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0
            }
        }
        #expect(counts == [2, 1, 1, 1, 1])
    }

    static let damages: [(String, String)] = [
        (
            "samples end no earlier than they start",
            "UPDATE sample SET start_time = end_time + 0.5 WHERE sequence = 1"
        ),
        (
            "times are finite",
            "UPDATE sample SET end_time = 1e300 WHERE sequence = 1"
        ),
        (
            "sequence numbers are not above the counter",
            "UPDATE store SET value = value - 1 WHERE key = 'lastSequence'"
        ),
        (
            "sequence numbers are unique",
            "UPDATE removed SET sequence = 1 WHERE reason = 'changed'"
        ),
        (
            "sequence numbers are unique",
            """
            UPDATE tombstone SET sequence = 1;
            UPDATE removed SET removed_sequence = 1 WHERE reason = 'vanished'
            """
        ),
        ("samples have a known type", "UPDATE sample SET type = 31000 WHERE sequence = 1"),
        (
            "referenced metadata exists",
            "UPDATE sample SET metadata = 99 WHERE sequence = 1"
        ),
        (
            "type, start and key identify one imported sample",
            """
            INSERT INTO sample (sequence, type, start_time, key, end_time, created, origin, value)
            SELECT 0, type, start_time, key, end_time, created, origin, value FROM sample
            WHERE sequence = 1
            """
        ),
        (
            "metadata, details and ledgers can be read",
            "UPDATE metadata SET entries = '{'"
        ),
        ("metadata, details and ledgers can be read", "UPDATE detail SET content = 'rings'"),
        ("metadata, details and ledgers can be read", "UPDATE import SET ledger = '' WHERE id = 1"),
        ("workouts and activity summaries have their details", "DELETE FROM detail"),
        (
            "imported sources have a bundle identifier",
            "UPDATE source SET bundle_identifier = '' WHERE id = 1"
        ),
        (
            "imported sources have an alias for their first name",
            "DELETE FROM source_alias WHERE folded = 'Phone'"
        ),
        (
            "imported sources have an alias for their first name",
            "UPDATE source_alias SET source = (SELECT id FROM source WHERE name = 'Watch') "
                + "WHERE folded = 'Phone'"
        ),
        ("vanished samples have a tombstone", "DELETE FROM tombstone"),
        (
            "keys of imported samples match their values",
            "UPDATE sample SET created = created + 1 WHERE sequence = 1"
        ),
        (
            "import ledgers add up",
            """
            UPDATE import SET ledger = '{"records":{"read":5,"new":3,"changed":1}}' WHERE id = 2
            """
        ),
        ("references point to existing rows", "UPDATE membership SET child = 5000"),
        ("references point to existing rows", "UPDATE origin SET unit = 5000 WHERE id = 1"),
        (
            "the schema is unchanged: index “sample_long” is missing",
            "DROP INDEX sample_long"
        ),
        (
            "the schema is unchanged: view “record” is altered",
            "DROP VIEW record; CREATE VIEW record AS SELECT 1"
        ),
        (
            "the schema is unchanged: trigger “double” is added",
            """
            CREATE TRIGGER double AFTER INSERT ON sample BEGIN
                UPDATE sample SET value = value * 2 WHERE sequence = NEW.sequence; END
            """
        ),
    ]

    @Test("exactly the damage done is reported", arguments: damages)
    func damaged(invariant: String, sql: String) throws {
        let file = try healthy()
        try file.damage(sql)
        let violations = try SampleStore.forChecking(at: file.path).check()
        #expect(violations.map(\.invariant) == [invariant])
        #expect(violations.allSatisfy { $0.count == 1 })
    }

    /// Creates a store in which programs have saved, replaced and deleted samples.
    private func saved() throws -> TemporaryStore {
        let file = try healthy()
        let store = try file.open()
        var saved = SavedBatch()
        let parent = saved.add(.pressure, 0, uuid: 1)
        saved.add(.systolic, 0, 0, 120, uuid: 2, parent: parent)
        saved.add(.diastolic, 0, 0, 80, uuid: 3, parent: parent)
        saved.add(.workout, 0, 9, uuid: 4, detail: .workout(Workout(activityType: 37)))
        saved.add(.steps, 0, 9, 1, uuid: 5, metadata: SavedBatch.sync("a", 1))
        saved.add(.steps, 0, 9, 1, uuid: 6)
        try store.save(saved)
        try store.save(7, .steps, 0, 9, metadata: SavedBatch.sync("a", 2))
        try store.delete([6], by: "com.example.walks")
        try store.close()
        return file
    }

    @Test("nothing is wrong after programs have saved, replaced and deleted")
    func healthySaves() throws {
        let store = try saved().open(.reading)
        #expect(try store.check() == [])
        let tombstones = try store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM tombstone WHERE uuid IS NOT NULL")
        }
        #expect(tombstones == 2)
    }

    static let savedDamages: [(String, String)] = [
        (
            "saved samples have a UUID of 16 bytes",
            "UPDATE sample SET uuid = x'0102' WHERE sequence = (\(aSaved))"
        ),
        (
            "keys of saved samples match their UUIDs",
            "UPDATE sample SET key = key + 1 WHERE sequence = (\(aSaved))"
        ),
        (
            "saved samples have no tombstone",
            """
            UPDATE tombstone SET uuid = (SELECT uuid FROM sample WHERE sequence = (\(aSaved)))
            WHERE sequence = (SELECT max(sequence) FROM tombstone)
            """
        ),
        (
            "sync identifiers match their samples",
            "UPDATE sync_identifier SET identifier = 'b'"
        ),
        ("sync identifiers match their samples", "UPDATE sync_identifier SET version = 7"),
        ("sync identifiers match their samples", "UPDATE sync_identifier SET type = 1"),
        (
            "types of samples with details are marked",
            "UPDATE type SET has_details = 0 WHERE kind = 4"
        ),
        ("references point to existing rows", "UPDATE sync_identifier SET sample = 5000"),
    ]

    private static let aSaved =
        "SELECT max(sequence) FROM sample WHERE uuid IS NOT NULL AND type = 37"

    @Test("exactly the damage done to saved samples is reported", arguments: savedDamages)
    func damagedSaves(invariant: String, sql: String) throws {
        let file = try saved()
        try file.damage(sql)
        let violations = try SampleStore.forChecking(at: file.path).check()
        #expect(violations.map(\.invariant) == [invariant])
        #expect(violations.allSatisfy { $0.count == 1 })
    }

    @Test("a saved sample without a source is reported")
    func withoutSource() throws {
        let file = try saved()
        try file.damage(
            """
            INSERT INTO origin (id) VALUES (900);
            UPDATE sample SET origin = 900 WHERE sequence = (\(CheckTests.aSaved))
            """)
        #expect(
            try SampleStore.forChecking(at: file.path).check().map(\.invariant) == [
                "saved samples have a source with a bundle identifier",
                "sync identifiers match their samples",
            ])
    }

    @Test("a sample of an unknown origin is reported")
    func unknownOrigin() throws {
        let file = try healthy()
        try file.damage("UPDATE sample SET origin = 99 WHERE sequence = 1")
        // Its key can't refer to a missing source.
        let violations = try SampleStore.forChecking(at: file.path).check().map(\.invariant)
        #expect(
            violations == [
                "samples have a known origin", "keys of imported samples match their values",
            ])
    }

    @Test("a page overwritten on the disk is found")
    func overwritten() throws {
        let file = try healthy()
        let root = try file.open(.reading).read { db in
            try Int.fetchOne(
                db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'sample_order'")
        }
        let handle = try FileHandle(forWritingTo: file.url)
        try handle.seek(toOffset: UInt64((try #require(root) - 1) * 4096 + 3000))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 1096))
        try handle.close()
        let store = try file.open(.reading)
        do {
            #expect(try store.check().map(\.invariant) == ["the file is undamaged"])
        } catch let error as StoreError {
            #expect(error.code == .corrupt)
        }
    }
}
