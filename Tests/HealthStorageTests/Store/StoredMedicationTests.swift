import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("Medications")
struct StoredMedicationTests {
    private func emptyStore() throws -> (TemporaryStore, SampleStore) {
        let file = try TemporaryStore()
        return (file, try SampleStore(at: file.path, access: .creating))
    }

    private func medication(_ name: String, form: String = "tablet") -> Medication {
        Medication(
            displayText: name, generalForm: form,
            codings: [MedicationCoding(system: MedicationCoding.rxNorm, code: "1191")])
    }

    @Test("medications are stored in order of name, and replaced by identifier")
    func order() throws {
        let (file, store) = try emptyStore()
        #expect(try store.medications() == [])
        try store.setMedications([medication("Vitamin D"), medication("Aspirin")])
        #expect(try store.medications().map(\.displayText) == ["Aspirin", "Vitamin D"])
        var archived = medication("ASPIRIN", form: "capsule")
        archived.isArchived = true
        try store.setMedications([archived])
        #expect(try file.open(.reading).medications().first == archived)
        #expect(try store.medicationCount() == 2)
        #expect(try store.check() == [])
    }

    @Test("long texts, many codes and many medications are cut")
    func bounds() throws {
        let (_, store) = try emptyStore()
        var long = Medication(displayText: String(repeating: "ü", count: 2_000))
        long.codings = (0..<200).map { MedicationCoding(system: "s", code: "\($0)") }
        try store.setMedications([long])
        let stored = try #require(try store.medications().first)
        #expect(stored.displayText.count == 500 && stored.codings.count == 100)
        try store.setMedications((0..<5_010).map { Medication(displayText: "\($0)") })
        #expect(try store.medicationCount() == SampleStore.maximumMedications)
        try store.setMedications([long])
    }

    @Test("what a device leaves out stays, and what it states replaces")
    func takeover() throws {
        let (_, store) = try emptyStore()
        var first = medication("Aspirin")
        (first.nickname, first.isArchived, first.hasSchedule) = ("A", true, true)
        let phone = SendingPhone(store: store)
        var page = IntakeBatch()
        page.medications = [first]
        try phone.send(page, at: 0)
        page.medications = [Medication(displayText: "Aspirin")]
        try phone.send(page, at: 1)
        #expect(try store.medications() == [first])
        var again = medication("Aspirin", form: "liquid")
        again.isArchived = false
        page.medications = [again]
        try phone.send(page, at: 2)
        let stored = try #require(try store.medications().first)
        #expect(stored.generalForm == "liquid" && stored.isArchived == false)
        #expect(stored.nickname == "A" && stored.hasSchedule)
    }

    @Test(
        "a damaged medication is an error that doesn't contain it, and the check finds it",
        arguments: [
            "content = 'secret'", "content = x'73656372657400ff'", "content = '{}'",
            "identifier = 'secret'", "import = 99", "import = 'secret'",
        ])
    func damaged(_ change: String) throws {
        let (file, store) = try emptyStore()
        try store.setMedications([medication("secret")])
        try file.damage("UPDATE medication SET \(change)")
        if !change.hasPrefix("import") {
            let error = #expect(throws: StoreError.self) { try store.medications() }
            #expect(error?.code == .corrupt)
            #expect(error?.description.contains("secret") == false)
        }
        #expect(try store.check() != [])
    }

    @Test("a store of the version before is upgraded, and then keeps medications")
    func upgrade() throws {
        let file = try TemporaryStore()
        let queue = try DatabaseQueue(path: file.path)
        try Schema.migrator.migrate(queue, upTo: "6")
        try queue.close()
        for access in [SampleStore.Access.reading, .writing] {
            let store = try file.open(access)
            #expect(try store.medications() == [])
            if access == .writing { try store.setMedications([medication("Upgraded")]) }
            #expect(try store.check() == [])
            try store.close()
        }
        #expect(try file.open(.reading).medications().map(\.displayText) == ["Upgraded"])
    }

    @Test("an import adds missing medications; its undo removes those that only it stated")
    func undo() throws {
        let (file, store) = try emptyStore()
        try store.setMedications([medication("Known")])
        let description = SnapshotDescription(file: "a.jsonl", bytes: 1, importedAt: 1)
        try SampleStore.importSnapshot(into: file.path, description) { writer, context in
            _ = try writer.finish(.complete)
            #expect(try context.add(medication("New")))
            #expect(try context.add(medication("Sent again")))
            #expect(try !context.add(medication("Known", form: "liquid")))
            try writer.record(ledger: #"{"records":{"read":0}}"#)
        }
        #expect(try store.medications().map(\.generalForm) == ["tablet", "tablet", "tablet"])
        var page = IntakeBatch()
        page.medications = [medication("Sent again")]
        try SendingPhone(store: store).send(page, at: 2)
        #expect(try store.check() == [])
        try store.undoImport(1)
        #expect(try store.medications().map(\.displayText) == ["Known", "Sent again"])
        #expect(try store.check() == [])
    }
}

#if os(Linux)
    @Suite("Medications in a log")
    struct RecordedMedicationTests {
        @Test("a medication is part of a recorded change, and of a copy for a log")
        func recorded() throws {
            let folder = try TemporaryFolder()
            let store = try SampleStore(at: folder.path + "/a.sqlite", access: .creating)
            try store.setMedications([Medication(displayText: "Aspirin")])
            _ = try store.copyForLog(to: folder.path + "/b.sqlite")
            try SampleStore.completeLogCopy(at: folder.path + "/b.sqlite")
            let copy = try SampleStore(at: folder.path + "/b.sqlite", access: .writing)
            var changeset: [UInt8] = []
            try store.recording {
                try store.setMedications([
                    Medication(displayText: "Aspirin", generalForm: "tablet"),
                    Medication(displayText: "Iron"),
                ])
            } confirm: { change, _ in
                #expect(change.tables == ["medication"])
                changeset = change.changeset
            }
            #expect(try copy.apply(changeset) {})
            #expect(try copy.medications() == store.medications())
            #expect(try copy.medicationCount() == 2)
        }
    }
#endif
