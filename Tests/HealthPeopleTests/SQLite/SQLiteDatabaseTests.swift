import Foundation
import HealthPeople
import HealthTesting
import Testing

/// The file of an SQLite database, and several databases with the same file.
@Suite(.timeLimit(.minutes(2))) struct SQLiteDatabaseTests {
    /// Runs a body with the path of a file that doesn't exist, and opens it.
    private func withDatabase<Value>(
        _ body: (SQLiteDatabase, _ path: String) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log.sqlite"
        let database = try await onThread { try SQLiteDatabase(at: path) }
        let result: Result<Value, any Error>
        do { result = .success(try await body(database, path)) } catch { result = .failure(error) }
        try await onThread { database.close() }
        return try withExtendedLifetime(folder) { try result.get() }
    }

    private func files(beside path: String) throws -> [String: Int] {
        let folder = (path as NSString).deletingLastPathComponent
        let files = FileManager.default
        var modes: [String: Int] = [:]
        for name in try files.contentsOfDirectory(atPath: folder) {
            let attributes = try files.attributesOfItem(atPath: folder + "/" + name)
            modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        return modes
    }

    @Test("Only the owner can read the files, of which one remains after closing")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log.sqlite"
        let database = try SQLiteDatabase(at: path)
        try await database.run("CREATE TABLE t (id)")
        let rows = try await database.rows("t")
        #expect(rows == 0)
        #expect(
            try files(beside: path) == [
                "log.sqlite": 0o600, "log.sqlite-wal": 0o600, "log.sqlite-shm": 0o600,
            ])
        try await onThread { database.close() }
        #expect(try files(beside: path) == ["log.sqlite": 0o600])
    }

    @Test(
        "A commit waits for the disk, and deleted values are overwritten",
        arguments: [
            ("journal_mode", .text("wal")), ("synchronous", .integer(2)),
            ("secure_delete", .integer(1)), ("trusted_schema", .integer(0)),
            ("foreign_keys", .integer(1)), ("busy_timeout", .integer(5000)),
        ] as [(String, SQLValue)])
    func settings(_ name: String, _ value: SQLValue) async throws {
        try await withDatabase { database, _ in
            let rows = try await database.run("PRAGMA \(name)").rows
            #expect(rows == [SQLRow([value])])
        }
    }

    @Test("A connection that reads also waits 5 seconds for a lock") func readerTimeout()
        async throws
    {
        try await withDatabase { database, _ in
            let rows = try await database.run("PRAGMA busy_timeout", [], .readOnly).rows
            #expect(try rows[0].int(0) == 5000)
        }
    }

    @Test("What was committed is there after reopening") func reopening() async throws {
        try await withDatabase { database, path in
            try await database.run("CREATE TABLE t (id)")
            try await database.run("INSERT INTO t VALUES (1)")
            try await onThread { database.close() }
            let again = try SQLiteDatabase(at: path)
            let rows = try await again.rows("t")
            #expect(rows == 1)
            try await onThread { again.close() }
        }
    }

    @Test("A file that can't be opened is an error with its reason") func unopened() throws {
        let folder = try TemporaryFolder()
        func code(_ path: String) -> SQLError.Code? {
            #expect(throws: SQLError.self) { _ = try SQLiteDatabase(at: path) }?.code
        }
        #expect(code(folder.path + "/missing/log.sqlite") == .unavailable)
        let text = try folder.write("text", String(repeating: "geheim ", count: 1000))
        #expect(code(text) == .invalid(sqlState: "XX001"))
    }

    @Test("A type of a strict table is an error without the value") func strict() async throws {
        try await withDatabase { database, _ in
            try await database.run("CREATE TABLE t (n INTEGER) STRICT")
            let error = await sqlError {
                try await database.run("INSERT INTO t VALUES ($1)", [.text("geheim")])
            }
            #expect(error?.code == .invalid(sqlState: "42804"))
            let text = error.map { "\($0) \(String(reflecting: $0))" }
            #expect(text?.contains("geheim") == false)
        }
    }

    @Test("A transaction is refused at once if too many are waiting") func overloaded()
        async throws
    {
        try await withDatabase { database, _ in
            let (gate, running) = (Gate(), Gate())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await database.transaction(.readWrite) { _ in
                        running.open()
                        gate.block()
                    }
                }
                try await running.wait()
                for _ in 1..<256 {
                    group.addTask { try await database.transaction(.readWrite) { _ in } }
                }
                try await Task.sleep(for: .milliseconds(300))
                let (error, duration) = await timed {
                    try database.blockingTransaction(.readOnly) { _ in }
                }
                #expect(error?.code == .overloaded)
                #expect(duration < .seconds(1))
                gate.open()
                try await group.waitForAll()
            }
            let value = try await database.run("SELECT 1").rows[0].int(0)
            #expect(value == 1)
        }
    }
}

// MARK: - Several databases with one file

extension SQLiteDatabaseTests {
    @Test("Several can create the file at the same time") func opening() async throws {
        for _ in 0..<TestTier.count(quick: 3, all: 20, torture: 200) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/log.sqlite"
            try await onThreads(8) { number in
                let database = try SQLiteDatabase(at: path)
                try database.blockingTransaction(.readWrite) {
                    try $0.execute("CREATE TABLE IF NOT EXISTS t (id)")
                    _ = try $0.execute("INSERT INTO t VALUES ($1)", [.integer(Int64(number))])
                }
                database.close()
            }
            let database = try SQLiteDatabase(at: path)
            let rows = try await database.rows("t")
            #expect(rows == 8)
            try await onThread { database.close() }
            #expect(try files(beside: path) == ["log.sqlite": 0o600])
        }
    }

    @Test("Increments of two databases lose nothing, and no write is refused")
    func compareAndSet() async throws {
        let count = TestTier.count(quick: 10, all: 25, torture: 100)
        try await withDatabase { first, path in
            try await first.run("CREATE TABLE t (n)")
            try await first.run("INSERT INTO t VALUES (0)")
            let second = try SQLiteDatabase(at: path)
            try await onThreads(8) { number in
                let database = number % 2 == 0 ? first : second
                for _ in 0..<count {
                    try SQLConcurrencyTests.increment(database, "t")
                    try SQLConcurrencyTests.incrementAlone(database, "t")
                }
            }
            try await onThread { second.close() }
            let value = try await first.run("SELECT n FROM t").rows[0].int(0)
            #expect(value == 16 * count)
        }
    }

    @Test("Increments of this and other processes lose nothing", .inTestAll, .comparedWithPython)
    func processes() async throws {
        try await withDatabase { database, path in
            try await database.run("CREATE TABLE t (n)")
            try await database.run("INSERT INTO t VALUES (0)")
            let program = """
                import sqlite3, sys
                for _ in range(50):
                    c = sqlite3.connect(sys.argv[1], timeout=20, isolation_level=None)
                    c.execute("BEGIN IMMEDIATE")
                    c.execute("UPDATE t SET n = n + 1")
                    c.execute("COMMIT")
                    c.close()
                """
            try await onThreads(4) { number in
                if number < 2 {
                    _ = try Python.run(program, [path])
                } else {
                    // Opened and closed each time, as the last one may or may not be.
                    for _ in 0..<50 {
                        let other = try SQLiteDatabase(at: path)
                        try SQLConcurrencyTests.increment(other, "t")
                        other.close()
                    }
                }
            }
            let value = try await database.run("SELECT n FROM t").rows[0].int(0)
            #expect(value == 200)
        }
    }

    @Test("A lock that is held elsewhere ends with a lock timeout", .inTestAll)
    func lockTimeout() async throws {
        try await withDatabase { holder, path in
            let (gate, running) = (Gate(), Gate())
            async let holding: Void = holder.transaction(.readWrite) { _ in
                running.open()
                gate.block()
            }
            try await running.wait()
            let other = try await onThread {
                // Opening an existing file needs no lock for writing.
                try SQLiteDatabase(at: path)
            }
            let (error, duration) = await timed {
                try other.blockingTransaction(.readWrite) { _ in }
            }
            #expect(error?.code == .lockTimeout)
            #expect(error?.isTemporary == true)
            #expect(duration > .seconds(4) && duration < .seconds(8))
            gate.open()
            try await holding
            try await onThread { other.close() }
        }
    }
}
