import Foundation
import GRDB
import HealthSync
import OpenHealthKit
import Testing

@Suite struct PositionFileTests {
    let folder: URL
    var url: URL { folder.appending(path: "positions.sqlite") }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "positions-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func position(_ byte: UInt8, before: Date? = nil) -> SyncPosition {
        SyncPosition(
            anchor: Data([byte]), phase: before.map { .history(before: $0) } ?? .changes,
            caughtUp: .distantPast)
    }

    @Test("a stored position is read back unchanged, also in another process")
    func roundTrip() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = ["", "filter"].map { PositionKey(subscriber: "a", type: "b", filter: $0) }
        let kept = [position(1, before: .distantFuture), position(2)]
        do {
            let file = try PositionFile(at: url)
            for (key, position) in zip(keys, kept) {
                try await file.setPosition(position, for: key, expecting: nil)
            }
        }
        let file = try PositionFile(at: url)
        for (key, position) in zip(keys, kept) {
            #expect(try await file.position(for: key) == position)
        }
        #expect(try await file.positionKeys() == Set(keys))
        try await file.removePositions([keys[0]])
        #expect(try await file.positionKeys() == [keys[1]])
    }

    @Test("a position that moved meanwhile isn't overwritten")
    func moved() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try PositionFile(at: url)
        let other = try PositionFile(at: url)
        let key = PositionKey(subscriber: "a", type: "b")
        try await file.setPosition(position(1), for: key, expecting: nil)
        await #expect(throws: SyncError.positionMoved) {
            try await other.setPosition(position(2), for: key, expecting: nil)
        }
        try await other.setPosition(position(2), for: key, expecting: position(1))
        #expect(try await file.position(for: key) == position(2))
    }

    @Test("another program's database and a non-regular file are refused unchanged")
    func refused() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let foreign = folder.appending(path: "foreign.sqlite")
        try DatabaseQueue(path: foreign.path).write { try $0.execute(sql: "CREATE TABLE t (x)") }
        let before = try Data(contentsOf: foreign)
        #expect(throws: SyncError.foreignFile) { try PositionFile(at: foreign) }
        #expect(try Data(contentsOf: foreign) == before)
        #expect(throws: SyncError.foreignFile) { try PositionFile(at: folder) }
        #expect(throws: (any Error).self) {
            try PositionFile(at: folder.appending(path: "none").appending(path: "positions"))
        }
        #expect(try names() == ["foreign.sqlite"])
    }

    @Test("an unreadable file is an error and is not renamed")
    func unreadable() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 65, count: 5000).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: url.path)
        // The root user can read every file.
        guard !FileManager.default.isReadableFile(atPath: url.path) else { return }
        #expect(throws: (any Error).self) { try PositionFile(at: url) }
        #expect(try names() == ["positions.sqlite"])
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Kinds of damage to a file, by name.
    static let damages: [(String, @Sendable (URL) throws -> Void)] = [
        ("text", { try Data(repeating: 65, count: 5000).write(to: $0) }),
        ("a few bytes", { try Data([1, 2, 3]).write(to: $0) }),
        ("half of it", { try PositionFileTests.cut($0, to: 0.5) }),
        ("the header alone", { try PositionFileTests.cut($0, to: 0) }),
        ("no table", { try PositionFileTests.edit($0, "DROP TABLE position") }),
        (
            "another table",
            { try PositionFileTests.edit($0, "ALTER TABLE position RENAME COLUMN anchor TO x") }
        ),
        (
            "an infinite view in place of the migrations table",
            {
                try PositionFileTests.edit(
                    $0,
                    """
                    DROP TABLE grdb_migrations;
                    CREATE VIEW grdb_migrations AS WITH RECURSIVE c(x) AS
                        (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS identifier FROM c
                    """)
            }
        ),
        (
            "a later version",
            { try PositionFileTests.edit($0, "INSERT INTO grdb_migrations VALUES ('9')") }
        ),
    ]

    private static func edit(_ url: URL, _ sql: String) throws {
        try DatabaseQueue(path: url.path).write { try $0.execute(sql: sql) }
    }

    private static func cut(_ url: URL, to share: Double) throws {
        // Moves the content of the write-ahead log into the file.
        _ = try DatabaseQueue(path: url.path).inDatabase { try $0.checkpoint(.truncate) }
        let data = try Data(contentsOf: url)
        try data.prefix(max(100, Int(Double(data.count) * share))).write(to: url)
    }

    @Test("a damaged file is quarantined, reported and replaced", arguments: damages.indices)
    func quarantined(index: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (name, damage) = Self.damages[index]
        let key = PositionKey(subscriber: "a", type: "b")
        do {
            let file = try PositionFile(at: url)
            try await file.setPosition(position(1), for: key, expecting: nil)
            #expect(file.quarantinedFile == nil)
        }
        try damage(url)
        let before = try Data(contentsOf: url)
        do {
            let file = try PositionFile(at: url)
            let quarantined = try #require(file.quarantinedFile, "\(name)")
            #expect(quarantined.url.lastPathComponent == "positions.sqlite.set-aside-1")
            #expect(
                quarantined.reason == (name == "a later version" ? .newer(version: "9") : .damaged))
            if index < 4 { #expect(try Data(contentsOf: quarantined.url) == before) }
            #expect(try await file.position(for: key) == nil)
            try await file.setPosition(position(2), for: key, expecting: nil)
        }
        let next = try PositionFile(at: url)
        #expect(next.quarantinedFile == nil)
        #expect(try await next.position(for: key) == position(2))
    }

    @Test("the first quarantined files stay, and their number is limited")
    func bounded() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for number in 1...8 {
            try Data("file \(number)".utf8).write(to: url)
            _ = try #require(try PositionFile(at: url).quarantinedFile)
        }
        let kept = try names().filter { $0.contains("set-aside") }.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        #expect(kept == ["file 1", "file 2", "file 3", "file 4", "file 8"])
    }

    @Test("an unreadable row is a position without a valid anchor")
    func damagedRow() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = PositionKey(subscriber: "a", type: "b")
        do {
            let file = try PositionFile(at: url)
            try await file.setPosition(position(1), for: key, expecting: nil)
        }
        try Self.edit(url, "UPDATE position SET caught_up = 'yesterday', anchor = 7")
        let file = try PositionFile(at: url)
        let damaged = try #require(try await file.position(for: key))
        #expect(damaged.anchor.isEmpty)
        try await file.setPosition(position(2), for: key, expecting: damaged)
        #expect(try await file.position(for: key) == position(2))
    }
}
