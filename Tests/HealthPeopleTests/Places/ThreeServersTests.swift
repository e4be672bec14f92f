import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import HealthPeople

/// People in three PostgreSQL servers, of which one is down for a time.
@Suite(.needsPostgreSQL) struct ThreeServersTests {
    private struct Member: Sendable {
        var person: String
        var place: String
        var reading: AccessToken
        var samples = 0
    }

    private static func spread() async throws -> Spread {
        try await Spread(
            servers: try await onThread {
                Spread.Servers(
                    try (0..<3).map { _ in try PrivatePostgreSQL(["max_connections=100"]) })
            })
    }

    private static func member(_ spread: Spread, _ place: String) async throws -> Member {
        let (person, reading) = try await spread.create("P", at: place)
        return Member(person: person, place: place, reading: reading)
    }

    @Test("While a server is down, the people of the others are served", .inTestAll)
    func down() async throws {
        let spread = try await Self.spread()
        let places = spread.places
        var members: [Member] = []
        for name in Spread.names { members.append(try await Self.member(spread, name)) }
        for (number, member) in members.enumerated() {
            #expect(try await spread.node.save(number + 1, of: member.person) == 1)
        }
        #expect(try await places.checkConnection() == [])
        spread.servers.list[1].stop(.fast)
        let node = try spread.study.node("while-down")
        for (number, member) in members.enumerated() where member.place != "b" {
            for _ in 0..<3 {
                let bearer = try await places.bearer(ofToken: member.reading.text, .reading)
                #expect(bearer?.token.person == member.person)
            }
            #expect(try await spread.node.save(number + 11, of: member.person) == 2)
            #expect(try await NodeTests.sequence(node, member.person) == 2)
        }
        // Not as if the token were unknown.
        await #expect(throws: SQLError.self) {
            try await places.bearer(ofToken: members[1].reading.text, .reading)
        }
        await #expect(throws: SQLError.self) {
            try await spread.node.save(12, of: members[1].person)
        }
        #expect(try await places.checkConnection() == ["b"])
        // The files of people there remain.
        let files = spread.study.files(of: "spread", members[1].person)
        await spread.node.refresh()
        await spread.node.removeErased()
        #expect(spread.study.files(of: "spread", members[1].person) == files)
        let error = await Result.of { try await onThread { try places.list() } }
        guard case .failure(let failure) = error, case PeopleError.placeFailed("b", _) = failure
        else { throw PeopleError.damagedLog }
        let (first, second) = (members[0].person, members[1].person)
        for (person, target) in [(first, "b"), (second, "c")] {
            await #expect(throws: (any Error).self) {
                try await onThread { try places.move(person, to: target, at: 5) }
            }
        }
        #expect(try await spread.node.save(13, of: first) == 3)
        try await onThread { [servers = spread.servers] in try servers.list[1].start() }
        try await retrying { try await spread.node.save(12, of: second) }
        #expect(try await NodeTests.sequence(spread.node, second) == 2)
        #expect(try await onThread { try places.list() }.count == 3)
        _ = try await onThread { try places.move(second, to: "c", at: 5) }
        #expect(try await spread.node.save(22, of: second) == 3)
    }

    @Test(
        "People who are moved again and again while devices send lose and double nothing",
        .inTestAll)
    func moving() async throws {
        let spread = try await Self.spread()
        var members: [Member] = []
        for name in Spread.names { members.append(try await Self.member(spread, name)) }
        let (people, places) = (members, spread.places)
        let nodes = try ["n1", "n2"].map { try spread.study.node($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for member in people {
                group.addTask { try await Self.send(60, of: member, places, nodes) }
                group.addTask { try await Self.move(member, times: 9, places) }
            }
            try await group.waitForAll()
        }
        let fresh = try spread.study.node("fresh")
        for member in people {
            #expect(try await NodeTests.sequence(fresh, member.person) == 60)
            let rows = try await NodeTests.rows(fresh, member.person)
            #expect(rows.filter { $0.hasPrefix("sample ") }.count == 60)
            #expect(try await onThread { try places.place(of: member.person) } == member.place)
            for name in Spread.names where name != member.place {
                #expect(try await spread.rows(of: member.person, at: name) == 0)
            }
        }
    }

    private static func send(
        _ count: Int, of member: Member, _ places: PeoplePlaces, _ nodes: [Study.Node]
    ) async throws {
        for number in 1...count {
            try await retrying {
                let bearer = try await places.bearer(ofToken: member.reading.text, .reading)
                // A token is never refused because its person is moved.
                guard bearer?.token.person == member.person else { throw PeopleError.damagedLog }
                try await nodes[number % 2].save(number, of: member.person)
            }
        }
    }

    /// Moves a person from one place to the next, again and again.
    private static func move(
        _ member: Member, times count: Int, _ places: PeoplePlaces
    ) async throws {
        var index = Spread.names.firstIndex(of: member.place) ?? 0
        for _ in 0..<count {
            index = (index + 1) % Spread.names.count
            let target = Spread.names[index]
            _ = try await onThread { try places.move(member.person, to: target, at: 5) }
        }
    }

    @Test("A move during which a server is killed is finished by the same call", .inTestAll)
    func killed() async throws {
        let spread = try await Self.spread()
        let (places, servers) = (spread.places, spread.servers)
        let member = try await Self.member(spread, "home")
        for number in 1...40 { try await spread.node.save(number, of: member.person) }
        for round in 0..<6 {
            let target = Spread.names[(round + 1) % 3]
            let victim = round % 3
            let moving = Task {
                try await onThread { try places.move(member.person, to: target, at: 5) }
            }
            try await Task.sleep(for: .milliseconds(20 + 15 * round))
            try await onThread {
                servers.list[victim].stop(.kill)
                try servers.list[victim].start()
            }
            _ = try? await moving.value
            try await retrying {
                do {
                    _ = try await onThread { try places.move(member.person, to: target, at: 5) }
                } catch PeopleError.samePlace {}
            }
            try await retrying { try await spread.node.save(41 + round, of: member.person) }
            #expect(try await NodeTests.sequence(spread.node, member.person) == 41 + Int64(round))
            for name in Spread.names where name != target {
                #expect(try await spread.rows(of: member.person, at: name) == 0)
            }
        }
    }
}

/// Repeats a body as devices do, for at most a minute, while it is refused for a time.
private func retrying(_ body: () async throws -> Void) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while true {
        do { return try await body() } catch let error as PeopleError
            where error == .suspended || error == .notConfirmed || error == .otherMove
        {
            if ContinuousClock.now > end { throw error }
        } catch let error as SQLError {
            if ContinuousClock.now > end { throw error }
        } catch PeopleError.placeFailed(let name, let error) {
            if ContinuousClock.now > end { throw PeopleError.placeFailed(name, error) }
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}
