import Foundation
import HealthPeople
import HealthTesting
import Testing

/// Values on their way to PostgreSQL and back.
@Suite(.inTestAll, .needsPostgreSQL) struct ValueTests {
    @Test(
        "A value returns from the server as it was sent",
        arguments: [
            (.null, "text"), (.integer(0), "int8"), (.integer(.min), "int8"),
            (.integer(.max), "int8"), (.real(0.1), "float8"), (.real(-.infinity), "float8"),
            (.real(.infinity), "float8"), (.real(.leastNonzeroMagnitude), "float8"),
            (.text(""), "text"), (.text("👩‍👩‍👧‍👦 Zoë\n'\"\\"), "text"), (.bytes([]), "bytea"),
            (.bytes([0, 255, 39, 92]), "bytea"), (.boolean(true), "bool"),
            (.boolean(false), "bool"),
        ] as [(SQLValue, String)])
    func roundTrip(_ value: SQLValue, type: String) throws {
        let connection = try RunningPostgreSQL.connection()
        let table = try RunningPostgreSQL.table("value \(type)")
        let returned = try connection.execute(
            "INSERT INTO \(table) VALUES ($1) RETURNING value", [value])
        #expect(returned.rows == [SQLRow([value])])
        #expect(returned.affectedRows == 1)
    }

    @Test("The server can return NaN") func notANumber() throws {
        let rows = try RunningPostgreSQL.connection().execute("SELECT 'NaN'::float8").rows
        #expect(try rows[0].double(0).isNaN)
    }

    @Test("Five megabytes return as they were sent") func large() throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let rows = try RunningPostgreSQL.connection().execute("SELECT $1", [.bytes(bytes)]).rows
        #expect(try rows[0].bytes(0) == bytes)
    }

    @Test(
        "Five megabytes return over TLS without a wait for each record",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
    func encrypted() throws {
        let server = try PrivatePostgreSQL()
        try server.enableTLS()
        let connection = try PostgreSQLConnection.open(
            PostgreSQLAddress(
                "postgresql://openhealth@127.0.0.1:\(server.port)/postgres?sslmode=require"))
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let start = ContinuousClock.now
        let rows = try connection.execute("SELECT $1", [.bytes(bytes)]).rows
        #expect(try rows[0].bytes(0) == bytes)
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test(
        "A type of the server has its value",
        arguments: [
            ("(-7)::int2", .integer(-7)), ("(-70000)::int4", .integer(-70000)),
            ("4294967295::oid", .integer(4_294_967_295)), ("1.5::float4", .real(1.5)),
            ("'ab'::name", .text("ab")), ("'ab'::varchar", .text("ab")),
            ("'ab'::char(3)", .text("ab ")), ("NULL::int4", .null),
            ("pg_advisory_xact_lock(1)", .null),
            ("'2001-01-01 01:00:00.25+01'::timestamptz", .real(0.25)),
            ("'2000-12-31 23:59:59+00'::timestamptz", .real(-1)),
            ("'infinity'::timestamptz", .real(.infinity)),
        ] as [(String, SQLValue)])
    func decoding(_ expression: String, _ value: SQLValue) throws {
        let rows = try RunningPostgreSQL.connection().execute("SELECT \(expression)").rows
        #expect(rows == [SQLRow([value])])
    }

    @Test("An unsupported type is an error with its column and type, also without rows")
    func unsupported() throws {
        let connection = try RunningPostgreSQL.connection()
        #expect(throws: SQLError(.unsupportedType(column: 1, type: 1700))) {
            try connection.execute("SELECT 1, 2.5::numeric WHERE false")
        }
        #expect(try connection.execute("SELECT 1").rows[0].int(0) == 1)
    }

    @Test("A text with a zero byte is refused") func zeroByte() throws {
        let connection = try RunningPostgreSQL.connection()
        let error = #expect(throws: SQLError.self) {
            try connection.execute("SELECT $1", [.text("a\0b")])
        }
        #expect(error?.code == .invalid(sqlState: "22021"))
    }

    @Test("A statement with a zero byte isn't cut off there") func zeroByteInStatement() throws {
        let connection = try RunningPostgreSQL.connection()
        let error = #expect(throws: SQLError.self) { try connection.execute("SELECT 1\0 WHERE") }
        #expect(error?.code == .invalid(sqlState: "42601"))
    }

    @Test("Too many parameters are an error, and the connection remains usable")
    func tooManyParameters() throws {
        let connection = try RunningPostgreSQL.connection()
        let values = [SQLValue](repeating: .integer(1), count: 65536)
        let error = #expect(throws: SQLError.self) { try connection.execute("SELECT 1", values) }
        #expect(error?.code == .invalid(sqlState: "54023"))
        #expect(try connection.execute("SELECT 1").rows[0].int(0) == 1)
    }

    @Test("COPY is refused and doesn't hang", .timeLimit(.minutes(1))) func copying() throws {
        let connection = try RunningPostgreSQL.connection()
        let error = #expect(throws: SQLError.self) {
            try connection.execute("COPY pg_class TO STDOUT")
        }
        #expect(error?.code == .invalid(sqlState: "0A000"))
    }
}
