import Foundation
import HealthPeople
import HealthTesting
import Testing

/// Threads, tasks and the end of a database, the same in every database.
@Suite(.timeLimit(.minutes(2))) struct SQLConcurrencyTests {
    /// Adds 1 to a counter by compare-and-set, until that succeeds.
    static func increment(_ database: any SQLDatabase, _ table: String) throws {
        while true {
            let value = try database.blockingTransaction(.readOnly) {
                try $0.execute("SELECT n FROM \(table)").rows[0].int(0)
            }
            let changed = try database.blockingTransaction(.readWrite) {
                try $0.execute(
                    "UPDATE \(table) SET n = n + 1 WHERE n = $1", [.integer(Int64(value))]
                ).affectedRows
            }
            if changed == 1 { return }
        }
    }

    @Test(
        "Increments by compare-and-set of 8 threads lose nothing",
        arguments: TestedDatabase.available)
    func compareAndSet(_ kind: TestedDatabase) async throws {
        let count = TestTier.count(quick: 20, all: 50, torture: 200)
        try await kind.with("n int8") { database, table in
            try await database.run("INSERT INTO \(table) VALUES (0)")
            try await onThreads(8) { _ in
                for _ in 0..<count { try Self.increment(database, table) }
            }
            let value = try await database.run("SELECT n FROM \(table)").rows[0].int(0)
            #expect(value == 8 * count)
        }
    }

    /// Adds 1 to a counter in one transaction that reads it and then writes it.
    static func incrementAlone(_ database: any SQLDatabase, _ table: String) throws {
        while true {
            do {
                return try database.blockingTransaction(.serializable) { connection in
                    let value = try connection.execute("SELECT n FROM \(table)").rows[0].int(0)
                    _ = try connection.execute(
                        "UPDATE \(table) SET n = $1", [.integer(Int64(value + 1))])
                }
            } catch let error as SQLError where error.code == .conflict {}
        }
    }

    @Test(
        "Serializable transactions that read and then write lose nothing",
        arguments: TestedDatabase.available)
    func serializable(_ kind: TestedDatabase) async throws {
        try await kind.with("n int8") { database, table in
            try await database.run("INSERT INTO \(table) VALUES (0)")
            try await onThreads(8) { _ in
                for _ in 0..<20 { try Self.incrementAlone(database, table) }
            }
            let value = try await database.run("SELECT n FROM \(table)").rows[0].int(0)
            #expect(value == 160)
        }
    }

    /// Reads or writes a number, and returns whether that ran in a task.
    private static func hasTask(
        _ database: any SQLDatabase, _ table: String, _ number: Int
    ) async throws -> Bool {
        let mode: SQLTransactionMode = number % 2 == 0 ? .readWrite : .readOnly
        let sql =
            mode == .readWrite ? "INSERT INTO \(table) VALUES ($1)" : "SELECT CAST($1 AS int8)"
        return try await database.transaction(mode) { connection in
            _ = try connection.execute(sql, [.integer(Int64(number))])
            return withUnsafeCurrentTask { $0 != nil }
        }
    }

    @Test("64 tasks all commit, outside the cooperative pool", arguments: TestedDatabase.available)
    func manyTasks(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<64 {
                    group.addTask { try await Self.hasTask(database, table, number) }
                }
                for try await hasTask in group { #expect(!hasTask) }
            }
            let rows = try await database.run("SELECT count(DISTINCT id) FROM \(table)").rows
            #expect(try rows[0].int(0) == 32)
        }
    }

    @Test("Reads run while another transaction writes", arguments: TestedDatabase.available)
    func reading(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            let (gate, running) = (Gate(), Gate())
            async let writing: Void = database.transaction(.readWrite) { connection in
                try connection.execute("INSERT INTO \(table) VALUES (1)")
                running.open()
                gate.block()
            }
            try await running.wait()
            let before = try await database.rows(table)
            gate.open()
            try await writing
            let after = try await database.rows(table)
            #expect(before == 0)
            #expect(after == 1)
        }
    }

    @Test("A cancelled task's transaction runs to its end", arguments: TestedDatabase.available)
    func cancellation(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            let (gate, running) = (Gate(), Gate())
            let task = Task {
                try await database.transaction(.readWrite) {
                    running.open()
                    gate.block()
                    return try $0.execute("INSERT INTO \(table) VALUES (1)").affectedRows
                }
            }
            try await running.wait()
            task.cancel()
            gate.open()
            let count = try await task.value
            #expect(count == 1)
            let rows = try await database.rows(table)
            #expect(rows == 1)
        }
    }

    @Test(
        "Closing runs what was submitted and refuses what comes later",
        arguments: TestedDatabase.available)
    func closing(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            let (gate, running, closed) = (Gate(), Gate(), Gate())
            let insert = "INSERT INTO \(table) VALUES (1)"
            async let first = database.transaction(.readWrite) {
                running.open()
                gate.block()
                return try $0.execute(insert).affectedRows
            }
            try await running.wait()
            async let second = database.transaction(.readWrite) {
                try $0.execute(insert).affectedRows
            }
            try await Task.sleep(for: .milliseconds(100))
            Thread {
                database.close()
                closed.open()
            }.start()
            try await Task.sleep(for: .milliseconds(100))
            let error = await sqlError { try await database.run("SELECT 1") }
            #expect(error?.code == .closed)
            let blocking = await sqlError {
                try await onThread { try database.blockingTransaction(.readOnly) { _ in } }
            }
            #expect(blocking?.code == .closed)
            gate.open()
            let counts = try await [first, second]
            #expect(counts == [1, 1])
            try await closed.wait()
            // Again, with no effect.
            try await onThread { database.close() }
        }
    }

    @Test("A body can close its database", arguments: TestedDatabase.available)
    func closingInBody(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            let count = try await database.transaction(.readWrite) { connection in
                database.close()
                return try connection.execute("INSERT INTO \(table) VALUES (1)").affectedRows
            }
            #expect(count == 1)
            let error = await sqlError { try await database.run("SELECT 1") }
            #expect(error?.code == .closed)
            try await onThread { database.close() }
        }
    }
}
