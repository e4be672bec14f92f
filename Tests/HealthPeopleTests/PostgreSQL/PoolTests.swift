import Foundation
import HealthPeople
import HealthTesting
import Testing

/// The queue and the threads of a database.
@Suite(.inTestAll, .needsPostgreSQL, .timeLimit(.minutes(2))) struct PoolTests {
    @Test("64 tasks over 4 threads all commit, on 4 connections") func manyTasks() async throws {
        let table = try RunningPostgreSQL.table("id int8, process int4")
        try await RunningPostgreSQL.withDatabase { database in
            let insert: @Sendable (Int64) async throws -> Void = { number in
                try await database.transaction(.readWrite) {
                    _ = try $0.execute(
                        """
                        INSERT INTO \(table) SELECT $1, pg_backend_pid() FROM pg_sleep(0.01)
                        """, [.integer(number)])
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 { group.addTask { try await insert(Int64(number)) } }
                try await group.waitForAll()
            }
        }
        let row = try RunningPostgreSQL.connection().execute(
            "SELECT count(DISTINCT id), count(DISTINCT process) FROM \(table)"
        ).rows[0]
        #expect(try row.int(0) == 64)
        #expect(try row.int(1) == 4)
    }

    @Test("A transaction runs outside the cooperative pool") func ownThreads() async throws {
        let hasTask = try await RunningPostgreSQL.withDatabase { database in
            try await database.transaction(.readOnly) { _ in withUnsafeCurrentTask { $0 != nil } }
        }
        #expect(!hasTask)
    }

    @Test("A transaction is refused at once if the queue is full") func overloaded() async throws {
        try await RunningPostgreSQL.withDatabase(
            nil,
            {
                $0.threads = 1
                $0.queueLimit = 2
            }
        ) { database in
            let (gate, running) = (Gate(), Gate())
            async let first: Void = database.transaction(.readOnly) { _ in
                running.open()
                gate.block()
            }
            try await running.wait()
            async let second = database.transaction(.readOnly) { _ in 2 }
            async let third = database.transaction(.readOnly) { _ in 3 }
            try await Task.sleep(for: .milliseconds(200))
            let (error, duration) = await timed {
                try database.blockingTransaction(.readOnly) { _ in }
            }
            #expect(error?.code == .overloaded)
            #expect(duration < .seconds(1))
            gate.open()
            try await first
            let others = try await [second, third]
            #expect(others == [2, 3])
        }
    }

    @Test("A transaction is refused if it was in the queue for too long") func late() async throws {
        try await RunningPostgreSQL.withDatabase(
            nil,
            {
                $0.threads = 1
                $0.queueTimeout = .milliseconds(200)
            }
        ) { database in
            let (gate, running) = (Gate(), Gate())
            async let first: Void = database.transaction(.readOnly) { _ in
                running.open()
                gate.block()
            }
            try await running.wait()
            for _ in 0..<2 {
                let error = await sqlError { try await database.transaction(.readOnly) { _ in } }
                #expect(error?.code == .overloaded)
            }
            gate.open()
            try await first
        }
    }

    @Test("A cancelled task's transaction runs to its end") func cancellation() async throws {
        let table = try RunningPostgreSQL.table("id int8")
        try await RunningPostgreSQL.withDatabase { database in
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
            let rows = try await task.value
            #expect(rows == 1)
        }
    }

    @Test("Closing runs what is in the queue and refuses what comes later")
    func closing() async throws {
        var settings = PostgreSQLSettings()
        settings.threads = 1
        let database = try PostgreSQLDatabase(RunningPostgreSQL.server.address, settings)
        let (gate, running, closed) = (Gate(), Gate(), Gate())
        async let first = database.transaction(.readOnly) { _ in
            running.open()
            gate.block()
            return 1
        }
        try await running.wait()
        async let second = database.transaction(.readOnly) { _ in 2 }
        try await Task.sleep(for: .milliseconds(100))
        Thread {
            database.close()
            closed.open()
        }.start()
        try await Task.sleep(for: .milliseconds(100))
        let error = await sqlError { try await database.transaction(.readOnly) { _ in } }
        #expect(error?.code == .closed)
        gate.open()
        let values = try await [first, second]
        #expect(values == [1, 2])
        try await closed.wait()
        database.close()
    }

    @Test("Closing without a server ends soon") func closingWithoutServer() async throws {
        let server = try RunningPostgreSQL.server
        var settings = PostgreSQLSettings()
        settings.backoff.initial = .seconds(60)
        settings.backoff.maximum = .seconds(60)
        let database = PostgreSQLDatabase(
            try server.address(port: TCPProxy.freePort()), settings)
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        database.close()
        #expect(start.duration(to: .now) < .seconds(2))
    }

    @Test("Without a server a transaction fails at once") func unavailable() async throws {
        let server = try RunningPostgreSQL.server
        let address = try server.address(port: TCPProxy.freePort())
        try await RunningPostgreSQL.withDatabase(address) { database in
            for _ in 0..<3 {
                let (error, duration) = await timed {
                    try database.blockingTransaction(.readOnly) { _ in }
                }
                #expect(error?.code == .unavailable)
                #expect(duration < .seconds(1))
            }
        }
    }

    @Test("A blocking transaction has its value or its error") func blocking() async throws {
        try await RunningPostgreSQL.withDatabase { database in
            let value = try await Task.detached {
                try database.blockingTransaction(.readOnly) {
                    try $0.execute("SELECT 5").rows[0].int(0)
                }
            }.value
            #expect(value == 5)
            let error = await sqlError {
                try database.blockingTransaction(.readOnly) { _ = try $0.execute("SELECT x") }
            }
            #expect(error?.code == .invalid(sqlState: "42703"))
        }
    }

    @Test("A transaction inside a transaction of the same database is an error") func nested()
        async throws
    {
        try await RunningPostgreSQL.withDatabase { database in
            let error = await sqlError {
                try await database.transaction(.readOnly) { _ in
                    try database.blockingTransaction(.readOnly) { _ in }
                }
            }
            #expect(error?.code == .nestedTransaction)
        }
    }

    @Test("The session of a connection is as it was after many transactions") func clean()
        async throws
    {
        let prepared = try await RunningPostgreSQL.withDatabase(nil, { $0.threads = 1 }) {
            database in
            for _ in 0..<20 {
                _ = try await database.transaction(.readWrite) {
                    try $0.execute("SELECT $1", [.integer(1)])
                }
            }
            return try await database.transaction(.readOnly) {
                try $0.execute("SELECT count(*) FROM pg_prepared_statements").rows[0].int(0)
            }
        }
        #expect(prepared == 0)
    }
}
