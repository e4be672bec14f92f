import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// Notes on days in the files of `openhealth export`.
@Suite(.inTestAll) struct ExportedNotesTests {
    /// A store of one sample with notes on two days.
    private let person: HandMadeExport

    init() throws {
        person = try HandMadeExport(
            [
                HandMadeExport.record(
                    "HKQuantityTypeIdentifierStepCount", "12", source: "Watch",
                    from: "2024-03-10 09:00:00 +0100", to: "2024-03-10 09:10:00 +0100",
                    unit: "count")
            ], zone: "Europe/Berlin")
        let store = try SampleStore(at: person.path, access: .writing)
        try store.setDayNote("Ran a fever", on: CivilDate(2024, 3, 10), now: 0)
        try store.setDayNote("Well again", on: CivilDate(2024, 3, 11), now: 0)
        try store.close()
    }

    private func notes(_ options: [String]) throws -> [String] {
        try person.export("jsonl", options).split(separator: "\n").compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["type"] as? String == "dayNote" ? object?["text"] as? String : nil
        }
    }

    @Test("JSON lines have the notes after the samples; a range or a type narrows them")
    func lines() throws {
        #expect(try notes([]) == ["Ran a fever", "Well again"])
        #expect(try notes(["--from", "2024-03-11"]) == ["Well again"])
        #expect(try notes(["--to", "2024-03-11"]) == ["Ran a fever"])
        #expect(try notes(["stepCount"]) == [])
        #expect(try notes(["--merged"]) == [])
        let first = try #require(try person.export("jsonl").split(separator: "\n").first)
        #expect(first.contains("HKQuantityTypeIdentifierStepCount"))
    }

    @Test("a database has the notes, and the report counts them", .comparedWithPython)
    func database() throws {
        let file = person.folder.path + "/plain.sqlite"
        let run = try person.run(["export", "--format", "sqlite", "--out", file, "--json"])
        #expect(run.object?["dayNotes"] as? Int == 2 && run.object?["samples"] as? Int == 1)
        let program = """
            import sqlite3, sys
            rows = sqlite3.connect(sys.argv[1]).execute('SELECT text FROM day_note ORDER BY day')
            print(*[row[0] for row in rows], sep=', ')
            """
        #expect(try Python.run(program, [file]) == "Ran a fever, Well again")
        let text = try person.run(["export", "--format", "sqlite", "--out", file, "--force"])
        #expect(text.errors.contains("1 sample of 1 type and 2 notes on days"))
    }

    @Test("what CSV and Apple's format can't hold is said")
    func notHeld() throws {
        for format in ["csv", "apple"] {
            let file = person.folder.path + "/export.\(format)"
            let run = try person.run(["export", "--format", format, "--out", file])
            #expect(run.errors.contains("2 notes on days; use jsonl or sqlite"), "\(format)")
        }
    }

    @Test("an undo of the import leaves the notes")
    func undo() throws {
        let undo = try person.run(["imports", "undo", "1", "--yes"])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try notes([]) == ["Ran a fever", "Well again"])
        #expect(try person.run(["check"]).status == 0)
    }
}
