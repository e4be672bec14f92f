import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("an import doesn't change samples that programs saved")
struct ImportsLeaveSavedTests {
    private func rows(_ store: SampleStore) throws -> [String] {
        try store.read { db in
            try [
                "SELECT * FROM sample WHERE uuid IS NOT NULL ORDER BY sequence",
                "SELECT * FROM tombstone WHERE uuid IS NOT NULL ORDER BY sequence",
                "SELECT * FROM sync_identifier ORDER BY sample",
                """
                SELECT * FROM membership WHERE parent IN
                    (SELECT sequence FROM sample WHERE uuid IS NOT NULL) ORDER BY parent, child
                """,
                """
                SELECT detail.* FROM detail JOIN sample USING (sequence)
                WHERE uuid IS NOT NULL ORDER BY sequence
                """,
            ].flatMap { sql in try Row.fetchAll(db, sql: sql).map { "\($0)" } }
        }
    }

    /// Saves samples with the same times, values and names as imported ones.
    private func saveEqualSamples(_ store: SampleStore) throws {
        var saved = SavedBatch("Phone")
        saved.batch.sources = [Source(name: "Phone", bundleIdentifier: "com.example.Phone")]
        for index in 0..<10 {
            saved.add(
                .steps, Double(index) * 100, Double(index) * 100 + 60, 10,
                uuid: SampleUUID(number: index), created: Double(index) * 100 + 60)
        }
        saved.add(.steps, 5000, 5060, 1, uuid: 50, metadata: SavedBatch.sync("a", 1))
        let parent = saved.add(.pressure, 7, uuid: 51)
        saved.add(.systolic, 7, 7, 120, uuid: 52, parent: parent)
        saved.add(.workout, 0, 9, uuid: 53, detail: .workout(Workout(activityType: 37)))
        try store.save(saved)
        try store.delete([3, 4], by: "com.example.Phone")
    }

    private func recording() -> Recording {
        var recording = Recording()
        for index in 0..<10 {
            recording.add(
                .steps, "Phone", Double(index) * 100, Double(index) * 100 + 60, 10, device: .phone)
        }
        recording.batch.metadata = [SavedBatch.sync("a", 9)]
        let synced = recording.add(.steps, "Phone", 5000, 5060, 1, device: .phone)
        recording.batch.samples[synced].metadata = 0
        return recording
    }

    @Test("whole, changed, shrunk and renamed exports change no saved row")
    func unchanged() throws {
        let file = try TemporaryStore()
        let store = try file.open(.creating)
        try saveEqualSamples(store)
        let before = try rows(store)
        #expect(before.count == 12 + 2 + 1 + 1 + 1)
        var recording = recording()
        #expect(try file.add(recording)[.quantity].new == 11)
        #expect(try rows(store) == before)
        recording.batch.samples[0].value = 11
        recording.batch.samples.removeLast(4)
        let changed = try file.add(recording)
        #expect(changed[.quantity].changed == 1 && changed.vanished == 4)
        #expect(try rows(store) == before)
        recording.batch.sources[0].name = "New Phone"
        try file.add(recording)
        #expect(try rows(store) == before)
        try file.add(Recording().batch, [])
        #expect(try rows(store) == before)
        #expect(try store.check() == [])
        #expect(try store.uuids(.steps).count == 9)
    }

    @Test("an import into a store that only programs have filled is one transaction of its own")
    func savedFirst() throws {
        let file = try TemporaryStore()
        let store = try file.open(.creating)
        try saveEqualSamples(store)
        let last = try store.lastSequence
        try file.add(recording())
        let changes = try store.changes(.steps, after: last)
        #expect(changes.added.count == 11 && changes.deleted == [])
        #expect(try store.uuids(.steps).count == 9 + 11)
    }

    @Test("a source that a program saves under is another than an archive's of that name")
    func sources() throws {
        let file = try TemporaryStore()
        try file.add(recording())
        let store = try file.open()
        try saveEqualSamples(store)
        let sources = try store.sources(of: .steps)
        #expect(sources.map(\.name) == ["Phone", "Phone"])
        #expect(Set(sources.map(\.bundleIdentifier)).count == 2)
        #expect(sources.map(\.samples) == [11, 9])
    }

    @Test("deletions of an archive's samples and of saved ones are distinguished by their UUIDs")
    func tombstones() throws {
        let file = try TemporaryStore()
        let store = try file.open(.creating)
        try saveEqualSamples(store)
        var recording = recording()
        try file.add(recording)
        recording.batch.samples.removeLast()
        try file.add(recording)
        let deleted = try store.changes(.steps, after: 0).deleted
        #expect(deleted.prefix(2) == [3, 4] && deleted.count == 3)
        #expect(deleted[2].importedIdentity != nil)
    }
}
