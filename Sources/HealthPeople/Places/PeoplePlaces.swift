import Dispatch
import Foundation
package import HealthStorage
import Synchronization

/// The people of a server, in one or several databases. Each person's data is in one of them.
///
/// ```swift
/// let places = try PeoplePlaces.open(PeopleLocation("postgresql://health@db1/health"))
/// let bearer = try await places.bearer(ofToken: text, .reading)
/// ```
/// The first database is *home*. It has the list of the other ones, called *places*, and the place
/// of each person who isn't at home. It also has the keys of all people, unless they are in a
/// database of their own. A token or session is looked up in one query in the person's database, if
/// this process knows the place, and else in one more query at home.
///
/// Calls that aren't async block their thread.
package final class PeoplePlaces: Sendable {
    /// The name of the home database.
    package static let home = "home"
    /// How many places are asked for a person. Two suffice, unless the person moves meanwhile.
    private static let maximumQueries = 12
    /// How often in a row home names a place that doesn't know the person, until that is the answer.
    /// Once could be a person who left the place and came back between two queries.
    private static let maximumMisses = 3
    /// The most places of tokens and people to keep in memory.
    static let maximumRoutes = 100_000

    /// The people of the home database.
    package let home: People
    let directory: PlaceDirectory
    let openLog:
        @Sendable (PeopleLocation) throws -> (database: any SQLDatabase, dialect: SQLDialect)
    private let queue = DispatchQueue(
        label: "org.openhealthkit.places", qos: .userInitiated, attributes: .concurrent)
    private let state = Mutex(State())

    private struct Opened {
        var address: String
        var database: any SQLDatabase
        var dialect: SQLDialect
        /// nil until the tables and the identifier of the database were checked.
        var people: People?
    }

    private struct State {
        var opened: [String: Opened] = [:]
        /// The places of tokens and people, by their identifiers. They may have moved since.
        var routes: [String: String] = [:]
    }

    /// - Parameters:
    ///   - home: The people of the home database.
    ///   - settings: The limits of PostgreSQL at the other places.
    package convenience init(
        home: People, _ settings: PostgreSQLSettings = PostgreSQLSettings()
    ) { self.init(home: home) { try $0.openLog(settings) } }

    /// - Parameter open: Opens the databases of the other places.
    init(
        home: People,
        opening open:
            @escaping @Sendable (PeopleLocation) throws -> (
                database: any SQLDatabase, dialect: SQLDialect
            )
    ) {
        self.home = home
        openLog = open
        directory = PlaceDirectory(database: home.log.database, dialect: home.log.dialect)
    }

    /// Opens the home database as ``People/open(_:operatorKey:_:)``. The others are opened when
    /// they are needed.
    ///
    /// - Throws: ``PeopleError``, ``SQLError``.
    package static func open(
        _ location: PeopleLocation, operatorKey: OperatorKey? = nil,
        _ settings: PostgreSQLSettings = PostgreSQLSettings()
    ) throws -> PeoplePlaces {
        PeoplePlaces(
            home: try People.open(location, operatorKey: operatorKey, settings), settings)
    }

    /// Closes the databases.
    package func close() {
        let opened = state.withLock { state in
            defer { state.opened = [:] }
            return state.opened
        }
        for place in opened.values { place.database.close() }
        home.close()
    }

    /// The keys of all people.
    var keys: KeyStore { home.keys }

    // MARK: - Opening

    /// Returns the people at a place.
    ///
    /// - Throws: ``PeopleError/unknownPlace(_:)``; ``PeopleError/otherDatabase(_:)``; ``SQLError``.
    package func people(at name: String) throws -> People {
        if let people = openPeople(at: name) { return people }
        let place = try directory.place(named: name)
        let opened = try state.withLock { state in
            if let opened = state.opened[name] {
                if opened.address == place.address { return opened }
                let database = opened.database
                Thread { database.close() }.start()
            }
            let (database, dialect) = try openLog(PeopleLocation(place.address))
            let opened = Opened(address: place.address, database: database, dialect: dialect)
            state.opened[name] = opened
            return opened
        }
        try LogSchema.migrate(opened.database, opened.dialect)
        guard try LogSchema.identifier(of: opened.database) == place.identifier else {
            throw PeopleError.otherDatabase(name)
        }
        let people = try People(log: opened.database, opened.dialect, keys: keys)
        return state.withLock { state in
            // Another thread may have opened it.
            if let people = state.opened[name]?.people { return people }
            state.opened[name]?.people = people
            return people
        }
    }

    private func openPeople(at name: String) -> People? {
        name == PeoplePlaces.home ? home : state.withLock { $0.opened[name]?.people }
    }

    /// Returns the people at a place without blocking.
    private func openedPeople(at name: String) async throws -> People {
        if let people = openPeople(at: name) { return people }
        return try await run { places in try places.people(at: name) }
    }

    /// Runs a body that blocks on a thread of its own.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (PeoplePlaces) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }

    // MARK: - Routes

    private func route(of identifier: String) -> String? {
        state.withLock { $0.routes[identifier] }
    }

    private func setRoute(of identifier: String, to place: String) {
        state.withLock { state in
            if state.routes.count >= PeoplePlaces.maximumRoutes { state.routes = [:] }
            state.routes[identifier] = place
        }
    }

    /// Returns the people with a person's data. An unknown person is at home.
    ///
    /// - Throws: ``PeopleError``, ``SQLError``.
    package func people(of person: String) throws -> People {
        try people(at: place(of: person))
    }

    /// Asks home for the place of a person.
    func place(of person: String) throws -> String {
        let place = try directory.placements(of: [person])[person] ?? PeoplePlaces.home
        setRoute(of: person, to: place)
        return place
    }

    /// Runs a body with the people with a person's data. If they don't have the person, or can't
    /// change the data now, and home has another place, the body runs again there.
    ///
    /// - Throws: Errors of the body; ``PeopleError``, ``SQLError``.
    func with<Value: Sendable>(
        peopleOf person: String, _ body: @Sendable (People) async throws -> Value
    ) async throws -> Value {
        let known = route(of: person)
        var place: String
        if let known { place = known } else { place = try await run { try $0.place(of: person) } }
        // A person can have left a known place and have come back meanwhile.
        var isFresh = known == nil
        var misses = 0
        for _ in 0..<PeoplePlaces.maximumQueries {
            do {
                return try await body(try await openedPeople(at: place))
            } catch let error as PeopleError where error.canMeanMoved {
                let asked = place
                place = try await run { try $0.place(of: person) }
                misses = place == asked && isFresh ? misses + 1 : 0
                if misses == PeoplePlaces.maximumMisses || misses > 0 && error == .suspended {
                    throw error
                }
                isFresh = true
            }
        }
        throw PeopleError.suspended
    }

    // MARK: - Tokens and sessions

    /// Returns the bearer of a token.
    ///
    /// - Parameters:
    ///   - text: The token as it was sent.
    ///   - kind: The expected kind.
    /// - Returns: nil for an unknown, revoked or other token, and for one of an erased person: they
    ///   can't be told apart.
    /// - Throws: ``PeopleError/suspended`` for the token of a person who is disabled or being
    ///   moved; ``PeopleError``, ``SQLError``.
    package func bearer(
        ofToken text: String, _ kind: PersonToken.Kind
    ) async throws -> TokenBearer? {
        guard let token = AccessToken(text) else { return nil }
        return try await bearer(ofToken: token.identifier) { directory in
            try await directory.answer(toToken: token, kind)
        }
    }

    /// Returns the bearer of the token that opened a session.
    ///
    /// - Parameters:
    ///   - text: The session's key, from the cookie.
    ///   - now: The current time, in reference seconds.
    /// - Returns: nil for an unknown or ended session. A person who was moved logs in again.
    /// - Throws: As ``bearer(ofToken:_:)``.
    package func bearer(ofSession text: String, at now: Double) async throws -> TokenBearer? {
        guard let key = SessionKey(text) else { return nil }
        return try await bearer(ofToken: key.token) { directory in
            try await directory.answer(toSession: key, at: now)
        }
    }

    private func bearer(
        ofToken identifier: String?, _ ask: (PeopleDirectory) async throws -> TokenAnswer
    ) async throws -> TokenBearer? {
        var place = identifier.flatMap { route(of: $0) } ?? PeoplePlaces.home
        // A person can have left a known place and have come back meanwhile.
        var isFresh = false
        // The place that was asked before home, and that home had named.
        var before: (place: String, isSuspended: Bool)?
        var misses = 0
        for _ in 0..<PeoplePlaces.maximumQueries {
            let answer = try await ask(try await openedPeople(at: place).directory)
            switch answer {
            case .bearer(let bearer):
                // A query at home finds the place of every token, so home is no route of a token.
                if place != PeoplePlaces.home, let identifier {
                    setRoute(of: identifier, to: place)
                }
                setRoute(of: bearer.token.person, to: place)
                return bearer
            case .refused: return nil
            case .elsewhere(let next):
                if let before, before.place == next {
                    if before.isSuspended { throw PeopleError.suspended }
                    misses += 1
                    if misses == PeoplePlaces.maximumMisses { return nil }
                }
                (place, isFresh) = (next, true)
            case .unknown where place == PeoplePlaces.home: return nil
            case .suspended where place == PeoplePlaces.home: throw PeopleError.suspended
            case .unknown, .suspended:
                var isSuspended = false
                if case .suspended = answer { isSuspended = true }
                if isFresh { before = (place, isSuspended) }
                place = PeoplePlaces.home
            }
        }
        throw PeopleError.suspended
    }

    /// Opens a session of a browser for a reading token.
    ///
    /// - Parameter secret: A random text.
    /// - Returns: The session's key, for the cookie.
    /// - Throws: ``PeopleError``, ``SQLError``.
    package func openSession(
        _ secret: String, for bearer: TokenBearer, at now: Double
    ) async throws -> String {
        let key = SessionKey(bearer.token, secret: secret)
        try await with(peopleOf: bearer.token.person) { people in
            try await people.directory.openSession(key, for: bearer, at: now)
        }
        return key.text
    }

    /// Ends a session of a browser.
    package func endSession(_ text: String) async throws {
        guard let key = SessionKey(text) else { return }
        let place = try await run { places in
            try key.token.flatMap { try places.directory.place(ofToken: $0) }
        }
        let people = try await openedPeople(at: place ?? PeoplePlaces.home)
        try await people.directory.endSession(key)
    }

    /// Adds a token.
    ///
    /// - Returns: The token. Its secret isn't stored, so it can't be shown again.
    /// - Throws: As ``PeopleDirectory/addToken(_:named:of:_:at:preparing:)``.
    package func addToken(
        _ kind: PersonToken.Kind, named name: String, of person: String,
        _ scope: ReadScope = ReadScope(), at now: Double
    ) throws -> AccessToken {
        // The tokens of operators are at home.
        let place = person.isEmpty ? PeoplePlaces.home : try place(of: person)
        return try people(at: place).directory.addToken(
            kind, named: name, of: person, scope, at: now
        ) { identifier in
            if place != PeoplePlaces.home { try directory.register(identifier, of: person) }
        }
    }

    // MARK: - Requests

    /// Adds a line to the log of accesses of its person.
    ///
    /// - Throws: ``PeopleError/suspended`` while the person is being moved; ``SQLError``.
    package func record(_ access: AccessRecord) async throws {
        guard !access.person.isEmpty else { return try await home.log.recordOfNobody(access) }
        do {
            try await with(peopleOf: access.person) { try await $0.log.record(access) }
        } catch PeopleError.unknownPerson {
            try await home.log.recordOfNobody(access)
        }
    }

    /// Records a request that stored nothing.
    package func note(_ contact: DeviceContact, of person: String) async throws {
        try await with(peopleOf: person) { try await $0.directory.note(contact, of: person) }
    }

    /// What is known of people whose stores a node has.
    struct States: Sendable {
        var known: [String: ChangeLog.State] = [:]
        /// The people who were erased. Those at a place that can't be reached aren't among them.
        var unknown: Set<String> = []
    }

    /// Returns the states of people at all places.
    ///
    /// - Throws: ``SQLError`` if home can't be reached.
    func states(of people: [String]) throws -> States {
        var routes = state.withLock { state in
            people.reduce(into: [:]) { $0[$1] = state.routes[$1] }
        }
        let unrouted = people.filter { routes[$0] == nil }
        if !unrouted.isEmpty { routes.merge(try places(of: unrouted)) { $1 } }
        var states = States()
        let missing = readStates(routes, &states)
        if missing.isEmpty { return states }
        let fresh = try places(of: missing)
        states.unknown = Set(missing.filter { fresh[$0] == routes[$0] })
        // Who is missing again has moved again: the next call finds them.
        _ = readStates(fresh.filter { !states.unknown.contains($0.key) }, &states)
        return states
    }

    private func places(of people: [String]) throws -> [String: String] {
        let placed = try directory.placements(of: people)
        let places = people.reduce(into: [:]) { $0[$1] = placed[$1] ?? PeoplePlaces.home }
        for (person, place) in places { setRoute(of: person, to: place) }
        return places
    }

    /// Reads the states of people at their places.
    ///
    /// - Returns: The people who aren't where they should be.
    private func readStates(_ routes: [String: String], _ states: inout States) -> [String] {
        var missing: [String] = []
        for (place, people) in Dictionary(grouping: routes.keys, by: { routes[$0] ?? "" }) {
            // People at a place that can't be reached remain as they are.
            guard let found = try? self.people(at: place).log.states(of: people) else { continue }
            states.known.merge(found) { $1 }
            missing += people.filter { found[$0] == nil }
        }
        return missing
    }
}

extension PeopleError {
    /// Whether the cause can be that the person was moved.
    fileprivate var canMeanMoved: Bool { self == .unknownPerson || self == .suspended }
}
