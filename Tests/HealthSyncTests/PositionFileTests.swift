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

    @Test("a position comes back as it was kept, in another process too")
    func roundTrip() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = ["", "filter"].map { PositionKey(lane: "a", type: "b", filter: $0) }
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
        let key = PositionKey(lane: "a", type: "b")
        try await file.setPosition(position(1), for: key, expecting: nil)
        await #expect(throws: SyncError.positionMoved) {
            try await other.setPosition(position(2), for: key, expecting: nil)
        }
        try await other.setPosition(position(2), for: key, expecting: position(1))
        #expect(try await file.position(for: key) == position(2))
    }

    @Test("another program's file and a later version's are refused and left alone")
    func refused() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let foreign = folder.appending(path: "foreign.sqlite")
        try DatabaseQueue(path: foreign.path).write { try $0.execute(sql: "CREATE TABLE t (x)") }
        let text = folder.appending(path: "text.sqlite")
        try Data(repeating: 65, count: 5000).write(to: text)
        for url in [foreign, text] {
            let before = try Data(contentsOf: url)
            #expect(throws: SyncError.foreignFile) { try PositionFile(at: url) }
            #expect(try Data(contentsOf: url) == before)
        }
        do { _ = try PositionFile(at: url) }
        try DatabaseQueue(path: url.path).write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9')")
        }
        #expect(throws: SyncError.newerFile(version: "9")) { try PositionFile(at: url) }
    }
}
