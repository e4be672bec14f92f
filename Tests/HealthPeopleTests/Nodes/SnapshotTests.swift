import Foundation
import HealthStorage
import HealthTesting
import Synchronization
import Testing

@testable import HealthPeople

/// Copies of stores in the log, and what may be dropped below them.
@Suite struct SnapshotTests {
    /// Writes a snapshot of a person's store now.
    private static func addSnapshot(_ study: Study, _ person: String) async throws {
        let folder = study.folder.path + "/snapshot"
        let store = PersonStore(person, study.people, folder: folder, DispatchQueue(label: "test"))
        try await store.run {
            try store.catchUp()
            store.tail.withLock { $0.entries = 1 << 40 }
            store.addSnapshot()
        }
    }

    @Test(
        "A store that is built from a snapshot and the entries after it is the same",
        arguments: TestedPlace.available)
    func rebuilt(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let node = try study.node("a")
        for number in 1...6 { try await node.save(number, of: person) }
        try await Self.addSnapshot(study, person)
        let copy = try await onThread { try study.people.log.newestCopy(of: person) }
        #expect(copy?.head.number == 7)
        #expect(copy?.isVerified == false)
        for number in 7...8 { try await node.save(number, of: person) }
        let rows = try await NodeTests.rows(node, person)
        #expect(try await NodeTests.rows(study.node("b"), person) == rows)
    }

    @Test(
        "Old entries are dropped only below a copy that another process has restored",
        arguments: TestedPlace.available)
    func dropped(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let node = try study.node("a")
        for number in 1...3 { try await node.save(number, of: person) }
        try await Self.addSnapshot(study, person)
        try await node.save(4, of: person)
        let later = Date.now.timeIntervalSinceReferenceDate + 1
        #expect(
            try await onThread {
                try study.people.log.dropEntries(of: person, writtenBefore: later)
            } == 0)
        try await onThread {
            guard let copy = try study.people.log.newestCopy(of: person) else { return }
            try study.people.log.markVerified(copy, of: person, at: later)
        }
        let dropped = try await onThread {
            try study.people.log.dropEntries(of: person, writtenBefore: later)
        }
        #expect(dropped == 3)
        let rows = try await NodeTests.rows(node, person)
        #expect(rows.filter { $0.hasPrefix("sample ") }.count == 4)
        #expect(try await NodeTests.rows(study.node("b"), person) == rows)
        try await node.save(5, of: person)
        #expect(try await NodeTests.sequence(study.node("c"), person) == 5)
    }

    @Test("A chunk or an entry at another place, or with another byte, isn't accepted")
    func sealedPlaces() async throws {
        let study = try await Study(.folder)
        let (ada, ben) = (try await study.person(), try await study.person())
        let node = try study.node("a")
        for number in 1...3 {
            try await node.save(number, of: ada)
            try await node.save(number + 10, of: ben)
        }
        for sql in [
            "UPDATE entry SET payload = (SELECT payload FROM entry o WHERE o.person = '\(ben)' "
                + "AND o.number = entry.number) WHERE person = '\(ada)' AND number = 3",
            "UPDATE entry SET payload = CAST(payload || x'00' AS BLOB) WHERE person = '\(ada)' AND number = 2",
            "UPDATE snapshot_chunk SET payload = (SELECT payload FROM snapshot_chunk o "
                + "WHERE o.person = '\(ben)') WHERE person = '\(ada)'",
        ] {
            try await onThread {
                try study.people.log.database.blockingTransaction(.readWrite) {
                    _ = try $0.execute(sql)
                }
            }
            let other = try study.node("n" + Study.freshName())
            await #expect(throws: PeopleError.damagedLog) {
                try await NodeTests.sequence(other, ada)
            }
            #expect(try await NodeTests.sequence(other, ben) == 3)
        }
    }

    @Test(
        "A store that moves in and out again has the same rows, and its cursors stay valid",
        arguments: TestedPlace.available)
    func adopted(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let node = try study.node("a")
        try await node.save(50, of: person)
        let path = study.folder.path + "/own.sqlite"
        let own = try SampleStore(at: path, access: .creating)
        for number in 1...3 { _ = try Study.Node.save(number, into: own) }
        let identifier = try own.identifier
        try own.close()
        let old = try await onThread { try study.people.log.head(of: person) }
        try await onThread { try study.people.adopt(storeAt: path, as: person, at: 0) }
        await #expect(throws: PeopleError.changedMeanwhile) {
            try await onThread {
                try study.people.adopt(storeAt: path, as: person, replacing: old, at: 0)
            }
        }
        #expect(try await node.reading(person) { try $0.identifier } == identifier)
        #expect(try await node.save(4, of: person) == 4)
        let out = study.folder.path + "/out.sqlite"
        _ = try await onThread { try study.people.export(person, to: out, at: 0) }
        let moved = try SampleStore(at: out, access: .writing)
        #expect(try moved.identifier == identifier)
        #expect(try moved.lastSequence == 4)
        #expect(try await StoreRows.lines(ofStoreAt: out) == NodeTests.rows(node, person))
    }
}
