import GRDB
import HealthTesting
import Testing

@testable import HealthStorage

/// Hooks in the file with devices and tokens.
@Suite struct HookStorageTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    @Test("a file without hooks gets their table, and keeps its devices")
    func migration() throws {
        let path = AccessDirectory.path(besideStore: store)
        try AccessDirectory.migrator.migrate(DatabaseQueue(path: path), upTo: "1")
        try DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    INSERT INTO device (name, folded, identifier, digest, created_at)
                    VALUES ('iPhone', 'iphone', 'd1', x'00', 7)
                    """)
        }
        let directory = try AccessDirectory.open(besideStore: store)
        #expect(try directory.hooks().isEmpty)
        #expect(try directory.devices().map(\.name) == ["iPhone"])
        let hook = try directory.addHook(
            "https://example.com/", allowsPrivateAddresses: true, after: 3, at: 9)
        #expect(hook.identifier.first == "h" && hook.secret.count == 64)
        #expect(try directory.hooks() == [hook])
    }

    @Test("the state of a hook is stored, but not of one that was removed meanwhile")
    func state() throws {
        let directory = try AccessDirectory.open(besideStore: store)
        var hooks = try (0..<2).map { _ in
            try directory.addHook(
                "https://example.com/", allowsPrivateAddresses: false, after: 3, at: 9)
        }
        #expect(hooks[0].secret != hooks[1].secret)
        for index in hooks.indices {
            (hooks[index].sequence, hooks[index].acceptedAt) = (8, 20)
            hooks[index].failure = Hook.Failure(count: 2, since: 30, last: 40, reason: "a test")
            hooks[index].switchedOffAt = 50
        }
        try directory.removeHook(hooks[1].identifier)
        for hook in hooks { try directory.update(hook) }
        #expect(try directory.hooks() == [hooks[0]])
    }
}
