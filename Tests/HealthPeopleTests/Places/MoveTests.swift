import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import HealthPeople

/// Moves of a person between three databases.
@Suite struct MoveTests {
    /// A person who is moved again and again, and what was acknowledged.
    private struct World {
        let spread: Spread
        let person: String
        let reading: AccessToken
        let device: AccessToken
        var place = PeoplePlaces.home
        /// The number of acknowledged samples.
        var saved: Int64 = 0
        var sent = 0

        init(_ place: TestedPlace) async throws { try await self.init(Spread(place)) }

        init(_ spread: Spread) async throws {
            self.spread = spread
            let (person, reading) = try await spread.create("Ada", at: PeoplePlaces.home)
            (self.person, self.reading) = (person, reading)
            device = try await onThread {
                try spread.places.addToken(.device, named: "Phone", of: person, at: 1)
            }
            for _ in 0..<3 { try await push() }
        }

        var next: String {
            let index = Spread.names.firstIndex(of: place) ?? 0
            return Spread.names[(index + 1) % Spread.names.count]
        }

        /// Sends a sample as the phone does, until it is acknowledged.
        mutating func push() async throws {
            _ = try #require(
                try await spread.places.bearer(ofToken: device.text, .device))
            sent += 1
            saved = try await spread.node.save(sent, of: person)
            #expect(saved == Int64(sent))
        }

        /// Sends a sample as the phone does. It may be refused.
        mutating func tryToPush() async throws {
            do { try await push() } catch PeopleError.suspended {
                // Nothing of it is stored.
                if saved < sent { sent -= 1 }
            }
        }

        /// Checks that everything is at one place and nothing elsewhere.
        func check(accesses: Int) async throws {
            let (places, person) = (spread.places, person)
            for (token, kind) in [(reading, PersonToken.Kind.reading), (device, .device)] {
                let bearer = try await places.bearer(ofToken: token.text, kind)
                #expect(bearer?.token.person == person)
                #expect(bearer?.head?.number == Int64(sent + 1))
            }
            for name in Spread.names where name != place {
                #expect(try await spread.rows(of: person, at: name) == 0, "\(name)")
            }
            let list = try await onThread { try places.list() }
            #expect(list.map(\.person) == [person])
            #expect(list.first?.place == place)
            #expect(list.first?.name == "Ada")
            let people = try await onThread { try places.people(of: person) }
            #expect(
                try await onThread { try people.accesses(to: person, limit: 999) }.count
                    == accesses)
        }
    }

    @Test(
        "A move goes there and back, with the same rows, tokens, receipts and lines of accesses",
        arguments: TestedPlace.available)
    func thereAndBack(_ place: TestedPlace) async throws {
        var world = try await World(place)
        let (places, person) = (world.spread.places, world.person)
        for round in 1...7 {
            try await places.record(
                AccessRecord(
                    person: person, at: 1, actor: "r", action: .read, subject: "s", result: 200))
            let rows = try await NodeTests.rows(world.spread.node, person)
            let target = world.next
            let outcome = try await onThread { try places.move(person, to: target, at: 5) }
            guard case .moved(let size) = outcome else { throw PeopleError.otherMove }
            #expect(size.entries == world.sent + 1)
            world.place = target
            try await world.check(accesses: round)
            #expect(try await NodeTests.rows(world.spread.node, person) == rows)
            let fresh = try world.spread.study.node("fresh\(round)")
            #expect(try await NodeTests.rows(fresh, person) == rows)
            let request = PersonChange.Request(device: "phone", key: "k2", bodyHash: [2])
            #expect(try await fresh.receipt(of: person, request)?.bodyHash == [2])
            try await world.push()
        }
        await #expect(throws: PeopleError.samePlace("b")) {
            try await onThread { try places.move(person, to: "b", at: 5) }
        }
        await #expect(throws: PeopleError.unknownPlace("x")) {
            try await onThread { try places.move(person, to: "x", at: 5) }
        }
    }

    @Test(
        "A move that is interrupted at any transaction is finished by the same call",
        arguments: Faults.Kind.tested, TestedPlace.available)
    func interrupted(_ kind: Faults.Kind, _ place: TestedPlace) async throws {
        var world = try await World(place)
        let (places, person) = (world.spread.places, world.person)
        let target = { [world] (current: String) in
            var other = world
            other.place = current
            return other.next
        }
        var number = 0
        while true {
            number += 1
            let faults = Faults(kind, at: number)
            let process = try await world.spread.opened(faults)
            let next = target(world.place)
            // The places are open, so that the number of transactions is the same each time.
            _ = try await onThread { try process.list() }
            faults.arm()
            let interrupted = await Result.of {
                try await onThread { try process.move(person, to: next, at: 5) }
            }
            if !faults.hasHappened {
                _ = try interrupted.get()
                break
            }
            let list = try await onThread { try places.list() }
            #expect(list.map(\.person) == [person])
            try await world.tryToPush()
            do {
                let outcome = try await onThread { try places.move(person, to: next, at: 6) }
                if case .abandoned = outcome { Issue.record("It was abandoned.") }
            } catch PeopleError.samePlace {
                // It was finished.
            }
            world.place = next
            try await world.check(accesses: 0)
            try await world.push()
            try await world.check(accesses: 0)
        }
        #expect(number > 20)
        let node = try world.spread.study.node("fresh")
        #expect(
            try await NodeTests.rows(node, person)
                == NodeTests.rows(world.spread.node, person))
        let pending = try await onThread { try places.directory.takeOver(of: person) }
        #expect(pending == nil || kind.isKill == false)
    }

    @Test("An interrupted move can be abandoned, and another place be chosen")
    func abandoned() async throws {
        var world = try await World(.folder)
        let (places, person) = (world.spread.places, world.person)
        let step = TestTier.current >= .all ? 1 : 5
        for number in stride(from: 1, through: 40, by: step) {
            let faults = Faults(.killedBefore, at: number)
            let process = try await world.spread.opened(faults)
            _ = try await onThread { try process.list() }
            faults.arm()
            let (source, target) = (world.place, world.next)
            _ = await Result.of {
                try await onThread { try process.move(person, to: target, at: 5) }
            }
            let choice =
                number.isMultiple(of: 2)
                ? source
                : Spread.names.first {
                    $0 != source && $0 != target
                }
            let chosen = try #require(choice)
            do {
                _ = try await onThread { try places.move(person, to: chosen, at: 6) }
            } catch PeopleError.samePlace {  // Nothing had begun.
            }
            world.place = chosen
            try await world.check(accesses: 0)
            try await world.push()
        }
    }

    @Test("A process that goes on after another one has taken its move over changes nothing")
    func takenOver() async throws {
        var world = try await World(.folder)
        let (places, person) = (world.spread.places, world.person)
        let pending = try await onThread { try places.directory.begin(person, to: "b") }
        let move = try await onThread {
            PersonMove(
                person, from: places.home, to: try places.people(at: "b"), number: pending.number)
        }
        let head = try await onThread { try move.freeze() }
        _ = try await onThread { try move.copy(upTo: head) }
        _ = try await onThread { try places.move(person, to: "b", at: 5) }
        _ = try await onThread { try places.move(person, to: PeoplePlaces.home, at: 5) }
        try await world.push()
        // The first process wakes up.
        await #expect(throws: PeopleError.otherMove) {
            try await onThread { try move.finishCopy(upTo: head) }
        }
        await #expect(throws: PeopleError.otherMove) {
            try await onThread { try places.directory.finish(pending, tokens: [], at: 6) }
        }
        #expect(try await onThread { try places.directory.abandon(pending) } == nil)
        try await onThread {
            try move.discardCopy()
            try move.removeSource()
        }
        try await world.check(accesses: 0)
        try await world.push()
    }

    @Test("A process that is slower than the one that has taken its move over can't disturb it")
    func overtaken() async throws {
        var world = try await World(.folder)
        let (places, person) = (world.spread.places, world.person)
        let b = try await onThread { try places.people(at: "b") }
        let first = try await onThread { try places.directory.begin(person, to: "b") }
        let slow = PersonMove(person, from: places.home, to: b, number: first.number)
        _ = try await onThread { try slow.copy(upTo: try slow.freeze()) }
        let second = try #require(
            try await onThread { try places.directory.takeOver(of: person) })
        let fast = PersonMove(person, from: places.home, to: b, number: second.number)
        let head = try await onThread { try fast.freeze() }
        await #expect(throws: PeopleError.otherMove) {
            try await onThread { try slow.finishCopy(upTo: head) }
        }
        _ = try await onThread { try fast.copy(upTo: head) }
        await #expect(throws: PeopleError.otherMove) {
            try await onThread { try slow.copy(upTo: head) }
        }
        await #expect(throws: PeopleError.otherMove) {
            try await onThread { try slow.freeze() }
        }
        #expect(try await onThread { try slow.thawSource() } == false)
        try await onThread { try slow.discardCopy() }
        let tokens = try await onThread { try fast.finishCopy(upTo: head) }
        await #expect(throws: PeopleError.otherMove) {
            try await onThread { try places.directory.finish(first, tokens: tokens, at: 5) }
        }
        try await onThread { try places.directory.finish(second, tokens: tokens, at: 5) }
        #expect(try await onThread { try places.directory.abandon(second) } == nil)
        _ = try await onThread { try places.move(person, to: "b", at: 5) }
        world.place = "b"
        try await world.check(accesses: 0)
        try await world.push()
    }

    @Test("A log with a changed entry isn't moved, and the person stays where the data is")
    func damaged() async throws {
        for sql in [
            "UPDATE entry SET payload = x'00' WHERE number = 2",
            "DELETE FROM entry WHERE number = 2",
        ] {
            let other = try await World(.folder)
            let places = other.spread.places
            try await onThread {
                try places.home.log.transaction(.readWrite, of: other.person) {
                    _ = try $0.execute(sql)
                }
            }
            await #expect(throws: PeopleError.damagedLog) {
                try await onThread { try places.move(other.person, to: "b", at: 5) }
            }
            #expect(try await other.spread.rows(of: other.person, at: "b") == 0)
            #expect(
                try await places.bearer(ofToken: other.device.text, .device)?.token.person
                    == other.person)
        }
    }

    @Test("While a person is moved, tokens, disabling, erasing and pushes are refused")
    func frozen() async throws {
        let world = try await World(.folder)
        let (places, person) = (world.spread.places, world.person)
        let move = PersonMove(person, from: places.home, to: places.home, number: 5)
        _ = try await onThread { try move.freeze() }
        let calls: [@Sendable () throws -> Void] = [
            { _ = try places.addToken(.device, named: "New", of: person, at: 1) },
            { try places.home.directory.revokeToken("Phone", of: person, at: 1) },
            { try places.home.setDisabled(person, at: 1) },
            { try places.home.setQuota(5, of: person) },
            { _ = try places.erase(person, at: 1) },
        ]
        for call in calls {
            await #expect(throws: PeopleError.suspended) { try await onThread(call) }
        }
        await #expect(throws: PeopleError.suspended) {
            try await world.spread.node.save(9, of: person)
        }
        await #expect(throws: PeopleError.suspended) {
            try await places.record(
                AccessRecord(
                    person: person, at: 1, actor: "r", action: .read, subject: "s", result: 200))
        }
        await #expect(throws: PeopleError.suspended) {
            try await places.bearer(ofToken: world.reading.text, .reading)
        }
    }

    @Test("A person who was moved out of the server stays there after an interruption")
    func movedOut() async throws {
        let step = TestTier.current >= .all ? 1 : 4
        for kind in Faults.Kind.tested {
            for number in stride(from: 1, through: 60, by: step) {
                let world = try await World(.folder)
                let (places, person) = (world.spread.places, world.person)
                let other = try await Study(.folder)
                let faults = Faults(kind, at: number)
                let process = try await world.spread.opened(faults)
                _ = try await onThread { try process.list() }
                faults.arm()
                _ = await Result.of {
                    try await onThread { try process.move(person, out: other.people, at: 5) }
                }
                if !faults.hasHappened { break }
                _ = await Result.of {
                    try await onThread { try places.move(person, out: other.people, at: 5) }
                }
                let there = try await other.places.bearer(
                    ofToken: world.reading.text, .reading)
                #expect(there?.token.person == person, "\(kind) \(number)")
                #expect(
                    try await places.bearer(ofToken: world.reading.text, .reading) == nil)
                let node = try other.node("a")
                #expect(try await node.save(world.sent + 1, of: person) == world.saved + 1)
            }
        }
    }
}

extension Result where Failure == any Error {
    /// The result of a body that can throw.
    static func of(_ body: () async throws -> Success) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
