import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("a store opens only what is a store, and protects it")
struct StoreFileTests {
    private func expectRefusal(
        _ code: StoreError.Code, _ path: String, _ access: SampleStore.Access = .reading,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try SampleStore(at: path, access: access)
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.description.contains(path) == true, sourceLocation: sourceLocation)
    }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test("a missing file is created only where that is requested")
    func missing() throws {
        let file = try TemporaryStore()
        expectRefusal(.missing, file.path)
        expectRefusal(.missing, file.path, .writing)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try file.open(.creating).close()
        #expect(try file.open(.reading).check().isEmpty)
    }

    @Test("only the owner may access a new file and its folder")
    func permissions() throws {
        let file = try TemporaryStore()
        let nested = file.folder.appendingPathComponent("a/b/health.sqlite").path
        let store = try SampleStore(at: nested, access: .creating)
        try store.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
        #expect(try permissions(nested) == 0o600)
        #expect(try permissions(file.folder.appendingPathComponent("a/b").path) == 0o700)
        #expect(try permissions(file.folder.appendingPathComponent("a").path) == 0o700)
        for suffix in ["-wal", "-shm"] { #expect(try permissions(nested + suffix) == 0o600) }
        try store.close()
        #expect(!FileManager.default.fileExists(atPath: nested + "-wal"))
    }

    @Test("only the owner may access the file of a first import")
    func importedPermissions() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 1)
        try file.add(recording)
        #expect(try permissions(file.path) == 0o600)
    }

    @Test("an existing folder is not changed")
    func existingFolder() throws {
        let file = try TemporaryStore()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: file.folder.path)
        try file.open(.creating).close()
        #expect(try permissions(file.folder.path) == 0o755)
    }

    @Test("an empty file becomes a store, but can't be opened for reading")
    func empty() throws {
        let file = try TemporaryStore()
        try Data().write(to: file.url)
        expectRefusal(.missing, file.path)
        try file.open(.writing).close()
        #expect(try file.open(.reading).types().isEmpty)
    }

    @Test(
        "a file that is not an SQLite file is not changed",
        arguments: ["<?xml version=\"1.0\"?>", String(repeating: "SQLite format 3\u{0}", count: 9)])
    func notSQLite(content: String) throws {
        let file = try TemporaryStore()
        try Data(content.utf8).write(to: file.url)
        for access in [SampleStore.Access.reading, .writing, .creating] {
            expectRefusal(.notAStore, file.path, access)
        }
        #expect(try Data(contentsOf: file.url) == Data(content.utf8))
    }

    @Test("a database of another program is not changed", arguments: [0, 77])
    func foreign(applicationID: Int) throws {
        let file = try TemporaryStore()
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: "PRAGMA application_id = \(applicationID); CREATE TABLE sample (a)")
        }
        try queue.close()
        let before = try Data(contentsOf: file.url)
        for access in [SampleStore.Access.reading, .writing, .creating] {
            expectRefusal(.notAStore, file.path, access)
        }
        #expect(try Data(contentsOf: file.url) == before)
    }

    @Test("a store of a newer version is not changed, nor by an import into it")
    func newer() throws {
        let file = try TemporaryStore()
        try file.open(.creating).close()
        try file.damage("INSERT INTO grdb_migrations VALUES ('9999')")
        for access in [SampleStore.Access.reading, .writing, .creating] {
            expectRefusal(.newerVersion, file.path, access)
        }
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 1)
        let error = #expect(throws: StoreError.self) { try file.add(recording) }
        #expect(error?.code == .newerVersion)
    }

    @Test(
        "a store of an older version is migrated when it is opened",
        arguments: [SampleStore.Access.reading, .writing, .creating])
    func older(access: SampleStore.Access) throws {
        let file = try TemporaryStore()
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: "PRAGMA application_id = \(Schema.applicationID); "
                    + "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        try queue.close()
        try file.open(access).close()
        #expect(try file.open(.reading).check().isEmpty)
    }

    @Test("a folder is no store")
    func folder() throws {
        let file = try TemporaryStore()
        expectRefusal(.notAStore, file.folder.path)
        expectRefusal(.notAStore, file.folder.path, .creating)
    }

    @Test("a folder that can't be made is named")
    func impossibleFolder() throws {
        let file = try TemporaryStore()
        try Data("x".utf8).write(to: file.url)
        let error = #expect(throws: StoreError.self) {
            try SampleStore(at: file.path + "/deeper/health.sqlite", access: .creating)
        }
        #expect(error?.code == .notPermitted)
    }

    @Test("a file without permissions is reported", .enabled(if: geteuid() != 0))
    func notPermitted() throws {
        let file = try TemporaryStore()
        try file.open(.creating).close()
        func set(_ permissions: Int) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: permissions], ofItemAtPath: file.path)
        }
        try set(0o000)
        expectRefusal(.notPermitted, file.path)
        expectRefusal(.notPermitted, file.path, .writing)
        try set(0o400)
        expectRefusal(.notPermitted, file.path, .writing)
        #expect(try file.open(.reading).types().isEmpty)
        try set(0o600)
        #expect(try file.open(.writing).types().isEmpty)
    }

    @Test("a store opened for reading can't be changed")
    func readOnly() throws {
        let file = try TemporaryStore()
        try file.open(.creating).close()
        let store = try file.open(.reading)
        let error = #expect(throws: StoreError.self) {
            try store.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
        }
        #expect(error?.code == .notPermitted)
    }

    @Test("the home zone is kept, and one that doesn't exist is refused")
    func homeZone() throws {
        let file = try TemporaryStore()
        var store = try file.open(.creating)
        #expect(try store.homeZone == nil)
        for reason in [HomeZone.Reason.guessed, .specified] {
            let zone = HomeZone(identifier: "America/Sao_Paulo", reason: reason)
            try store.setHomeZone(zone)
            #expect(try store.homeZone == zone)
        }
        let error = #expect(throws: StoreError.self) {
            try store.setHomeZone(HomeZone(identifier: "Europe/Berlinn", reason: .specified))
        }
        #expect(error?.description.contains("Europe/Berlinn") == true)
        try store.close()
        store = try file.open(.reading)
        #expect(try store.homeZone?.timeZone.identifier == "America/Sao_Paulo")
    }

    @Test("a reader beside an import sees the store before or after it, never between")
    func readerBesideImport() throws {
        let file = try TemporaryStore()
        var first = Recording()
        for index in 0..<50 {
            first.add(.steps, "Phone", Double(index), Double(index) + 0.5, 1, device: .phone)
        }
        try file.add(first)
        let reader = try file.open(.reading)
        var second = first
        for index in 50..<5000 {
            second.add(.steps, "Phone", Double(index), Double(index) + 0.5, 1, device: .phone)
        }
        let query = SampleQuery(.steps)
        #expect(try reader.samples(query).samples.count == 50)
        try file.add(second.batch, second.types) {
            let earlier = try reader.samples(query).samples.count
            let current = try file.open(.reading).samples(query).samples.count
            #expect((earlier, current) == (50, 50))
            let busy = #expect(throws: StoreError.self) {
                try SampleStore.importSnapshot(
                    into: file.path,
                    SnapshotDescription(file: "b.zip", bytes: 1, importedAt: 0)
                ) { _, _ in }
            }
            #expect(busy?.code == .busy)
        }
        #expect(try reader.samples(query).samples.count == 5000)
    }

    @Test("an import that fails leaves the store as it was")
    func failedImport() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 1)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try file.add(recording.batch, recording.types) { throw Stop() }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
                .filter { !$0.hasSuffix(".lock") } == [])
        try file.add(recording)
        let before = try file.open(.reading).lastSequence
        recording.add(.steps, "Phone", 100, 160, 1)
        #expect(throws: Stop.self) {
            try file.add(recording.batch, recording.types) { throw Stop() }
        }
        let store = try file.open(.reading)
        #expect(try store.samples(SampleQuery(.steps)).samples.count == 1)
        #expect(try store.lastSequence == before)
        #expect(try store.check().isEmpty)
    }
}
