import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// Imports of batches that our reader never creates, and cancelled imports.
@Suite struct SnapshotWriterTests {
    private static let description = SnapshotDescription(
        file: "export.zip", bytes: 1, exportDate: 900_000_000, importedAt: 900_000_000)

    private func recording(_ values: [Double], start: Double = 0) -> Recording {
        var recording = Recording()
        for value in values {
            recording.add(.steps, "Phone", start, start + 60, value, device: .phone)
        }
        return recording
    }

    @Test("an import whose body never finishes is rolled back and reported")
    func unfinished() throws {
        let file = try TemporaryStore()
        let first = recording([1])
        func importUnfinished() throws {
            try SampleStore.importSnapshot(into: file.path, Self.description) { writer, _ in
                _ = try writer.type(identifier: SampleType.steps.identifier)
                try writer.write(first.batch)
                #expect(!writer.isFinished)
            }
        }
        #expect(throws: StoreError.self) { try importUnfinished() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try file.add(recording([5, 6]))
        #expect(throws: StoreError.self) { try importUnfinished() }
        let imports = try file.open(.reading).read { db in
            try Row.fetchAll(db, sql: "SELECT (SELECT count(*) FROM sample), count(*) FROM import")
        }
        #expect(imports == [["(SELECT count(*) FROM sample)": 2, "count(*)": 1]])
    }

    @Test("an import can be finished once")
    func finishedTwice() throws {
        let file = try TemporaryStore()
        let first = recording([1])
        try SampleStore.importSnapshot(into: file.path, Self.description) { writer, _ in
            _ = try writer.type(identifier: SampleType.steps.identifier)
            try writer.write(first.batch)
            _ = try writer.finish(.complete)
            #expect(writer.isFinished)
            #expect(throws: StoreError.self) { try writer.finish(.complete) }
        }
    }

    @Test("a cancellation at the end of an import rolls it back")
    func cancelledWhileFinishing() throws {
        let file = try TemporaryStore()
        var many = Recording()
        for index in 0..<3000 {
            many.add(.steps, "Phone", Double(index) * 100, Double(index) * 100 + 60, 1)
        }
        try file.add(many)
        var changed = many
        for index in changed.batch.samples.indices { changed.batch.samples[index].value = 2 }
        // The first three cancellation checks are between steps; later ones are between groups.
        for looks in 0..<6 {
            var left = Int.max
            #expect("after \(looks) looks") {
                try SampleStore.importSnapshot(
                    into: file.path, Self.description,
                    isCancelled: {
                        left -= 1
                        return left < 0
                    }
                ) { writer, _ in
                    try writer.write(changed.batch)
                    left = looks
                    _ = try writer.finish(.complete)
                }
            } throws: { error in
                (error as? StoreError)?.code == .cancelled
            }
        }
        let values = try file.open(.reading).read { db in
            try Row.fetchAll(db, sql: "SELECT value, count(*) AS n FROM sample GROUP BY value")
        }
        #expect(values == [["value": 1.0, "n": 3000]])
    }

    // MARK: - Invalid batches

    static let refused: [@Sendable (inout SampleBatch) -> Void] = [
        { $0.samples[0].origin = -1 }, { $0.samples[0].metadata = 4 },
        { $0.samples[0].start = .nan }, { $0.samples[0].end = .infinity },
        { $0.samples[0].start = -1e300 }, { $0.samples[0].end = 1e13 },
        { $0.samples[0].created = 1e300 }, { $0.parents[0] = 9 },
    ]

    @Test("a batch that can't be stored is refused, never a trap", arguments: refused.indices)
    func refuses(index: Int) throws {
        let file = try TemporaryStore()
        var batch = recording([1]).batch
        Self.refused[index](&batch)
        #expect {
            try file.add(batch, [SampleType.steps.identifier])
        } throws: { error in
            (error as? StoreError)?.code == .invalidArgument
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("milliseconds that no integer holds saturate")
    func saturation() {
        let extremes = [Double.nan, .infinity, -.infinity, 1e300, -1e300].map(
            ImportedIdentity.milliseconds)
        #expect(extremes == [.min, .max, .min, .max, .min])
        #expect(ImportedIdentity.milliseconds(1.0005) == 1001)
        #expect(ImportedIdentity.key(end: .infinity, created: -.infinity, source: 1) >= 0)
    }

    @Test("a member before its parent in the batch belongs to it")
    func memberFirst() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        let child = recording.add(.named("bloodPressureSystolic"), "Cuff", 0, 0, 120)
        let parent = recording.add(.named("bloodPressure"), "Cuff", 0, 0, .nan, unit: nil)
        recording.batch.parents[child] = parent
        try file.add(recording)
        let members = try file.open(.reading).read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM membership")
        }
        #expect(members == 1)
    }

    @Test("each batch's origins are its own, whatever stood there in the batch before")
    func origins() throws {
        let file = try TemporaryStore()
        var second = Recording()
        second.add(.steps, "Watch", 500, 560, 2, device: .watch)
        let batches = [recording([1]).batch, second.batch]
        try SampleStore.importSnapshot(into: file.path, Self.description) { writer, _ in
            _ = try writer.type(identifier: SampleType.steps.identifier)
            for batch in batches { try writer.write(batch) }
            _ = try writer.finish(.complete)
        }
        let sources = try file.open(.reading).read { db in
            try String.fetchAll(
                db,
                sql: "SELECT source.name FROM sample JOIN origin ON origin.id = sample.origin "
                    + "JOIN source ON source.id = origin.source ORDER BY start_time")
        }
        #expect(sources == ["Phone", "Watch"])
    }

    // MARK: - Oversized groups

    @Test("of more than 4,096 records of one identity the surplus is quarantined, the others stay")
    func overfull() throws {
        let file = try TemporaryStore()
        let values = (0..<4100).map { Double($0) }
        let first = try file.add(recording(values))
        #expect(first.records.new == 4096)
        #expect(first.records.quarantined == 4)
        #expect(first.types == [SampleType.steps.identifier: 4096])
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let again = try file.add(recording(values.shuffled(using: &random)))
        #expect(again.records.unchanged == 4096, "seed \(seed)")
        #expect(again.records.quarantined == 4, "seed \(seed)")
        #expect(again.records.read == 4100, "seed \(seed)")
        #expect(again.vanished == 0, "seed \(seed)")
        let store = try file.open(.reading)
        #expect(try store.check() == [])
        let stored = try store.read { db in
            try String.fetchAll(db, sql: "SELECT xml FROM raw_element ORDER BY xml")
        }
        #expect(stored.count == 4)
        #expect(stored.first?.contains(#"sourceName="Phone""#) == true)
        #expect(stored.first?.contains(#"startDate="2001-01-01 00:00:00 +0000""#) == true)
        #expect(stored.first?.hasSuffix(#"value="4096.0"/>"#) == true)
    }

    @Test("an addition fills an identity up to its limit, and quarantines the others")
    func overfullAddition() throws {
        let file = try TemporaryStore()
        try file.add(recording((0..<4000).map { Double($0) }))
        let older = SnapshotDescription(file: "old.zip", bytes: 1, exportDate: 1, importedAt: 1)
        let batch = recording((0..<4200).map { Double($0) }).batch
        let outcome = try SampleStore.importSnapshot(into: file.path, older) { writer, _ in
            try writer.write(batch)
            return try writer.finish(.complete)
        }
        #expect(outcome.kind == .addition)
        #expect(outcome.records.unchanged == 4000)
        #expect(outcome.records.new == 96)
        #expect(outcome.records.quarantined == 104)
        #expect(try file.open(.reading).check() == [])
    }

    // MARK: - Contents

    @Test("a structured part with equal content in another text is unchanged")
    func details() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        let rings = recording.add(.named("activitySummary"), "Watch", 0, 1, .nan, unit: nil)
        var summary = ActivitySummary(date: "2001-01-01")
        summary.activeEnergyBurned = 400
        recording.batch.details[rings] = .activitySummary(summary)
        try file.add(recording)
        try file.damage("UPDATE detail SET content = replace(content, ':', ': ')")
        let same = try file.add(recording)
        #expect(same.activitySummaries.unchanged == 1)
        summary.activeEnergyBurned = 401
        recording.batch.details[rings] = .activitySummary(summary)
        let other = try file.add(recording)
        #expect(other.activitySummaries.changed == 1)
    }

    @Test("free rows are found by content, within a billionth, each once and in order")
    func freeRows() throws {
        let file = try TemporaryStore()
        try file.add(recording([1]))
        try file.open(.reading).read { db in
            let values: [Double] = [2, 2 - 1e-9, 2, -3, .nan, 0]
            let rows = values.enumerated().map { row(Int64($0), $1) }
            var free = try UnmatchedRows(rows, try OriginCache(db))
            #expect(try free.removeMatch(for: row(90, 2.000000001))?.sequence == 0)
            #expect(try free.removeMatch(for: row(91, 2))?.sequence == 1)
            #expect(try free.removeMatch(for: row(92, 2))?.sequence == 2)
            #expect(try free.removeMatch(for: row(93, 2)) == nil)
            #expect(try free.removeMatch(for: row(94, .nan))?.sequence == 4)
            #expect(free.popFirst()?.sequence == 3)
            #expect(try free.removeMatch(for: row(95, -3)) == nil)
            #expect(try free.removeMatch(for: row(96, -0.0))?.sequence == 5)
            #expect(free.popFirst() == nil)
        }
    }

    private func row(_ sequence: Int64, _ value: Double) -> StoredRow {
        StoredRow(
            sequence: sequence, type: SampleType.steps.code, start: 0, key: 0, end: 60,
            created: 60, origin: 1, metadata: 0, value: value, detail: nil)
    }
}
