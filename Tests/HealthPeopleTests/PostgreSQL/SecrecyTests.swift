import Foundation
import HealthPeople
import HealthTesting
import Testing

/// Errors contain no values and no password.
@Suite(.inTestAll, .needsPostgreSQL, .timeLimit(.minutes(2))) struct SecrecyTests {
    @Test(
        "The error of a statement doesn't contain its value",
        arguments: [
            "INSERT INTO T (id) VALUES ($1), ($1)", "INSERT INTO T (size) VALUES ($1::text::int4)",
            "INSERT INTO T (id, size) VALUES ($1, -1)", "SELECT $1::text::regclass",
            "INSERT INTO T (short) VALUES ($1)", "SELECT $1::text::timestamptz",
            "SELECT $1::text::jsonb",
        ])
    func statement(_ sql: String) throws {
        let table = try RunningPostgreSQL.table(
            "id text UNIQUE, size int4 CHECK (size > 0), short varchar(3)")
        let error = #expect(throws: SQLError.self) {
            try RunningPostgreSQL.connection().execute(
                sql.replacingOccurrences(of: " T ", with: " \(table) "), [.text("geheim77")])
        }
        #expect(error?.sqlState != nil)
        #expect(error.map { "\($0) \(String(reflecting: $0))" }?.contains("geheim") == false)
    }

    @Test("A refused password is an error that doesn't contain it") func refusedPassword() throws {
        let server = try RunningPostgreSQL.server
        let administrator = try RunningPostgreSQL.connection()
        try administrator.execute("CREATE ROLE locked LOGIN PASSWORD 'geheim77'")
        defer { _ = try? administrator.execute("DROP ROLE locked") }
        func open(_ password: String) throws {
            _ = try PostgreSQLConnection.open(
                PostgreSQLAddress(
                    "postgresql://locked:\(password)@127.0.0.1:\(server.port)/postgres"))
        }
        try open("geheim77")
        let error = #expect(throws: SQLError.self) { try open("geheim78") }
        #expect(error?.code == .authenticationFailed)
        #expect(error.map { "\($0) \(String(reflecting: $0))" }?.contains("geheim") == false)
    }

    @Test("An unreachable server is an error with the reason and without the password")
    func unreachable() throws {
        let port = try TCPProxy.freePort()
        let error = #expect(throws: SQLError.self) {
            _ = try PostgreSQLConnection.open(
                PostgreSQLAddress("postgresql://u:geheim77@127.0.0.1:\(port)/health"))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.description.contains("refused") == true)
        #expect(error?.description.contains("geheim") == false)
    }

    @Test("A notice of the server is not printed") func notice() throws {
        let saved = dup(2)
        let path = FileManager.default.temporaryDirectory.path + "/notice-\(UUID().uuidString)"
        let file = open(path, O_CREAT | O_RDWR, 0o600)
        defer {
            close(saved)
            close(file)
            unlink(path)
        }
        let connection = try RunningPostgreSQL.connection()
        fflush(nil)
        dup2(file, 2)
        let result = Result {
            try connection.execute("DO $$ BEGIN RAISE WARNING 'geheim77'; END $$")
        }
        fflush(nil)
        dup2(saved, 2)
        _ = try result.get()
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("geheim"))
    }
}
