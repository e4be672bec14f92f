import Foundation
import HealthPeople
import HealthTesting
import Testing

/// Servers that are killed, restarted, silent, or lost at a certain message.
@Suite(.inTestAll, .needsPostgreSQL, .timeLimit(.minutes(2))) struct LostConnectionTests {
    /// Runs a transaction that inserts a row, until it succeeds. Only errors after which a retry is
    /// harmless are repeated.
    private func insertWithRetries(_ database: PostgreSQLDatabase, _ table: String) async throws {
        for _ in 0..<200 {
            let error = await sqlError { try await insert(database, table) }
            guard let error else { return }
            guard error.isTemporary else { throw error }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw SQLError(.unavailable)
    }

    private func insert(_ database: PostgreSQLDatabase, _ table: String) async throws {
        try await database.transaction(.readWrite) {
            _ = try $0.execute("INSERT INTO \(table) VALUES (1)")
        }
    }

    private func rows(_ server: PrivatePostgreSQL, _ table: String) throws -> Int {
        try PostgreSQLConnection.open(server.address)
            .execute("SELECT count(*) FROM \(table)").rows[0].int(0)
    }

    @Test(
        "A server that ends in a transaction is a lost connection, and the database recovers",
        arguments: [PrivatePostgreSQL.Stop.kill, .immediate, .fast])
    func killed(_ stop: PrivatePostgreSQL.Stop) async throws {
        let server = try PrivatePostgreSQL()
        try PostgreSQLConnection.open(server.address).execute("CREATE TABLE t (id int8)")
        try await RunningPostgreSQL.withDatabase(server.address) { database in
            // Unchecked by the compiler: only one thread uses the server at a time.
            nonisolated(unsafe) let stopped = server
            let error = await sqlError {
                try await database.transaction(.readWrite) { connection in
                    try connection.execute("INSERT INTO t VALUES (1)")
                    stopped.stop(stop)
                    try connection.execute("INSERT INTO t VALUES (1)")
                }
            }
            #expect(error?.code == .connectionLost)
            let down = await sqlError { try await insert(database, "t") }
            #expect(down?.code == .unavailable || down?.code == .connectionLost)
            #expect(down?.isTemporary == true)
            try server.start()
            try await insertWithRetries(database, "t")
            #expect(try rows(server, "t") == 1)
        }
    }

    @Test("A restart between two transactions is not noticed by the second") func restart()
        async throws
    {
        let server = try PrivatePostgreSQL()
        try PostgreSQLConnection.open(server.address).execute("CREATE TABLE t (id int8)")
        try await RunningPostgreSQL.withDatabase(server.address, { $0.threads = 2 }) { database in
            try await insert(database, "t")
            try await insert(database, "t")
            // Also a connection that has had no transaction counts as proven then.
            try await Task.sleep(for: .seconds(6))
            server.stop(.fast)
            try server.start()
            for _ in 0..<4 { try await insert(database, "t") }
            #expect(try rows(server, "t") == 6)
        }
    }

    /// Inserts a row through a proxy with a mode that loses a message.
    private func insert(losing mode: TCPProxy.Mode) async throws -> (SQLError?, rows: Int) {
        let server = try RunningPostgreSQL.server
        let table = try RunningPostgreSQL.table("id int8")
        let proxy = try TCPProxy(to: server.port)
        defer { proxy.end() }
        let address = try server.address(port: proxy.port)
        return try await RunningPostgreSQL.withDatabase(address) { database in
            try await database.transaction(.readOnly) { _ = try $0.execute("SELECT 1") }
            proxy.set(mode)
            let error = await sqlError { try await insert(database, table) }
            // The server ends a transaction when it notices the end of its connection.
            try await Task.sleep(for: .milliseconds(200))
            return (error, try rows(server, table))
        }
    }

    @Test("A commit whose answer is lost has an unknown outcome and is committed")
    func lostAnswer() async throws {
        let (error, rows) = try await insert(losing: .loseAnswer("COMMIT\0"))
        #expect(error?.code == .unknownOutcome)
        #expect(error?.isTemporary == false)
        #expect(rows == 1)
    }

    @Test("A commit that the server didn't receive has an unknown outcome and is not committed")
    func lostCommit() async throws {
        let (error, rows) = try await insert(losing: .loseRequest("COMMIT\0"))
        #expect(error?.code == .unknownOutcome)
        #expect(rows == 0)
    }

    @Test("A statement that is lost before the commit is not committed") func lostStatement()
        async throws
    {
        let (error, rows) = try await insert(losing: .loseAnswer("INSERT"))
        #expect(error?.code == .connectionLost)
        #expect(rows == 0)
    }

    @Test("A statement outside a transaction that is lost has an unknown outcome")
    func lostOutsideTransaction() throws {
        let (server, proxy) = (try RunningPostgreSQL.server, try proxy())
        defer { proxy.end() }
        let connection = try PostgreSQLConnection.open(server.address(port: proxy.port))
        proxy.set(.loseAnswer("SELECT"))
        let lost = #expect(throws: SQLError.self) { try connection.execute("SELECT 1") }
        #expect(lost?.code == .unknownOutcome)
        let next = #expect(throws: SQLError.self) { try connection.execute("SELECT 1") }
        #expect(next?.code == .connectionLost)
    }

    @Test("The commit of a transaction that only read has no unknown outcome")
    func lostReadOnlyCommit() async throws {
        let server = try RunningPostgreSQL.server
        let proxy = try TCPProxy(to: server.port)
        defer { proxy.end() }
        try await RunningPostgreSQL.withDatabase(server.address(port: proxy.port)) { database in
            proxy.set(.loseAnswer("COMMIT\0"))
            let error = await sqlError {
                try await database.transaction(.readOnly) { _ = try $0.execute("SELECT 1") }
            }
            #expect(error?.code == .connectionLost)
        }
    }

    /// Runs a transaction whose server falls silent, and returns its error and its duration.
    private func silence(
        _ body: @escaping @Sendable (TCPProxy, any SQLConnection) throws -> Void
    ) async throws -> (error: SQLError?, duration: Duration) {
        let (server, proxy) = (try RunningPostgreSQL.server, try proxy())
        defer { proxy.end() }
        return try await RunningPostgreSQL.withDatabase(
            server.address(port: proxy.port),
            {
                $0.statementTimeout = .milliseconds(300)
                $0.answerMargin = .milliseconds(200)
            }
        ) { database in
            await timed { try database.blockingTransaction(.readWrite) { try body(proxy, $0) } }
        }
    }

    @Test("A server that falls silent in a statement is lost within the deadline")
    func silentStatement() async throws {
        let (error, duration) = try await silence { proxy, connection in
            proxy.set(.silence)
            try connection.execute("SELECT 1")
        }
        #expect(error?.code == .connectionLost)
        #expect(duration < .seconds(3))
    }

    @Test("A server that falls silent in the commit has an unknown outcome within the deadline")
    func silentCommit() async throws {
        let (error, duration) = try await silence { proxy, connection in
            try connection.execute("SELECT 1")
            proxy.set(.silence)
        }
        #expect(error?.code == .unknownOutcome)
        #expect(duration < .seconds(3))
    }

    @Test("Fifty megabytes for a server that doesn't read are given up within the deadline")
    func silentWhileSending() async throws {
        let (error, duration) = try await silence { proxy, connection in
            proxy.set(.stop)
            let bytes = [UInt8](repeating: 1, count: 50_000_000)
            _ = try connection.execute("SELECT length($1)", [.bytes(bytes)])
        }
        #expect(error?.code == .connectionLost)
        #expect(duration < .seconds(4))
    }

    private func proxy() throws -> TCPProxy { try TCPProxy(to: RunningPostgreSQL.server.port) }

    @Test("A server that accepts connections and never answers is given up within the deadline")
    func neverAnswers() throws {
        let (socket, port) = try TCPProxy.listen()
        defer { close(socket) }
        let start = ContinuousClock.now
        let error = #expect(throws: SQLError.self) {
            _ = try PostgreSQLConnection.open(
                RunningPostgreSQL.server.address(port: port, "connect_timeout=1"))
        }
        #expect(error?.code == .unavailable)
        #expect(start.duration(to: .now) < .seconds(3))
    }

    @Test(
        "The second host is used if the first one is silent or refuses", arguments: [true, false])
    func secondHost(isSilent: Bool) throws {
        let server = try RunningPostgreSQL.server
        let (socket, port) = try TCPProxy.listen()
        defer { if isSilent { close(socket) } }
        if !isSilent { close(socket) }
        let address = try PostgreSQLAddress(
            "postgresql://openhealth@127.0.0.1:\(port),127.0.0.1:\(server.port)/postgres"
                + "?connect_timeout=1&sslmode=disable")
        #expect(
            try PostgreSQLConnection.open(address).execute("SELECT 1").rows[0].int(0) == 1)
    }

    @Test("A server without a free connection is an error of its own") func tooMany() throws {
        let server = try PrivatePostgreSQL([
            "max_connections=4", "superuser_reserved_connections=0",
        ])
        var connections: [PostgreSQLConnection] = []
        let error = #expect(throws: SQLError.self) {
            for _ in 0..<8 { connections.append(try PostgreSQLConnection.open(server.address)) }
        }
        #expect(error?.code == .tooManyConnections)
        #expect(connections.count == 4)
    }

    @Test("A database that accepts only reads is refused as read-only") func readOnlyServer() throws
    {
        let server = try PrivatePostgreSQL()
        let address = try server.address
        try PostgreSQLConnection.open(address)
            .execute("ALTER DATABASE postgres SET default_transaction_read_only = on")
        let error = #expect(throws: SQLError.self) { try PostgreSQLConnection.open(address) }
        #expect(error?.code == .readOnly)
    }
}
