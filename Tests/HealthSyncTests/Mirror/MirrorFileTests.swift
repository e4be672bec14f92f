import Foundation
import GRDB
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("the mirror's file: schema, permissions and damage")
struct MirrorFileTests {
    /// Released versions never change, because files of all versions exist. A change needs a new
    /// migration.
    @Test("the first version of the schema equals its fixture")
    func frozen() throws {
        let fixture = ProjectFiles.fixtures.appendingPathComponent("mirror-schema-1.sql")
        let queue = try DatabaseQueue()
        try MirrorSchema.migrator.migrate(queue, upTo: "1")
        let statements = try queue.read { db in
            try String.fetchAll(
                db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        }
        let text = statements.map { $0 + ";\n" }.joined(separator: "\n")
        #expect(try String(contentsOf: fixture, encoding: .utf8) == text)
    }

    @Test(
        "file and new folder are accessible only to the owner; an existing folder is unchanged"
    )
    func permissions() throws {
        let folder = try MirrorFolder()
        let made = folder.url.appendingPathComponent("made/deeper/mirror.sqlite")
        _ = try Mirror(at: made)
        let mode = { (url: URL) in
            try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        }
        #expect(try mode(made) == 0o600)
        #expect(try mode(made.deletingLastPathComponent()) == 0o700)
        let before = try mode(folder.url)
        _ = try folder.mirror()
        #expect(try mode(folder.url) == before)
    }

    @Test(
        "a pipe in place of the file or its log is refused at once",
        arguments: ["", "-wal", "-shm", "-journal"])
    func pipes(suffix: String) throws {
        let folder = try MirrorFolder()
        try #require(mkfifo(folder.file.path + suffix, 0o600) == 0)
        #expect(throws: SyncError.foreignFile) { try folder.mirror() }
        #expect(throws: SyncError.foreignFile) { try PositionFile(at: folder.file) }
    }

    #if os(Linux)
        /// Without its locks, another process that closes the file would remove the write-ahead
        /// log.
        @Test("opening the file again in the process does not release its locks")
        func locks() async throws {
            let folder = try MirrorFolder()
            let mirror = try folder.mirror()
            try await mirror.receive([TestSample()])
            let facts = try FileManager.default.attributesOfItem(atPath: folder.file.path)
            let inode = try #require(facts[.systemFileNumber] as? Int)
            // The list is read in pieces, and may miss a lock while other tests lock and unlock.
            let locked = {
                try (0..<50).contains { _ in
                    let handle = try #require(FileHandle(forReadingAtPath: "/proc/locks"))
                    var list = Data()
                    while let piece = try handle.read(upToCount: 4096), !piece.isEmpty {
                        list += piece
                    }
                    return String(decoding: list, as: UTF8.self)
                        .split(separator: "\n").contains { $0.contains(":\(inode) ") }
                }
            }
            #expect(try locked())
            let again = try folder.mirror()
            #expect(try locked())
            #expect(try await again.values() == mirror.values())
            try again.database.close()
            #expect(try locked())
        }
    #endif

    @Test("stored entries are read after reopening the file")
    func reopened() async throws {
        let folder = try MirrorFolder()
        let sample = TestSample(value: 77.7)
        try await folder.mirror().receive([sample])
        #expect(try await folder.mirror().values() == [sample.uuid: 77.7])
    }

    @Test("another program's file is refused unchanged")
    func foreign() async throws {
        let folder = try MirrorFolder()
        let text = folder.url.appendingPathComponent("letter.txt")
        try Data(String(repeating: "Dear reader, ", count: 20).utf8).write(to: text)
        let other = folder.url.appendingPathComponent("other.sqlite")
        let queue = try DatabaseQueue(path: other.path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE letter (text TEXT)") }
        try queue.close()
        let short = folder.url.appendingPathComponent("short.txt")
        try Data("Dear reader".utf8).write(to: short)
        for file in [text, short, other] {
            let before = try Data(contentsOf: file)
            #expect(throws: SyncError.foreignFile) { try Mirror(at: file) }
            #expect(try Data(contentsOf: file) == before)
        }
        #expect(throws: SyncError.foreignFile) { try Mirror(at: folder.url) }
    }

    @Test("a file of a newer version is refused with its version")
    func newer() async throws {
        let folder = try MirrorFolder()
        try await folder.mirror().write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99')")
        }
        #expect(throws: SyncError.newerFile(version: "99")) { try folder.mirror() }
    }

    @Test("a file with an infinite view in place of its migrations table is refused")
    func endlessView() async throws {
        let folder = try MirrorFolder()
        try await folder.mirror().write { db in
            try db.execute(
                sql: """
                    DROP TABLE grdb_migrations;
                    CREATE VIEW grdb_migrations AS WITH RECURSIVE c(x) AS
                        (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS identifier FROM c
                    """)
        }
        #expect(throws: SyncError.foreignFile) { try folder.mirror() }
    }

    @Test("a full disk is a distinct error, and writes succeed once there is space")
    func fullDisk() async throws {
        let folder = try MirrorFolder()
        let mirror = try folder.mirror()
        let limit = { (pages: Int) in
            try await mirror.database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        try await limit(1)
        let samples = (0..<2_000).map { TestSample(value: Double($0)) }
        await #expect(throws: MirrorError.diskFull) { try await mirror.receive(samples) }
        #expect(try await mirror.values().isEmpty)
        try await limit(1_000_000)
        try await mirror.receive(samples)
        #expect(try await mirror.values().count == 2_000)
    }

    @Test("a damaged file is reported as corrupt")
    func damaged() async throws {
        let folder = try MirrorFolder()
        let mirror = try folder.mirror()
        try await mirror.receive((0..<2_000).map { TestSample(value: Double($0)) })
        try await mirror.database.writeWithoutTransaction { db in
            _ = try db.checkpoint(.truncate)
        }
        let size = try Data(contentsOf: folder.file).count
        let handle = try FileHandle(forWritingTo: folder.file)
        for page in 8..<(size / 4096) {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try handle.close()
        let again = try folder.mirror()
        await #expect {
            _ = try await again.entries(EntryRequest())
        } throws: { error in
            if case MirrorError.corrupt = error { true } else { false }
        }
    }

    @Test(
        "a row with an invalid value is reported as corrupt, and nothing traps",
        arguments: [
            "UPDATE entry SET uuid = x'00'", "UPDATE entry SET start = 'noon'",
            "UPDATE entry SET value = 'heavy'", "UPDATE entry SET metadata = '{'",
            "UPDATE origin SET source = x'FF00FF'", "UPDATE entry SET state = x'00'",
        ])
    func damagedRow(sql: String) async throws {
        let mirror = try Mirror.inMemory()
        try await mirror.receive([TestSample()])
        try await mirror.write { try $0.execute(sql: sql) }
        await #expect {
            _ = try await mirror.entries(EntryRequest())
        } throws: { error in
            if case MirrorError.corrupt = error { true } else { false }
        }
    }

    @Test(
        "damaged positions and tags of a mirror are corrupt; a file's damaged position starts again"
    )
    func damagedPlaces() async throws {
        let mirror = try Mirror.inMemory()
        try await mirror.receive([TestSample()])
        let entry = try #require(try await mirror.entries(EntryRequest()).first)
        try await mirror.attach(.tag("morning"), to: entry.id)
        try await mirror.write { db in
            try db.execute(sql: "UPDATE position SET filter = x'FF00FF'")
            try db.execute(sql: "UPDATE attachment SET name = x'FF00FF'")
        }
        let isDamage = { (error: any Error) in
            if case MirrorError.corrupt = error { true } else { false }
        }
        await #expect(performing: { _ = try await mirror.positionKeys() }, throws: isDamage)
        await #expect(performing: { _ = try await mirror.tags() }, throws: isDamage)
        let file = try PositionFile()
        let key = PositionKey(subscriber: "test", type: "steps", filter: "")
        let position = SyncPosition(anchor: Data([1]), phase: .changes, caughtUp: .now)
        try await file.setPosition(position, for: key, expecting: nil)
        try await file.database.write {
            try $0.execute(sql: "UPDATE position SET caught_up = 'noon'")
        }
        // The row is read as an unreadable anchor, not as an error, so the reader starts again.
        let damaged = try #require(try await file.position(for: key))
        #expect(damaged.queryAnchor == nil)
        try await file.setPosition(position, for: key, expecting: damaged)
        #expect(try await file.position(for: key) == position)
    }

    @Test("every quantity type of the catalogue has a compatible unit")
    func units() throws {
        let data = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent("Data/quantity-types.json")
        let text = try String(contentsOf: data, encoding: .utf8)
        let names = Set(
            text.components(separatedBy: "\"").filter {
                $0.hasPrefix("HKQuantityTypeIdentifier")
            })
        #expect(names.count > 110)
        var units = EntryUnits([:])
        for name in names.sorted() {
            let type = HKQuantityType(HKQuantityTypeIdentifier(rawValue: name))
            let canonical = try #require(type.canonical, "\(name)")
            let quantity = HKQuantity(unit: canonical, doubleValue: 3)
            let number = units.number(quantity, of: name)
            let kept = try #require(number, "\(name)")
            #expect(try HKQuantity(unit: HKUnit(parsing: kept.1), doubleValue: kept.0) == quantity)
        }
    }
}

extension HKQuantityType {
    /// The unit used for comparisons.
    fileprivate var canonical: HKUnit? {
        [
            "count", "count/min", "m", "g", "kcal", "min", "m/s", "mg/dL", "mmHg", "degC", "L",
            "W", "dBASPL", "dBHL", "IU", "S", "lux", "Hz", "mL/kg*min", "kcal/kg*hr", "L/min",
            "appleEffortScore",
        ].compactMap { try? HKUnit(parsing: $0) }.first { self.is(compatibleWith: $0) }
    }
}
