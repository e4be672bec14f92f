import Foundation
import HealthStorage
import HealthTesting
import Synchronization
import Testing

@testable import HealthPeople

/// People in three databases: tokens, lists, places that are down, and nodes with stale routes.
@Suite struct PlacesTests {
    private static let kinds = TestedPlace.available

    /// A person with tokens and a sample.
    private struct Member: Sendable {
        var person: String
        var place: String
        var reading: AccessToken
        var device: AccessToken
    }

    private static func members(_ spread: Spread, _ count: Int) async throws -> [Member] {
        var members: [Member] = []
        for number in 0..<count {
            let place = Spread.names[number % Spread.names.count]
            let (person, reading) = try await spread.create("P\(number)", at: place)
            let device = try await onThread {
                try spread.places.addToken(.device, named: "Phone", of: person, at: 1)
            }
            try await spread.node.save(number + 1, of: person)
            members.append(
                Member(person: person, place: place, reading: reading, device: device))
        }
        return members
    }

    @Test("Each token reaches only its own person, wherever that is", arguments: kinds)
    func tokens(_ kind: TestedPlace) async throws {
        let spread = try await Spread(kind)
        let places = spread.places
        let members = try await Self.members(spread, 6)
        // Another node, which knows nothing yet.
        let node = PeoplePlaces(home: spread.study.people)
        for (number, member) in members.enumerated() {
            for places in [places, node, node] {
                let reading = try await places.bearer(ofToken: member.reading.text, .reading)
                #expect(reading?.token.person == member.person)
                let device = try await places.bearer(ofToken: member.device.text, .device)
                #expect(device?.token.person == member.person)
                #expect(device?.head?.number == 2)
                #expect(try await places.bearer(ofToken: member.device.text, .reading) == nil)
                #expect(try await places.bearer(ofToken: member.reading.text, .operator) == nil)
                let other = members[(number + 1) % members.count].reading
                let mixed =
                    member.reading.identifier + other.text.drop { $0 != "_" }
                #expect(try await places.bearer(ofToken: mixed, .reading) == nil)
            }
            let rows = try await NodeTests.rows(spread.node, member.person)
            #expect(rows.filter { $0.hasPrefix("sample ") }.count == 1)
            #expect(rows.contains { $0.hasPrefix("sample ") && $0.contains("\(number + 1).0") })
        }
    }

    @Test(
        "A session opens its person's pages until a move, a logout or its token's end",
        arguments: kinds)
    func sessions(_ kind: TestedPlace) async throws {
        let spread = try await Spread(kind)
        let places = spread.places
        let members = try await Self.members(spread, 3)
        for (number, member) in members.enumerated() {
            let bearer = try #require(
                try await places.bearer(ofToken: member.reading.text, .reading))
            var keys: [String] = []
            for _ in 0..<2 {
                keys.append(
                    try await places.openSession(Study.freshName(), for: bearer, at: 1))
            }
            let node = PeoplePlaces(home: spread.study.people)
            #expect(
                try await node.bearer(ofSession: keys[0], at: 2)?.token.person == member.person)
            // Of another person's session, with this one's token.
            let secret = keys[1].drop { $0 != "." }
            let other = members[(number + 1) % 3].reading.identifier + secret
            #expect(try await node.bearer(ofSession: other, at: 2) == nil)
            try await places.endSession(keys[1])
            #expect(try await node.bearer(ofSession: keys[1], at: 2) == nil)
            let target = Spread.names[(number + 1) % 3]
            _ = try await onThread { try places.move(member.person, to: target, at: 5) }
            #expect(try await node.bearer(ofSession: keys[0], at: 2) == nil)
            #expect(try await node.bearer(ofToken: member.reading.text, .reading) != nil)
        }
    }

    @Test("A session that an earlier version has opened remains")
    func earlierSession() async throws {
        let spread = try await Spread(.folder)
        let member = try await Self.members(spread, 1)[0]
        let key = Study.freshName() + Study.freshName()
        let bearer = try #require(
            try await spread.places.bearer(ofToken: member.reading.text, .reading))
        let earlier = try #require(SessionKey(key))
        try await spread.study.people.directory.openSession(earlier, for: bearer, at: 1)
        #expect(
            try await spread.places.bearer(ofSession: key, at: 2)?.token.person == member.person)
    }

    @Test("A token costs one query, and another one only while its place isn't known")
    func queries() async throws {
        let spread = try await Spread(.folder)
        let members = try await Self.members(spread, 2)
        let count = Counter()
        let home = try await onThread { [study = spread.study] in
            try People(
                log: InterceptedDatabase(study.people.log.database, by: count),
                keys: study.people.keys.database, .sqlite, study.operatorKey)
        }
        let places = PeoplePlaces(home: home) { location in
            let (database, dialect) = try location.openLog(PostgreSQLSettings())
            return (InterceptedDatabase(database, by: count), dialect)
        }
        _ = try await onThread { try places.list() }
        func queries(_ text: String) async throws -> Int {
            count.reset()
            _ = try await places.bearer(ofToken: text, .reading)
            return count.value
        }
        for _ in 0..<2 { #expect(try await queries(members[0].reading.text) == 1) }
        #expect(try await queries(members[1].reading.text) == 2)
        #expect(try await queries(members[1].reading.text) == 1)
        #expect(try await queries(AccessToken(.reading).text) == 1)
    }

    @Test("A new person is placed where the fewest people are, or where the operator says")
    func choice() async throws {
        let spread = try await Spread(.folder)
        let places = spread.places
        var chosen: [String] = []
        for number in 0..<7 {
            chosen.append(
                try await onThread { try places.create(named: "\(number)", now: 0).place })
        }
        #expect(chosen == ["home", "b", "c", "home", "b", "c", "home"])
        let made = try await onThread { try places.create(named: "x", at: "home", now: 0) }
        #expect(made.place == "home")
        await #expect(throws: PeopleError.unknownPlace("x")) {
            try await onThread { _ = try places.create(named: "y", at: "x", now: 0) }
        }
    }

    @Test(
        "Lists, disabling, quotas, exports, new identifiers and keys reach all places",
        arguments: kinds)
    func operation(_ kind: TestedPlace) async throws {
        let spread = try await Spread(kind)
        let (places, members) = (spread.places, try await Self.members(spread, 3))
        let list = try await onThread { try places.list() }
        #expect(list.map(\.person).sorted() == members.map(\.person).sorted())
        #expect(Set(list.map(\.place)) == Set(Spread.names))
        #expect(list.allSatisfy { $0.name?.hasPrefix("P") == true })
        for member in members {
            let people = try await onThread { try places.people(of: member.person) }
            try await onThread { try people.setDisabled(member.person, at: 5) }
            await #expect(throws: PeopleError.suspended) {
                try await places.bearer(ofToken: member.reading.text, .reading)
            }
            let target = Spread.names.first { $0 != member.place } ?? ""
            _ = try await onThread { try places.move(member.person, to: target, at: 5) }
            await #expect(throws: PeopleError.suspended) {
                try await places.bearer(ofToken: member.reading.text, .reading)
            }
            let moved = try await onThread { try places.people(of: member.person) }
            try await onThread { try moved.setDisabled(member.person, at: nil) }
            let path = spread.study.folder.path + "/export-" + member.person
            try await onThread { _ = try moved.export(member.person, to: path, at: 6) }
            #expect(FileManager.default.fileExists(atPath: path))
        }
        #expect(
            try await onThread { try places.renewIdentifiers(at: 0, keyless: .kept) }.renewed == 3)
        let next = OperatorKey()
        #expect(try await onThread { try places.rewrapKeys(with: next) } == 3)
        let location = spread.study.location
        let again = try await onThread { try PeoplePlaces.open(location, operatorKey: next) }
        #expect(try await onThread { try again.list() }.allSatisfy { $0.name != nil })
        try await onThread { again.close() }
    }

    @Test("An erased person's files, tokens and key are gone at every place", arguments: kinds)
    func erased(_ kind: TestedPlace) async throws {
        let spread = try await Spread(kind)
        let (places, members) = (spread.places, try await Self.members(spread, 3))
        for member in members {
            let receipt = try await onThread { try places.erase(member.person, at: 9) }
            #expect(receipt.keys == 1)
            #expect(receipt.entries == 2)
            #expect(!spread.study.files(of: "spread", member.person).isEmpty)
            await spread.node.refresh()
            #expect(spread.study.files(of: "spread", member.person).isEmpty)
            for _ in 0..<2 {
                #expect(try await places.bearer(ofToken: member.reading.text, .reading) == nil)
            }
            await #expect(throws: PeopleError.unknownPerson) {
                try await spread.node.save(7, of: member.person)
            }
            #expect(try await onThread { try places.erase(member.person, at: 10) }.erasedAt == 9)
        }
        #expect(try await onThread { try places.list() } == [])
    }

    @Test("A node keeps the file of a person who was moved, also when it looks for erased people")
    func movedFiles() async throws {
        let spread = try await Spread(.folder)
        let (places, member) = (spread.places, try await Self.members(spread, 1)[0])
        let other = PeoplePlaces(home: spread.study.people)
        _ = try await onThread { try other.move(member.person, to: "b", at: 5) }
        let files = spread.study.files(of: "spread", member.person)
        await spread.node.refresh()
        await spread.node.removeErased()
        #expect(spread.study.files(of: "spread", member.person) == files)
        let remote = StoreCacheOfOther(places: other, folder: spread.study.folder.path + "/x")
        let node = try remote.open()
        try await node.save(50, of: member.person)
        // The first node reads it from the new place.
        await spread.node.refresh()
        #expect(try await NodeTests.sequence(spread.node, member.person) == 2)
        #expect(try await places.bearer(ofToken: member.device.text, .device)?.head?.number == 3)
    }

    /// A node of other places in the same test.
    private struct StoreCacheOfOther {
        let places: PeoplePlaces
        let folder: String

        func open() throws -> Study.Node {
            try StoreCache(places, folder: folder) { path, _ in path }
        }
    }

    @Test("A place that is added while a node runs is served by it", arguments: kinds)
    func added(_ kind: TestedPlace) async throws {
        let spread = try await Spread(kind)
        let (places, member) = (spread.places, try await Self.members(spread, 1)[0])
        let address = try await kind.newAddress(in: spread.study.folder)
        // The operator's process.
        let process = try await onThread { [study = spread.study] in
            PeoplePlaces(
                home: try People.open(study.location, operatorKey: study.operatorKey))
        }
        try await onThread { try process.addPlace("d", at: address, now: 1) }
        _ = try await onThread { try process.move(member.person, to: "d", at: 2) }
        let made = try await onThread { try process.create(named: "New", at: "d", now: 2) }
        try await onThread { process.close() }
        for _ in 0..<2 {
            #expect(
                try await places.bearer(ofToken: member.reading.text, .reading)?.token.person
                    == member.person)
            #expect(
                try await places.bearer(ofToken: made.token.text, .reading)?.token.person
                    == made.person)
        }
        #expect(try await spread.node.save(9, of: member.person) == 2)
        #expect(try await spread.node.save(1, of: made.person) == 1)
    }

    @Test("A place needs a name, an address without a password, and a database without people")
    func addresses() async throws {
        let spread = try await Spread(.folder)
        let (places, study) = (spread.places, spread.study)
        _ = try await Self.members(spread, 3)
        let other = try await Study(.folder)
        _ = try await other.person()
        let b = try #require(spread.addresses["b"])
        let new = study.folder.path + "/new"
        let wrong: [(String, String, PeopleError)] = [
            ("home", new, .invalidPlaceName), ("", new, .invalidPlaceName),
            ("a/b", new, .invalidPlaceName), ("ä", new, .invalidPlaceName),
            ("d", "postgresql://a:secret@localhost/x", .invalidPlaceAddress),
            ("d", "postgresql://a@localhost/x?password=secret", .invalidPlaceAddress),
            ("d", "mysql://localhost/x", .invalidAddress), ("d", b, .placeInUse),
            ("b", new, .placeInUse),
            ("d", study.folder.path + "/study", .placeInUse),
            ("d", other.folder.path + "/study", .placeInUse),
        ]
        for (name, address, error) in wrong {
            await #expect(throws: error, "\(name) \(address)") {
                try await onThread { try places.addPlace(name, at: address, now: 0) }
            }
        }
        // The same again is no error.
        try await onThread { try places.addPlace("b", at: b, now: 0) }
        await #expect(throws: PeopleError.placeNotEmpty("b")) {
            try await onThread { try places.removePlace("b", now: 0) }
        }
        let listed = try await onThread { try places.places() }
        #expect(listed.map(\.name) == ["home", "b", "c"])
        #expect(listed.map(\.people) == [1, 1, 1])
    }

    @Test("An empty place can be removed, also after its people were moved or erased")
    func removed() async throws {
        let spread = try await Spread(.folder)
        let (places, members) = (spread.places, try await Self.members(spread, 3))
        _ = try await onThread { try places.move(members[1].person, to: "c", at: 5) }
        try await onThread { try places.removePlace("b", now: 6) }
        _ = try await onThread { try places.erase(members[2].person, at: 6) }
        await #expect(throws: PeopleError.placeNotEmpty("c")) {
            try await onThread { try places.removePlace("c", now: 6) }
        }
        _ = try await onThread { try places.move(members[1].person, to: "home", at: 5) }
        try await onThread { try places.removePlace("c", now: 6) }
        #expect(try await onThread { try places.places() }.count == 1)
        #expect(try await onThread { try places.list() }.count == 2)
        await #expect(throws: PeopleError.unknownPlace("c")) {
            try await onThread { try places.removePlace("c", now: 6) }
        }
    }

    @Test("A person whose creation was interrupted is nobody, and isn't in the way")
    func interruptedCreation() async throws {
        let spread = try await Spread(.folder)
        for number in 1...30 {
            let faults = Faults(.killedBefore, at: number)
            let process = try await spread.opened(faults)
            _ = try await onThread { try process.list() }
            faults.arm()
            let made = await Result.of {
                try await onThread { try process.create(named: "Ada", at: "b", now: 0) }
            }
            if case .success = made { break }
            #expect(try await onThread { try spread.places.list() } == [])
        }
        #expect(try await onThread { try spread.places.list() }.count == 1)
        // Placements of nobody that are old enough don't keep a place.
        let person = try await onThread { try spread.places.list()[0].person }
        _ = try await onThread { try spread.places.move(person, to: "c", at: 1) }
        await #expect(throws: PeopleError.placeNotEmpty("b")) {
            try await onThread { try spread.places.removePlace("b", now: 3_600) }
        }
        try await onThread { try spread.places.removePlace("b", now: 100_000) }
    }

    @Test("Another database at the address of a place isn't used")
    func otherDatabase() async throws {
        let spread = try await Spread(.folder)
        let members = try await Self.members(spread, 3)
        let address = try #require(spread.addresses["b"])
        let node = PeoplePlaces(home: spread.study.people)
        for suffix in ["", "-wal", "-shm"] { unlink(address + "/people.sqlite" + suffix) }
        await #expect(throws: PeopleError.otherDatabase("b")) {
            try await node.bearer(ofToken: members[1].reading.text, .reading)
        }
        #expect(try await node.bearer(ofToken: members[2].reading.text, .reading) != nil)
    }
}

/// Counts transactions.
private final class Counter: TransactionInterceptor {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func reset() { count.withLock { $0 = 0 } }
    func willRun() { count.withLock { $0 += 1 } }

    func run<Value>(_ mode: SQLTransactionMode, _ body: () throws -> Value) throws -> Value {
        willRun()
        return try body()
    }
}
