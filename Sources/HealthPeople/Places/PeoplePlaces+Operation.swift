import Foundation
package import HealthStorage

extension PeoplePlaces {
    // MARK: - Places

    /// Returns all places, home first. Their databases aren't asked.
    package func places() throws -> [PeoplePlace] {
        let home = PeoplePlace(
            name: PeoplePlaces.home, identifier: "", address: "",
            people: try directory.peopleAtHome())
        return [home] + (try directory.places())
    }

    /// Adds a database in which people can be. Nodes that run learn of it when they need it.
    ///
    /// A known name gets another address, if it is the address of the same database. Nodes that run
    /// use the earlier address until they are started again.
    ///
    /// - Parameters:
    ///   - name: A name: letters, digits, dots, hyphens and underscores.
    ///   - address: The address of a PostgreSQL database without a password; the path of a folder
    ///     if home is a folder.
    /// - Throws: ``PeopleError/invalidPlaceName``, ``PeopleError/invalidPlaceAddress``;
    ///   ``PeopleError/placeInUse`` if the database has people; ``PeopleError``, ``SQLError``.
    package func addPlace(_ name: String, at address: String, now: Double) throws {
        let marks = Set(".-_".utf8)
        let isName = name.utf8.allSatisfy { byte in
            marks.contains(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        guard (1...60).contains(name.utf8.count), isName, name != PeoplePlaces.home,
            !name.hasPrefix(".")
        else { throw PeopleError.invalidPlaceName }
        let location = try PeopleLocation(address)
        guard !location.hasPassword, location.folder == nil || home.log.dialect == .sqlite else {
            throw PeopleError.invalidPlaceAddress
        }
        let (database, dialect) = try openLog(location)
        defer { database.close() }
        try LogSchema.migrate(database, dialect)
        let identifier = try LogSchema.identifier(of: database)
        let isKnown = try directory.places().contains { $0.identifier == identifier }
        let isEmpty = try database.blockingTransaction(.readOnly) { connection in
            try dialect.limit(connection, to: .everybody)
            return try connection.execute("SELECT 1 FROM person_head LIMIT 1").rows.isEmpty
        }
        guard isKnown || isEmpty, try identifier != LogSchema.identifier(of: home.log.database)
        else { throw PeopleError.placeInUse }
        let stored = location.folder.map { URL(fileURLWithPath: $0).path } ?? address
        let place = PeoplePlace(name: name, identifier: identifier, address: stored)
        try directory.add(place, at: now)
    }

    /// Removes a place that nobody is at. Its database remains.
    ///
    /// - Throws: ``PeopleError/unknownPlace(_:)``, ``PeopleError/placeNotEmpty(_:)``;
    ///   ``PeopleError/placeFailed(_:_:)``.
    package func removePlace(_ name: String, now: Double) throws {
        let erased = try naming(name) {
            let people = try people(at: name)
            guard try people.list().isEmpty else { throw PeopleError.placeNotEmpty(name) }
            return try people.erasedPeople()
        }
        try directory.remove(name, erased: erased, at: now)
    }

    /// Runs a body, and names the place if its database fails.
    func naming<Value>(_ place: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as SQLError {
            if place == PeoplePlaces.home { throw error }
            throw PeopleError.placeFailed(place, error)
        }
    }

    // MARK: - People

    /// Adds a person with an empty store, and a token for reading it.
    ///
    /// - Parameters:
    ///   - name: A name for operators. It is stored sealed.
    ///   - quota: The most bytes of the person's log; nil for no limit.
    ///   - place: The name of the place; nil for the one with the fewest people.
    ///   - now: The current time, in reference seconds.
    /// - Returns: The identifier and the token. The token can't be shown again.
    /// - Throws: ``PeopleError``, ``SQLError``, `StoreError`.
    package func create(
        named name: String, quota: Int64? = nil, at place: String? = nil, now: Double
    ) throws -> (person: String, token: AccessToken, place: String) {
        let place = try place ?? directory.emptiest()
        let (person, token) = try naming(place) {
            // A crash in between leaves a placement of nobody.
            try people(at: place).create(named: name, quota: quota, at: now) { person, token in
                guard place != PeoplePlaces.home else { return }
                try directory.place(person, token, at: place, at: now)
            }
        }
        return (person, token, place)
    }

    /// How often a list is begun again because people moved meanwhile.
    private static let maximumLists = 8

    /// Returns what all places have of the people who are there.
    ///
    /// - Parameters:
    ///   - read: Reads a place.
    ///   - person: Returns whose a value is.
    /// - Throws: ``PeopleError/placeFailed(_:_:)`` rather than leaving people out;
    ///   ``PeopleError/notConfirmed`` if people move all the time; ``PeopleError``, ``SQLError``.
    private func atAllPlaces<Value>(
        _ read: (People, _ place: String) throws -> [Value], of person: (Value) -> String
    ) throws -> [Value] {
        for _ in 0..<PeoplePlaces.maximumLists {
            let placements = try directory.placements()
            let names = [PeoplePlaces.home] + (try directory.places().map(\.name))
            let values = try names.flatMap { place in
                try naming(place) { try read(people(at: place), place) }
                    .filter { placements[person($0)] ?? PeoplePlaces.home == place }
            }
            if try directory.placements() == placements { return values }
        }
        throw PeopleError.notConfirmed
    }

    /// Returns the people of all places who aren't erased, in the order in which they were added.
    ///
    /// - Throws: ``PeopleError/placeFailed(_:_:)`` rather than leaving people out;
    ///   ``PeopleError``, ``SQLError``.
    package func list() throws -> [People.Person] {
        let people = try atAllPlaces(
            { people, place in
                try people.list().map { person in
                    var person = person
                    person.place = place
                    return person
                }
            }, of: \.person)
        return people.sorted { ($0.createdAt, $0.person) < ($1.createdAt, $1.person) }
    }

    /// Returns the last request of each phone in each format, as ``People/contacts(of:)``.
    ///
    /// - Parameter person: A person; nil for all.
    /// - Throws: ``PeopleError/placeFailed(_:_:)`` rather than leaving people out;
    ///   ``PeopleError/unknownPerson``, ``SQLError``.
    package func contacts(of person: String?) throws -> [PersonContact] {
        if let person { return try people(of: person).contacts(of: person) }
        let contacts = try atAllPlaces({ people, _ in try people.contacts(of: nil) }, of: \.person)
        return contacts.sorted { ($0.person, $0.device) < ($1.person, $1.device) }
    }

    /// Erases a person as ``People/erase(_:at:)``.
    ///
    /// - Throws: ``PeopleError/unknownPerson``, ``PeopleError/suspended``, ``SQLError``.
    package func erase(_ person: String, at now: Double) throws -> ErasureReceipt {
        let receipt = try people(of: person).erase(person, at: now)
        // The place remains, so that the call can be repeated.
        try directory.forgetTokens(of: person)
        return receipt
    }

    /// Wraps the keys of the people of all places with another operator key.
    package func rewrapKeys(with key: OperatorKey) throws -> Int { try keys.rewrap(with: key) }

    /// Gives the stores of the people of all places new identifiers, after a restored backup of a
    /// log: cursors and anchors from before the restore are refused, so clients compare everything.
    ///
    /// - Throws: ``PeopleError/placeFailed(_:_:)`` before anything is changed; ``SQLError``.
    package func renewIdentifiers(
        at now: Double, keyless: People.KeylessPeople
    ) throws -> People.Renewal {
        var renewal = People.Renewal()
        for known in try list() {
            let person = known.person
            do {
                try people(at: known.place).renewIdentifier(of: person, at: now)
                renewal.renewed += 1
            } catch PeopleError.missingKey where keyless == .kept {
                renewal.keyless.append(person)
            } catch PeopleError.missingKey {
                do {
                    _ = try erase(person, at: now)
                    renewal.erased += 1
                } catch { renewal.failed.append(person) }
            } catch { renewal.failed.append(person) }
        }
        return renewal
    }

    /// Throws unless home and the database of keys answer.
    ///
    /// - Returns: The places that don't answer. Their people get no answer now; others do.
    package func checkConnection() async throws -> [String] {
        try await home.checkConnection()
        let places = try await run { try $0.directory.places().map(\.name) }
        return await withTaskGroup(of: String?.self) { group in
            for place in places {
                group.addTask {
                    do {
                        try await self.run { try $0.people(at: place) }.checkConnection()
                        return nil
                    } catch { return place }
                }
            }
            return await group.reduce(into: []) { if let place = $1 { $0.append(place) } }.sorted()
        }
    }
}
