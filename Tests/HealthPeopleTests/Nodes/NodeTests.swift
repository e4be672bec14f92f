import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthPeople

/// Nodes with copies of the same people, in a folder and in PostgreSQL.
@Suite struct NodeTests {
    private static let places = TestedPlace.available

    /// All rows of a person's store on a node, except those that a store derives.
    static func rows(_ node: Study.Node, _ person: String) async throws -> [String] {
        try await node.reading(person) { try StoreRows.lines(ofStoreAt: $0.path) }
    }

    static func sequence(_ node: Study.Node, _ person: String) async throws -> Int64 {
        try await node.reading(person) { try $0.lastSequence }
    }

    @Test("A new person has an empty store on every node", arguments: places)
    func newPerson(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let (first, second) = (try study.node("a"), try study.node("b"))
        #expect(try await Self.sequence(first, person) == 0)
        #expect(try await Self.rows(first, person) == Self.rows(second, person))
        await #expect(throws: PeopleError.unknownPerson) {
            try await Self.sequence(first, Study.freshName())
        }
    }

    @Test("Changes of several nodes are in all stores, with the same numbers", arguments: places)
    func severalNodes(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let (first, second) = (try study.node("a"), try study.node("b"))
        for number in 1...12 {
            let node = number.isMultiple(of: 3) ? second : first
            #expect(try await node.save(number, of: person) == Int64(number))
        }
        let expected = try await Self.rows(first, person)
        #expect(expected.filter { $0.hasPrefix("sample ") }.count == 12)
        #expect(try await Self.rows(second, person) == expected)
        #expect(try await Self.rows(study.node("c"), person) == expected)
    }

    @Test("A node that is ahead of a log that lost its end shows the log", arguments: places)
    func logThatLostItsEnd(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let (log, person) = (study.people.log, try await study.person())
        let node = try study.node("a")
        try await node.save(1, of: person)
        let before = try #require(try await onThread { try log.head(of: person) })
        try await node.save(2, of: person)
        let first = try await node.companion(of: person, at: nil)
        // As after a failover to a standby that didn't have the second entry.
        try await onThread {
            try log.transaction(.readWrite, of: person) { connection in
                _ = try connection.execute(
                    "DELETE FROM entry WHERE person = $1 AND number > $2",
                    [.text(person), .integer(before.number)])
                _ = try connection.execute(
                    "UPDATE person_head SET head = $1, hash = $2 WHERE person = $3",
                    [.integer(before.number), .bytes(before.hash), .text(person)])
            }
        }
        let path = try await node.companion(of: person, at: before)
        #expect(path != first)
        #expect(try SampleStore(at: path, access: .reading).lastSequence == 1)
    }

    /// Sends a refused change again, as devices do.
    private static func saveUntilConfirmed(
        _ number: Int, _ node: Study.Node, _ person: String
    ) async throws {
        while true {
            do {
                try await node.save(number, of: person)
                return
            } catch let error as PeopleError where error == .notConfirmed { continue }
        }
    }

    @Test(
        "Of changes at the same time on two nodes, each is stored exactly once", arguments: places)
    func concurrentNodes(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let nodes = [try study.node("a"), try study.node("b")]
        try await withThrowingTaskGroup { group in
            for number in 1...40 {
                let node = nodes[number % 2]
                group.addTask { try await Self.saveUntilConfirmed(number, node, person) }
            }
            try await group.waitForAll()
        }
        let rows = try await Self.rows(nodes[0], person)
        #expect(rows.filter { $0.hasPrefix("sample ") }.count == 40)
        #expect(try await Self.rows(nodes[1], person) == rows)
    }

    @Test("A request that changes nothing has a receipt and no entry", arguments: places)
    func nothingChanged(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let node = try study.node()
        try await node.save(1, of: person)
        let before = try await onThread { try study.people.log.head(of: person) }
        try await node.save(1, key: "again", of: person)
        let after = try await onThread { try study.people.log.head(of: person) }
        #expect(before == after)
        let request = PersonChange.Request(device: "phone", key: "again", bodyHash: [1])
        #expect(try await node.receipt(of: person, request)?.number == after?.number)
    }

    @Test(
        "A file that isn't the log's is built again", arguments: ["damaged", "changed", "missing"])
    func unusableFile(_ fault: String) async throws {
        let study = try await Study(.folder)
        let person = try await study.person()
        var expected: [String] = []
        do {
            let node = try study.node("a")
            for number in 1...5 { try await node.save(number, of: person) }
            expected = try await Self.rows(node, person)
            await node.close()
        }
        let file = study.folder.path + "/a/\(person)/1.sqlite"
        switch fault {
        case "damaged":
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
            try handle.seek(toOffset: 4096)
            try handle.write(contentsOf: Data(repeating: 0xff, count: 8192))
            try handle.close()
        case "changed":
            let store = try SampleStore.ofLog(at: file)
            let other = LogPosition(number: 3, hash: String(repeating: "ab", count: 32))
            try store.setLogPosition(other)
            try store.close()
        default: try FileManager.default.removeItem(atPath: file)
        }
        let node = try study.node("a")
        try await node.save(6, of: person)
        let rows = try await Self.rows(node, person)
        #expect(rows.filter { $0.hasPrefix("sample ") }.count == 6)
        #expect(try await Self.rows(study.node("b"), person) == rows)
        #expect(rows.contains(expected[0]))
    }

    @Test("A change outside the log is found at the next change, and discarded")
    func writerOutside() async throws {
        let study = try await Study(.folder)
        let person = try await study.person()
        let (node, other) = (try study.node("a"), try study.node("b"))
        try await node.save(1, of: person)
        let path = try await node.companion(of: person, at: nil)
        let outside = try SampleStore.ofLog(at: path)
        _ = try Study.Node.save(77, into: outside)
        try outside.close()
        try await other.save(2, of: person)
        #expect(try await Self.rows(node, person) == Self.rows(other, person))
    }

    @Test("Cursors and anchors from before a store is built again remain valid", arguments: places)
    func anchors(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let node = try study.node("a")
        for number in 1...4 { try await node.save(number, of: person) }
        let (anchor, identifier) = try await node.reading(person) {
            (try $0.lastSequence, try $0.identifier)
        }
        for number in 5...6 { try await node.save(number, of: person) }
        let rebuilt = try study.node("b")
        let later = try await rebuilt.reading(person) { store in
            let steps = try store.type(named: "stepCount")
            #expect(try store.identifier == identifier)
            return try store.changes([SampleRequest(steps)], after: anchor)
        }
        #expect(later.samples.count == 2)
    }

    @Test("At most the limit of stores is open, and closed ones are opened again")
    func limit() async throws {
        let study = try await Study(.folder)
        let node = try study.node("a", limit: 3)
        var people: [String] = []
        for _ in 0..<8 { people.append(try await study.person()) }
        for person in people { try await node.save(1, of: person) }
        #expect(node.count <= 3)
        for person in people {
            try await node.save(2, of: person)
            #expect(try await Self.sequence(node, person) == 2)
        }
        #expect(node.count <= 3)
    }

    @Test("A folder of stores belongs to one process at a time")
    func oneProcess() async throws {
        let study = try await Study(.folder)
        let node = try study.node("a")
        #expect(throws: PeopleError.cacheInUse(study.folder.path + "/a")) { try study.node("a") }
        withExtendedLifetime(node) {}
    }
}
