import Foundation
import HealthStorage
import HealthTesting
import Synchronization

@testable import HealthPeople

/// People in three new databases, and a node that runs all the time: its routes become stale.
final class Spread: Sendable {
    static let names = [PeoplePlaces.home, "b", "c"]

    let study: Study
    /// The addresses of the places but home.
    let addresses: [String: String]
    let node: Study.Node
    let servers: Servers

    /// PostgreSQL servers of a test. They end with it.
    // Unchecked: a test stops them one after the other.
    final class Servers: @unchecked Sendable {
        let list: [PrivatePostgreSQL]
        init(_ list: [PrivatePostgreSQL]) { self.list = list }
    }

    /// Creates three folders, or three databases of one server.
    convenience init(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        var addresses: [String: String] = [:]
        for name in Spread.names.dropFirst() {
            addresses[name] = try await place.newAddress(in: study.folder)
        }
        try await self.init(study, addresses, Servers([]))
    }

    /// Uses the first server as home, and the others as places.
    convenience init(servers: Servers) async throws {
        let texts = servers.list.map { server in
            "postgresql://\(PrivatePostgreSQL.user)@127.0.0.1:\(server.port)/postgres"
                + "?sslmode=disable"
        }
        let study = try await Study(at: PeopleLocation(texts[0]))
        let places = zip(Spread.names, texts).dropFirst()
        try await self.init(study, Dictionary(uniqueKeysWithValues: Array(places)), servers)
    }

    private init(_ study: Study, _ addresses: [String: String], _ servers: Servers) async throws {
        (self.study, self.addresses, self.servers) = (study, addresses, servers)
        node = try study.node("spread")
        try await onThread { [study] in
            for (name, address) in addresses.sorted(by: { $0.key < $1.key }) {
                try study.places.addPlace(name, at: address, now: 0)
            }
        }
    }

    var places: PeoplePlaces { study.places }

    /// Opens the same places as another process, whose databases fail as told.
    func opened(_ faults: Faults) async throws -> PeoplePlaces {
        let people = study.people
        let home = try await onThread { [study] in
            try People(
                log: InterceptedDatabase(people.log.database, by: faults),
                keys: InterceptedDatabase(people.keys.database, by: faults), people.log.dialect,
                study.operatorKey)
        }
        return PeoplePlaces(home: home) { location in
            let (database, dialect) = try location.openLog(PostgreSQLSettings())
            return (InterceptedDatabase(database, by: faults), dialect)
        }
    }

    func create(_ name: String, at place: String) async throws -> (String, AccessToken) {
        try await onThread { [places] in
            let made = try places.create(named: name, at: place, now: 0)
            return (made.person, made.token)
        }
    }

    /// The numbers of rows of a person at a place, without the log of accesses.
    func rows(of person: String, at place: String) async throws -> Int {
        try await onThread { [places] in
            let log = try places.people(at: place).log
            return try log.transaction(.readOnly, of: person) { connection in
                try [
                    "person", "person_token", "session", "contact", "person_head", "entry",
                    "receipt", "snapshot", "snapshot_chunk",
                ].reduce(0) { sum, table in
                    let count = try connection.execute(
                        "SELECT count(*) FROM \(table) WHERE person = $1", [.text(person)])
                    return sum + (try count.rows[0].int(0))
                }
            }
        }
    }
}

extension TestedPlace {
    /// Returns the address of a new database.
    func newAddress(in folder: TemporaryFolder) async throws -> String {
        if self == .folder { return folder.path + "/" + Study.freshName() }
        let name = "s" + Study.freshName()
        try await onThread {
            // No superuser: row-level security applies, as it does to nodes.
            let connection = try RunningPostgreSQL.connection()
            try connection.execute("CREATE ROLE \(name) LOGIN NOSUPERUSER NOBYPASSRLS")
            try connection.execute("CREATE DATABASE \(name) OWNER \(name)")
        }
        let port = try RunningPostgreSQL.server.port
        return "postgresql://\(name)@127.0.0.1:\(port)/\(name)?sslmode=disable"
    }
}

/// Which transaction of a process fails, and how. Those that don't block their caller don't fail.
final class Faults: TransactionInterceptor {
    enum Kind: CaseIterable, Sendable {
        /// Only that one fails; the process goes on.
        case before, after
        /// All later ones fail too, as if the process were killed.
        case killedBefore, killedAfter

        /// Those of this run: a part of them in `make test`.
        static var tested: [Kind] {
            TestTier.current >= .all ? allCases : [.killedBefore, .after]
        }

        var isKill: Bool { self == .killedBefore || self == .killedAfter }
        var isAfter: Bool { self == .after || self == .killedAfter }
    }

    private struct State {
        /// nil until the process is armed.
        var count: Int?
        var isDead = false
    }

    private let kind: Kind
    private let number: Int
    private let state = Mutex(State())

    /// - Parameter number: The number of the transaction, from 1.
    init(_ kind: Kind, at number: Int) { (self.kind, self.number) = (kind, number) }

    /// Whether the transaction has come.
    var hasHappened: Bool { state.withLock { $0.count ?? 0 >= number } }

    /// Begins to count.
    func arm() { state.withLock { $0.count = 0 } }

    func run<Value>(
        _ mode: SQLTransactionMode, _ body: () throws -> Value
    ) throws -> Value {
        let (isDead, isHit) = state.withLock { state in
            guard let count = state.count else { return (false, false) }
            let wasDead = state.isDead
            state.count = count + 1
            if count + 1 == number, kind.isKill { state.isDead = true }
            return (wasDead, count + 1 == number)
        }
        if isDead { throw SQLError(.connectionLost) }
        guard isHit else { return try body() }
        if kind.isAfter { _ = try body() }
        throw SQLError(mode == .readOnly || !kind.isAfter ? .connectionLost : .unknownOutcome)
    }
}
