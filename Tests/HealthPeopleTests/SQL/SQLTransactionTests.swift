import HealthPeople
import Testing

/// Commits, rollbacks and violated constraints, the same in every database.
@Suite(.timeLimit(.minutes(2))) struct SQLTransactionTests {
    struct Stop: Error {}

    @Test("A transaction is committed and returns its value", arguments: TestedDatabase.available)
    func commit(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            for mode in [SQLTransactionMode.readWrite, .serializable] {
                let sql = "INSERT INTO \(table) VALUES (1)"
                let count = try await database.transaction(mode) {
                    try $0.execute(sql).affectedRows + $0.execute(sql).affectedRows
                }
                #expect(count == 2)
            }
            let rows = try await database.rows(table)
            #expect(rows == 4)
        }
    }

    @Test(
        "A thrown error rolls back, and the database remains usable",
        arguments: TestedDatabase.available)
    func rollback(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            let body = { @Sendable (connection: any SQLConnection) in
                try connection.execute("INSERT INTO \(table) VALUES (1)")
                throw Stop()
            }
            await #expect(throws: Stop.self) { try await database.transaction(.readWrite, body) }
            await #expect(throws: Stop.self) {
                try await onThread { try database.blockingTransaction(.readWrite, body) }
            }
            let rows = try await database.rows(table)
            #expect(rows == 0)
        }
    }

    @Test(
        "A body that catches the error of a statement is rolled back, with that error",
        arguments: TestedDatabase.available)
    func caughtError(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8 UNIQUE") { database, table in
            let insert = "INSERT INTO \(table) VALUES ($1)"
            for value in [SQLValue.integer(1), .text("a\0")] {
                let error = await sqlError {
                    try await database.transaction(.readWrite) { connection in
                        _ = try connection.execute(insert, [.integer(1)])
                        _ = try? connection.execute(insert, [value])
                        // PostgreSQL refuses it; so the other database does.
                        _ = try? connection.execute(insert, [.integer(2)])
                    }
                }
                let isUnique = value == .integer(1)
                #expect(
                    category(error)
                        == (isUnique
                            ? .uniqueViolation(constraint: nil) : .invalid(sqlState: "22021")))
            }
            let rows = try await database.rows(table)
            #expect(rows == 0)
        }
    }

    @Test("A violated constraint is an error with its kind", arguments: TestedDatabase.available)
    func constraints(_ kind: TestedDatabase) async throws {
        let columns = """
            id int8 PRIMARY KEY CHECK (id > 0), parent int8 NOT NULL REFERENCES TABLE,
            name text UNIQUE
            """
        try await kind.with(columns) { database, table in
            let insert = "INSERT INTO \(table) VALUES ($1, $2, $3)"
            try await database.run(insert, [.integer(1), .integer(1), .text("geheim")])
            let cases: [([SQLValue], SQLError.Code)] = [
                ([.integer(1), .integer(1), .null], .uniqueViolation(constraint: nil)),
                ([.integer(2), .integer(1), .text("geheim")], .uniqueViolation(constraint: nil)),
                ([.integer(3), .integer(9), .null], .foreignKeyViolation(constraint: nil)),
                ([.integer(-1), .integer(1), .null], .checkViolation(constraint: nil)),
                ([.integer(4), .null, .null], .checkViolation(constraint: nil)),
            ]
            for (values, code) in cases {
                let error = await sqlError { try await database.run(insert, values) }
                #expect(category(error) == code)
                #expect(error?.isTemporary == false)
                let text = error.map { "\($0) \(String(reflecting: $0))" }
                #expect(text?.contains("geheim") == false)
            }
            let referred = await sqlError {
                try await database.transaction(.readWrite) {
                    _ = try $0.execute(insert, [.integer(5), .integer(1), .null])
                    _ = try $0.execute("DELETE FROM \(table) WHERE id = 1")
                }
            }
            #expect(category(referred) == .foreignKeyViolation(constraint: nil))
            let rows = try await database.rows(table)
            #expect(rows == 1)
        }
    }

    @Test(
        "A constraint that is checked at the commit rolls back", arguments: TestedDatabase.available
    )
    func deferred(_ kind: TestedDatabase) async throws {
        let columns = """
            id int8 PRIMARY KEY, parent int8 REFERENCES TABLE DEFERRABLE INITIALLY DEFERRED
            """
        try await kind.with(columns) { database, table in
            let error = await sqlError {
                try await database.run("INSERT INTO \(table) VALUES (1, 2)")
            }
            #expect(category(error) == .foreignKeyViolation(constraint: nil))
            try await database.run("INSERT INTO \(table) VALUES (3, 4), (4, 3)")
            let rows = try await database.rows(table)
            #expect(rows == 2)
        }
    }

    @Test("A read-only transaction can't write and sees one snapshot")
    func readOnly() async throws {
        for kind in TestedDatabase.available {
            try await kind.with("id int8") { database, table in
                let insert = "INSERT INTO \(table) VALUES (1)"
                let error = await sqlError { try await database.run(insert, [], .readOnly) }
                #expect(error?.code == .readOnly)
                let count = "SELECT count(*) FROM \(table)"
                let counts = try await database.transaction(.readOnly) { connection in
                    let before = try connection.execute(count).rows[0].int(0)
                    try blockingOnThread {
                        try database.blockingTransaction(.readWrite) { _ = try $0.execute(insert) }
                    }
                    return [before, try connection.execute(count).rows[0].int(0)]
                }
                #expect(counts == [0, 0])
                let rows = try await database.rows(table)
                #expect(rows == 1)
            }
        }
    }

    @Test(
        "A body that ends the transaction itself gets an error", arguments: ["COMMIT", "ROLLBACK"],
        TestedDatabase.available)
    func ownEnd(_ statement: String, _ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            for mode in [SQLTransactionMode.readWrite, .readOnly] {
                let error = await sqlError {
                    try await database.transaction(mode) { connection in
                        _ = try? connection.execute(statement)
                        _ = try? connection.execute("SELECT 1")
                    }
                }
                #expect(error?.code == .invalid(sqlState: "2D000"), "\(kind) \(mode)")
            }
            let rows = try await database.rows(table)
            #expect(rows == 0)
        }
    }

    @Test("A connection that outlives its transaction refuses statements")
    func escapedConnection() async throws {
        for kind in TestedDatabase.available {
            try await kind.with("id int8") { database, _ in
                let code = try await onThread { () -> SQLError.Code? in
                    var escaped: (any SQLConnection)?
                    try database.blockingTransaction(.readOnly) { escaped = $0 }
                    do {
                        _ = try escaped?.execute("SELECT 1")
                        return nil
                    } catch { return (error as? SQLError)?.code }
                }
                #expect(code == .invalid(sqlState: "25P01"))
            }
        }
    }

    @Test(
        "A transaction inside a transaction of the same database is an error",
        arguments: TestedDatabase.available)
    func nested(_ kind: TestedDatabase) async throws {
        let modes = [SQLTransactionMode.readOnly, .readWrite]
        try await kind.with("id int8") { database, _ in
            for (outer, inner) in modes.flatMap({ outer in modes.map { (outer, $0) } }) {
                let body = { @Sendable (_: any SQLConnection) in
                    try database.blockingTransaction(inner) { _ in }
                }
                let error = await sqlError { try await database.transaction(outer, body) }
                #expect(error?.code == .nestedTransaction)
                let blocking = await sqlError {
                    try await onThread { try database.blockingTransaction(outer, body) }
                }
                #expect(blocking?.code == .nestedTransaction)
            }
        }
    }

    @Test(
        "A transaction inside a transaction of another database runs",
        arguments: TestedDatabase.available)
    func nestedInOther(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8") { database, table in
            try await kind.with("id int8") { other, second in
                let insert = "INSERT INTO \(second) VALUES (1)"
                try await database.transaction(.readWrite) { connection in
                    try connection.execute("INSERT INTO \(table) VALUES (1)")
                    try other.blockingTransaction(.readWrite) { _ = try $0.execute(insert) }
                }
                let rows = try await [database.rows(table), other.rows(second)]
                #expect(rows == [1, 1])
            }
        }
    }
}
