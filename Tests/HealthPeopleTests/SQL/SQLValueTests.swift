import HealthPeople
import Testing

/// Values and counts of rows, the same in every database.
@Suite(.timeLimit(.minutes(2))) struct SQLValueTests {
    private static let values: [(SQLValue, String)] = [
        (.null, "text"), (.null, "bytea"), (.integer(0), "int8"), (.integer(.min), "int8"),
        (.integer(.max), "int8"), (.real(0.1), "float8"), (.real(2), "float8"),
        (.real(-.infinity), "float8"), (.real(.greatestFiniteMagnitude), "float8"),
        (.real(.leastNonzeroMagnitude), "float8"), (.text(""), "text"), (.text("12"), "text"),
        (.text("👩‍👩‍👧‍👦 Zoë\n'\"\\ $1 \u{FEFF}"), "text"), (.bytes([]), "bytea"),
        (.bytes([0, 255, 39, 92]), "bytea"), (.bytes(Array("12".utf8)), "bytea"),
    ]

    @Test("A value returns as it was stored", arguments: TestedDatabase.available)
    func roundTrip(_ kind: TestedDatabase) async throws {
        for (value, type) in Self.values {
            try await kind.with("value \(type)") { database, table in
                let sql = "INSERT INTO \(table) VALUES ($1) RETURNING value"
                let returned = try await database.run(sql, [value])
                #expect(returned == SQLResult(rows: [SQLRow([value])], affectedRows: 1))
                let stored = try await database.run("SELECT value FROM \(table)", [], .readOnly)
                #expect(stored.rows == [SQLRow([value])])
            }
        }
    }

    @Test("A boolean is read by its accessor", arguments: TestedDatabase.available)
    func boolean(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8, value bool") { database, table in
            try await database.run(
                "INSERT INTO \(table) VALUES (1, $1), (2, $2), (3, NULL)",
                [.boolean(true), .boolean(false)])
            let rows = try await database.run("SELECT value FROM \(table) ORDER BY id").rows
            #expect(try rows.map { try $0.optionalBool(0) } == [true, false, nil])
        }
    }

    @Test("Five megabytes return as they were stored", arguments: TestedDatabase.available)
    func large(_ kind: TestedDatabase) async throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await kind.with("value bytea") { database, table in
            try await database.run("INSERT INTO \(table) VALUES ($1)", [.bytes(bytes)])
            let rows = try await database.run("SELECT value FROM \(table)", [], .readOnly).rows
            #expect(try rows[0].bytes(0) == bytes)
        }
    }

    @Test("A parameter can be used twice and in any order", arguments: TestedDatabase.available)
    func order(_ kind: TestedDatabase) async throws {
        try await kind.with("a int8, b int8, c int8") { database, table in
            let row = try await database.run(
                "INSERT INTO \(table) VALUES ($2, $1, $2) RETURNING a, b, c",
                [.integer(1), .integer(2)]
            ).rows[0]
            #expect(row.values == [.integer(2), .integer(1), .integer(2)])
            let many = (1...20).map { SQLValue.integer($0) }
            let sum = (1...20).map { "CAST($\($0) AS int8)" }.joined(separator: " + ")
            let total = try await database.run("SELECT \(sum)", many).rows[0].int(0)
            #expect(total == 210)
        }
    }

    @Test(
        "A value that isn't the same in every database is refused, and not sent",
        arguments: TestedDatabase.available)
    func refused(_ kind: TestedDatabase) async throws {
        let values: [(SQLValue, String)] = [(.text("a\0geheim"), "22021"), (.real(.nan), "22003")]
        try await kind.with("value text") { database, table in
            for (value, state) in values {
                let error = await sqlError {
                    try await database.run("INSERT INTO \(table) VALUES ($1)", [value])
                }
                #expect(error?.code == .invalid(sqlState: state))
                #expect(error?.description.contains("geheim") == false)
            }
            let many = [SQLValue](repeating: .integer(1), count: 65536)
            let error = await sqlError { try await database.run("SELECT 1", many) }
            #expect(error?.code == .invalid(sqlState: "54023"))
            let zero = await sqlError { try await database.run("SELECT 1\0 WHERE") }
            #expect(zero?.code == .invalid(sqlState: "42601"))
            let rows = try await database.rows(table)
            #expect(rows == 0)
        }
    }

    @Test("Two statements in one text, and a missing parameter, are errors")
    func malformed() async throws {
        for kind in TestedDatabase.available {
            try await kind.with("value int8") { database, table in
                for sql in [
                    "INSERT INTO \(table) VALUES (1); INSERT INTO \(table) VALUES (2)",
                    "INSERT INTO \(table) VALUES ($1)", "INSERT INTO missing VALUES (1)", "SELEKT",
                ] {
                    let error = await sqlError { try await database.run(sql) }
                    #expect(error?.isTemporary == false, "\(kind) \(sql)")
                }
                let rows = try await database.rows(table)
                #expect(rows == 0)
            }
        }
    }

    @Test("The affected rows are those of the statement", arguments: TestedDatabase.available)
    func affectedRows(_ kind: TestedDatabase) async throws {
        try await kind.with("id int8 PRIMARY KEY") { database, table in
            let counts = try await database.transaction(.readWrite) { connection in
                try [
                    "INSERT INTO \(table) VALUES (1), (2), (3)", "SELECT * FROM \(table)",
                    "CREATE TABLE \(table)x (id int8)", "DROP TABLE \(table)x",
                    "UPDATE \(table) SET id = id + 10 WHERE id > 1",
                    "UPDATE \(table) SET id = id WHERE id > 99",
                    "INSERT INTO \(table) VALUES (1) ON CONFLICT DO NOTHING",
                    "INSERT INTO \(table) VALUES (1), (4) ON CONFLICT DO NOTHING RETURNING id",
                    "DELETE FROM \(table) WHERE id > 99", "DELETE FROM \(table)",
                ].map { try connection.execute($0).affectedRows }
            }
            #expect(counts == [3, 3, 0, 0, 2, 0, 0, 1, 0, 4])
        }
    }
}
