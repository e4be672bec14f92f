import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthPeople

/// People, tokens, sessions, quotas and erasure.
@Suite struct PeopleTests {
    private static let places = TestedPlace.available

    @Test("A token gives its person, and only for its kind", arguments: places)
    func tokens(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let directory = study.people.directory
        let (person, reading) = try await onThread {
            try study.people.create(named: "Ada", at: 0)
        }
        let device = try await onThread {
            try directory.addToken(.device, named: "Phone", of: person, at: 1)
        }
        let found = try await study.places.bearer(ofToken: device.text, .device)
        #expect(found?.token.person == person)
        #expect(found?.token.name == "Phone")
        #expect(found?.head?.number == 1)
        #expect(try await study.places.bearer(ofToken: device.text, .reading) == nil)
        #expect(try await study.places.bearer(ofToken: reading.text, .device) == nil)
        #expect(try await study.places.bearer(ofToken: reading.text, .operator) == nil)
        #expect(try await study.places.bearer(ofToken: reading.text + "0", .reading) == nil)
        #expect(
            try await study.places.bearer(ofToken: reading.text, .reading)?.token.person == person)
        await #expect(throws: PeopleError.deviceNameTaken) {
            try await onThread {
                try directory.addToken(.device, named: "PHONE", of: person, at: 1)
            }
        }
        try await onThread { try directory.revokeToken("phone", of: person, at: 2) }
        #expect(try await study.places.bearer(ofToken: device.text, .device) == nil)
    }

    @Test("A session ends with its time, its token and a logout", arguments: places)
    func sessions(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let directory = study.people.directory
        let (person, token) = try await onThread { try study.people.create(named: "Ada", at: 0) }
        let bearer = try #require(try await study.places.bearer(ofToken: token.text, .reading))
        var keys: [String] = []
        for _ in 0..<3 {
            keys.append(
                try await study.places.openSession(
                    Study.freshName() + Study.freshName(), for: bearer, at: 100))
        }
        for key in keys {
            #expect(try await study.places.bearer(ofSession: key, at: 101)?.token.person == person)
        }
        try await study.places.endSession(keys[0])
        #expect(try await study.places.bearer(ofSession: keys[0], at: 101) == nil)
        let end = 100 + PeopleDirectory.sessionLifetime
        #expect(try await study.places.bearer(ofSession: keys[1], at: end) == nil)
        try await onThread { try directory.revokeToken(token.identifier, of: person, at: 3) }
        #expect(try await study.places.bearer(ofSession: keys[1], at: 101) == nil)
    }

    @Test("A disabled person's tokens and sessions have no effect until then", arguments: places)
    func disabled(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let people = study.people
        let (person, token) = try await onThread { try people.create(named: "Ada", at: 0) }
        try await onThread { try people.setDisabled(person, at: 5) }
        await #expect(throws: PeopleError.suspended) {
            try await study.places.bearer(ofToken: token.text, .reading)
        }
        #expect(try await onThread { try people.list().first?.disabledAt } == 5)
        try await onThread { try people.setDisabled(person, at: nil) }
        #expect(try await study.places.bearer(ofToken: token.text, .reading) != nil)
    }

    @Test("A change beyond the quota is refused, and nothing of it is stored", arguments: places)
    func quota(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let node = try study.node("a")
        try await node.save(1, of: person)
        try await onThread { try study.people.setQuota(1, of: person) }
        await #expect(throws: PeopleError.quotaExceeded) { try await node.save(2, of: person) }
        #expect(try await NodeTests.sequence(node, person) == 1)
        try await onThread { try study.people.setQuota(nil, of: person) }
        #expect(try await node.save(2, of: person) == 2)
    }

    @Test(
        "Nothing of an erased person is left in the log, the keys and the nodes", arguments: places)
    func erased(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let people = study.people
        let (person, token) = try await onThread { try people.create(named: "Marker", at: 0) }
        let node = try study.node("a")
        try await node.save(1, of: person)
        #expect(!study.files(of: "a", person).isEmpty)
        let receipt = try await onThread { try people.erase(person, at: 9) }
        #expect(receipt.keys == 1)
        #expect(receipt.entries == 2)
        #expect(try await study.places.bearer(ofToken: token.text, .reading) == nil)
        await node.refresh()
        #expect(study.files(of: "a", person).isEmpty)
        await #expect(throws: PeopleError.unknownPerson) { try await node.save(2, of: person) }
        await #expect(throws: PeopleError.unknownPerson) {
            try await onThread { try people.setDisabled(person, at: 1) }
        }
        #expect(try await onThread { try people.list() } == [])
        // The same again completes an interrupted one.
        #expect(try await onThread { try people.erase(person, at: 10) }.erasedAt == 9)
    }

    @Test("A stopped node removes an erased person's files when it starts")
    func erasedWhileStopped() async throws {
        let study = try await Study(.folder)
        let person = try await study.person()
        do {
            let node = try study.node("a")
            try await node.save(1, of: person)
            await node.close()
        }
        try await onThread { _ = try study.people.erase(person, at: 9) }
        let node = try study.node("a")
        await node.removeErased()
        #expect(study.files(of: "a", person).isEmpty)
    }

    @Test("No file of a folder contains a name or a value", arguments: ["Markername", "Walks"])
    func sealedFiles(_ marker: String) async throws {
        let study = try await Study(.folder)
        let (person, _) = try await onThread {
            try study.people.create(named: "Markername", at: 0)
        }
        let node = try study.node("a")
        try await node.save(1, of: person)
        let folder = study.folder.path + "/study"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
            #expect(data.range(of: Data(marker.utf8)) == nil, "\(name)")
        }
    }

    @Test("Another operator key opens nothing; keys that were wrapped again need the new one")
    func operatorKeys() async throws {
        let study = try await Study(.folder)
        let person = try await study.person()
        let (location, places) = (study.location, study.places)
        await #expect(throws: PeopleError.wrongOperatorKey) {
            try await onThread { _ = try People.open(location, operatorKey: OperatorKey()) }
        }
        let next = OperatorKey()
        #expect(try await onThread { try places.rewrapKeys(with: next) } == 1)
        await #expect(throws: PeopleError.wrongOperatorKey) { try await study.opened() }
        let reopened = try await onThread { try People.open(location, operatorKey: next) }
        #expect(try await onThread { try reopened.list() }.first?.name == "Ada")
        #expect(try await onThread { try reopened.list() }.first?.person == person)
    }

    @Test("The log of accesses lists reads and writes, and can't be changed", arguments: places)
    func accesses(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let (people, person) = (study.people, try await study.person())
        let read = AccessRecord(
            person: person, at: 3, actor: "r1", action: .read, subject: "/v1/stats/stepCount",
            days: "2024-01-01…", origin: "10.0.0.1", result: 200)
        try await study.places.record(read)
        #expect(try await onThread { try people.accesses(to: person, limit: 5) } == [read])
        for sql in ["UPDATE access SET result = 1", "DELETE FROM access"] {
            await #expect(throws: SQLError.self) {
                try await onThread {
                    try people.log.transaction(.readWrite, of: person) { _ = try $0.execute(sql) }
                }
            }
        }
        #expect(try await onThread { try people.accesses(to: person, limit: 5) } == [read])
        // A call that concerns nobody.
        try await study.places.record(
            AccessRecord(
                person: "", at: 4, actor: "o1", action: .read, subject: "/v1/people", result: 200))
        #expect(try await onThread { try people.accesses(to: person, limit: 5) } == [read])
    }

    @Test("Processes that begin at the same time agree on one database of keys", arguments: places)
    func simultaneousStart(_ place: TestedPlace) async throws {
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            let location = try PeopleLocation(try await place.newAddress(in: folder))
            let key = OperatorKey()
            async let first = Self.keyIdentifier(location, key)
            async let second = Self.keyIdentifier(location, key)
            async let third = Self.keyIdentifier(location, key)
            #expect(Set(try await [first, second, third]).count == 1)
        }
    }

    /// Opens people as a process of its own, and returns the identifier of their database of keys.
    private static func keyIdentifier(
        _ location: PeopleLocation, _ key: OperatorKey
    ) async throws -> String {
        try await onThread {
            let people = try People.open(location, operatorKey: key)
            defer { people.close() }
            return people.keys.identifier
        }
    }

    @Test(
        "In PostgreSQL, a statement without a condition has only the rows of the named person",
        .enabled(if: TestedPlace.available.contains(.postgreSQL)))
    func rowLevelSecurity() async throws {
        let study = try await Study(.postgreSQL)
        let (ada, ben) = (try await study.person(), try await study.person())
        let database = study.people.directory.database
        for table in ["person", "person_token", "person_head", "entry", "snapshot"] {
            func people(_ scope: RowScope?) async throws -> Set<String> {
                try await database.transaction(.readOnly) { connection in
                    if let scope { try SQLDialect.postgreSQL.limit(connection, to: scope) }
                    let rows = try connection.execute("SELECT person FROM \(table)").rows
                    return Set(try rows.map { try $0.text(0) })
                }
            }
            #expect(try await people(.person(ada)) == [ada])
            #expect(try await people(.everybody) == [ada, ben])
            #expect(try await people(nil) == [])
            #expect(try await people(.person("")) == [])
        }
        await #expect(throws: SQLError.self) {
            try await database.transaction(.readWrite) { connection in
                try SQLDialect.postgreSQL.limit(connection, to: .person(ada))
                _ = try connection.execute(
                    "INSERT INTO contact (person, device, dialect, requests, contacted_at, status) "
                        + "VALUES ($1, 'd', 'x', 1, 0, 200)", [.text(ben)])
            }
        }
    }

    @Test("Contacts list each phone with its last request in each format", arguments: places)
    func contacts(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let people = study.people
        let (ada, ben) = (try await study.person(), try await study.person())
        try await onThread {
            for name in ["Phone", "Unused"] {
                _ = try people.directory.addToken(.device, named: name, of: ada, at: 0)
            }
            _ = try people.directory.addToken(.device, named: "Watch", of: ben, at: 0)
        }
        let stored = DeviceContact(
            device: "Phone", dialect: "changes", contactedAt: 3, status: 200, lastSampleEnd: 2)
        var refused = stored
        (refused.contactedAt, refused.status, refused.problem) = (4, 400, "The body is not JSON.")
        refused.lastSampleEnd = nil
        try await people.directory.note(stored, of: ada)
        try await people.directory.note(refused, of: ada)
        (refused.requests, refused.lastSampleEnd) = (2, 2)
        let expected = [
            PersonContact(person: ada, device: "Phone", last: refused),
            PersonContact(person: ada, device: "Unused"),
        ]
        #expect(try await onThread { try people.contacts(of: ada) } == expected)
        let all = try await onThread { try people.contacts(of: nil) }
        #expect(Set(all) == Set(expected + [PersonContact(person: ben, device: "Watch")]))
        _ = try await onThread { try people.erase(ada, at: 5) }
        #expect(try await onThread { try people.contacts(of: nil) }.map(\.person) == [ben])
        await #expect(throws: PeopleError.unknownPerson) {
            try await onThread { try people.contacts(of: ada) }
        }
    }

    @Test("After a restored backup, stores have new identifiers", arguments: places)
    func newIdentifiers(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let node = try study.node("a")
        try await node.save(1, of: person)
        let before = try await node.reading(person) { try $0.identifier }
        #expect(
            try await onThread { try study.places.renewIdentifiers(at: 0, keyless: .kept) }.renewed
                == 1)
        let after = try await node.reading(person) { try $0.identifier }
        #expect(before != after)
        #expect(try await NodeTests.sequence(node, person) == 1)
        #expect(try await onThread { try study.people.log.head(of: person) }?.epoch == 1)
    }

    @Test(
        "Another database of keys is refused, and nobody is erased without a word",
        arguments: places)
    func otherKeys(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let (ada, ben) = (try await study.person(), try await study.person())
        let (location, key, log) = (study.location, study.operatorKey, study.people.log.database)
        _ = try await onThread { try study.people.keys.destroy(of: ada) }
        let kept = try await onThread {
            try study.places.renewIdentifiers(at: 0, keyless: .kept)
        }
        #expect(kept.renewed == 1 && kept.keyless == [ada] && kept.erased == 0)
        #expect(try await onThread { Set(try study.people.list().map(\.person)) } == [ada, ben])
        let erased = try await onThread {
            try study.places.renewIdentifiers(at: 0, keyless: .erased)
        }
        #expect(erased.renewed == 1 && erased.keyless == [] && erased.erased == 1)
        try await onThread {
            #expect(throws: PeopleError.wrongKeyDatabase) {
                try LogSchema.requireKeys("another", of: log)
            }
            try People.open(location, operatorKey: key).close()
        }
    }

    @Test("A person who was moved has the same rows, tokens and receipts there", arguments: places)
    func moved(_ place: TestedPlace) async throws {
        let (here, there) = (try await Study(.folder), try await Study(place))
        let (person, token) = try await onThread {
            try here.people.create(named: "Ada", at: 0)
        }
        let node = try here.node("a")
        for number in 1...20 { try await node.save(number, of: person) }
        let rows = try await NodeTests.rows(node, person)
        let move = try await onThread {
            try here.places.move(person, out: there.people, at: 5)
        }
        guard case .moved(let size) = move else { throw PeopleError.otherMove }
        #expect(size.entries == 21)
        let other = try there.node("b")
        #expect(try await NodeTests.rows(other, person) == rows)
        let request = PersonChange.Request(device: "phone", key: "k7", bodyHash: [7])
        #expect(try await other.receipt(of: person, request)?.bodyHash == [7])
        #expect(
            try await there.places.bearer(ofToken: token.text, .reading) != nil)
        #expect(try await here.places.bearer(ofToken: token.text, .reading) == nil)
        #expect(try await onThread { try there.people.list() }.first?.name == "Ada")
        #expect(try await other.save(21, of: person) == 21)
        await #expect(throws: PeopleError.unknownPerson) { try await node.save(22, of: person) }
    }
}
