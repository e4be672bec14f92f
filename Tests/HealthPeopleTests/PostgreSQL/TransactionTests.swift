import Foundation
import HealthTesting
import Testing

@testable import HealthPeople

/// What a transaction leaves behind, and the errors of its statements.
@Suite(.inTestAll, .needsPostgreSQL, .timeLimit(.minutes(2))) struct TransactionTests {
    struct Stop: Error {}

    private func rows(_ table: String) throws -> Int {
        try RunningPostgreSQL.connection().execute("SELECT count(*) FROM \(table)").rows[0].int(0)
    }

    @Test("A transaction is committed and returns its value") func commit() async throws {
        let table = try RunningPostgreSQL.table("id int8")
        let value = try await RunningPostgreSQL.withDatabase { database in
            try await database.transaction(.readWrite) { connection in
                try connection.execute("INSERT INTO \(table) VALUES ($1)", [.integer(7)])
                    .affectedRows
            }
        }
        #expect(value == 1)
        #expect(try rows(table) == 1)
    }

    @Test("A rollback leaves no row, and the connection remains usable")
    func rollback() async throws {
        let table = try RunningPostgreSQL.table("id int8")
        try await RunningPostgreSQL.withDatabase(nil, { $0.threads = 1 }) { database in
            await #expect(throws: Stop.self) {
                try await database.transaction(.readWrite) { connection in
                    try connection.execute("INSERT INTO \(table) VALUES (1)")
                    throw Stop()
                }
            }
            let inside = try await database.transaction(.readOnly) {
                try $0.execute("SELECT count(*) FROM \(table)").rows[0].int(0)
            }
            #expect(inside == 0)
        }
        #expect(try rows(table) == 0)
    }

    @Test("A body that catches the error of a statement doesn't seem to be committed")
    func caughtError() async throws {
        let table = try RunningPostgreSQL.table("id int8 CONSTRAINT one_id UNIQUE")
        try await RunningPostgreSQL.withDatabase { database in
            let error = await sqlError {
                try await database.transaction(.readWrite) { connection in
                    try connection.execute("INSERT INTO \(table) VALUES (1)")
                    _ = try? connection.execute("INSERT INTO \(table) VALUES (1)")
                }
            }
            #expect(error?.code == .uniqueViolation(constraint: "one_id"))
        }
        #expect(try rows(table) == 0)
    }

    @Test(
        "A body that ends the transaction itself gets an error", arguments: ["COMMIT", "ROLLBACK"])
    func ownEnd(_ statement: String) async throws {
        try await RunningPostgreSQL.withDatabase(nil, { $0.threads = 1 }) { database in
            let error = await sqlError {
                try await database.transaction(.readWrite) {
                    _ = try? $0.execute(statement)
                }
            }
            #expect(error?.code == .invalid(sqlState: "2D000"))
            let value = try await database.transaction(.readOnly) {
                try $0.execute("SELECT 1").rows[0].int(0)
            }
            #expect(value == 1)
        }
    }

    @Test("A connection that outlives its transaction refuses statements")
    func escapedConnection() async throws {
        let refused = try await RunningPostgreSQL.withDatabase { database in
            try await Task.detached {
                var escaped: (any SQLConnection)?
                try database.blockingTransaction(.readOnly) { escaped = $0 }
                do {
                    _ = try escaped?.execute("SELECT 1")
                    return false
                } catch { return (error as? SQLError)?.code == .invalid(sqlState: "25P01") }
            }.value
        }
        #expect(refused)
    }

    @Test("A read-only transaction can't write and sees one snapshot") func readOnly() async throws
    {
        let table = try RunningPostgreSQL.table("id int8")
        try await RunningPostgreSQL.withDatabase { database in
            let error = await sqlError {
                try await database.transaction(.readOnly) {
                    _ = try $0.execute("INSERT INTO \(table) VALUES (1)")
                }
            }
            #expect(error?.code == .readOnly)
            let counts = try await database.transaction(.readOnly) { connection in
                let count = "SELECT count(*) FROM \(table)"
                let before = try connection.execute(count).rows[0].int(0)
                try RunningPostgreSQL.connection().execute("INSERT INTO \(table) VALUES (1)")
                return [before, try connection.execute(count).rows[0].int(0)]
            }
            #expect(counts == [0, 0])
        }
    }

    @Test(
        "A violated constraint is named",
        arguments: [
            ("INSERT INTO T VALUES (1, 1)", "_key"), ("INSERT INTO T VALUES (2, 9)", "_parent"),
            ("INSERT INTO T VALUES (-1, 1)", "_check"), ("INSERT INTO T VALUES (3, NULL)", ""),
        ])
    func constraint(_ sql: String, _ ending: String) throws {
        let table = try RunningPostgreSQL.table(
            """
            id int8 CONSTRAINT TABLE_key PRIMARY KEY CONSTRAINT TABLE_check CHECK (id > 0),
            parent int8 NOT NULL CONSTRAINT TABLE_parent REFERENCES TABLE
            """)
        let connection = try RunningPostgreSQL.connection()
        try connection.execute("INSERT INTO \(table) VALUES (1, 1)")
        let error = #expect(throws: SQLError.self) {
            try connection.execute(sql.replacingOccurrences(of: " T ", with: " \(table) "))
        }
        let code: SQLError.Code =
            switch ending {
            case "_key": .uniqueViolation(constraint: table + ending)
            case "_parent": .foreignKeyViolation(constraint: table + ending)
            case "_check": .checkViolation(constraint: table + ending)
            default: .checkViolation(constraint: nil)
            }
        #expect(error?.code == code)
        #expect(error?.isTemporary == false)
    }

    @Test("A constraint that is checked at the commit has its name and no unknown outcome")
    func deferred() async throws {
        let table = try RunningPostgreSQL.table(
            "id int8 CONSTRAINT later UNIQUE DEFERRABLE INITIALLY DEFERRED")
        try await RunningPostgreSQL.withDatabase { database in
            let error = await sqlError {
                try await database.transaction(.readWrite) {
                    _ = try $0.execute("INSERT INTO \(table) VALUES (1), (1)")
                }
            }
            #expect(error?.code == .uniqueViolation(constraint: "later"))
        }
    }

    @Test("A slow statement ends with a timeout of the server") func statementTimeout() async throws
    {
        try await RunningPostgreSQL.withDatabase(
            nil, { $0.statementTimeout = .milliseconds(200) }
        ) { database in
            let error = await sqlError {
                try await database.transaction(.readOnly) {
                    _ = try $0.execute("SELECT pg_sleep(5)")
                }
            }
            #expect(error?.code == .statementTimeout)
            #expect(error?.sqlState == "57014")
            #expect(error?.isTemporary == true)
        }
    }

    @Test("A lock that is held elsewhere ends with a lock timeout") func lockTimeout() async throws
    {
        let table = try RunningPostgreSQL.table("id int8")
        let holder = try RunningPostgreSQL.connection()
        try holder.execute("BEGIN")
        try holder.execute("LOCK TABLE \(table)")
        try await RunningPostgreSQL.withDatabase(
            nil, { $0.lockTimeout = .milliseconds(200) }
        ) { database in
            let error = await sqlError {
                try await database.transaction(.readWrite) {
                    _ = try $0.execute("INSERT INTO \(table) VALUES (1)")
                }
            }
            #expect(error?.code == .lockTimeout)
        }
        try holder.execute("ROLLBACK")
    }

    @Test("A transaction that stays idle is ended by the server, with a certain outcome")
    func idle() async throws {
        let table = try RunningPostgreSQL.table("id int8")
        try await RunningPostgreSQL.withDatabase(
            nil, { $0.idleTimeout = .milliseconds(100) }
        ) { database in
            let error = await sqlError {
                try await database.transaction(.readWrite) {
                    try $0.execute("INSERT INTO \(table) VALUES (1)")
                    Thread.sleep(forTimeInterval: 0.5)
                }
            }
            #expect(error?.code == .connectionLost)
        }
        #expect(try rows(table) == 0)
    }

    @Test("A transaction has its limits, which end with it") func limits() throws {
        let connection = try RunningPostgreSQL.connection()
        func limits() throws -> [String] {
            let names = [
                "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout",
            ]
            return try names.map {
                try connection.execute("SELECT current_setting($1)", [.text($0)]).rows[0].text(0)
            }
        }
        try connection.begin(.readWrite)
        #expect(try limits() == ["10s", "3s", "30s"])
        #expect(try connection.commit(.readWrite))
        #expect(try limits() == ["0", "0", "0"])
    }

    @Test("Nothing of a body is kept when a blocking transaction returns")
    func released() async throws {
        final class Resource {}
        let database = PostgreSQLDatabase(try RunningPostgreSQL.server.address)
        let kept = try await onThread {
            defer { database.close() }
            return try (0..<1000).filter { _ in
                weak var resource: Resource?
                try {
                    let captured = Resource()
                    resource = captured
                    try database.blockingTransaction(.readOnly) { [captured] _ in _ = captured }
                }()
                return resource != nil
            }.count
        }
        #expect(kept == 0)
    }

    @Test("One of two serializable transactions that write each other's input conflicts")
    func conflict() async throws {
        let table = try RunningPostgreSQL.table("id int8")
        try await RunningPostgreSQL.withDatabase { database in
            let count = "SELECT count(*) FROM \(table)"
            let error = await sqlError {
                try await database.transaction(.serializable) { connection in
                    try connection.execute(count)
                    let other = try RunningPostgreSQL.connection()
                    try other.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
                    try other.execute(count)
                    try other.execute("INSERT INTO \(table) VALUES (1)")
                    try other.execute("COMMIT")
                    try connection.execute("INSERT INTO \(table) VALUES (2)")
                }
            }
            #expect(error?.code == .conflict)
            #expect(error?.isTemporary == true)
        }
    }

    @Test("A missing privilege is its own error") func notPermitted() throws {
        let connection = try RunningPostgreSQL.connection()
        try connection.execute("BEGIN")
        try connection.execute("CREATE ROLE nothing_allowed")
        try connection.execute("SET LOCAL ROLE nothing_allowed")
        let error = #expect(throws: SQLError.self) {
            try connection.execute("SELECT * FROM pg_authid")
        }
        #expect(error?.code == .notPermitted)
        try connection.execute("ROLLBACK")
    }

    @Test("An error in the text of a statement has its position") func position() throws {
        let error = #expect(throws: SQLError.self) {
            try RunningPostgreSQL.connection().execute("SELECT nothing")
        }
        #expect(error?.code == .invalid(sqlState: "42703"))
        #expect(error?.description.contains("character 8") == true)
    }
}
