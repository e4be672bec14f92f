import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("The notes on days")
struct DayNoteTests {
    private let day = CivilDate(2024, 3, 10)
    private let all = CivilDate.supportedRange

    private func emptyStore() throws -> (file: TemporaryStore, store: SampleStore) {
        let file = try TemporaryStore()
        return (file, try file.open(.creating))
    }

    @Test("a note is kept, replaced by a later one of its day, and removed by an empty one")
    func keptAndRemoved() throws {
        let (file, store) = try emptyStore()
        #expect(try store.dayNotes(all) == [])
        try store.setDayNote("Ran a fever", on: day, now: 1)
        #expect(
            try file.open(.reading).dayNotes(day...day)
                == [DayNote(day: day, text: "Ran a fever", modified: 1)])
        try store.setDayNote("Fever is gone", on: day, now: 2.5)
        #expect(
            try store.dayNotes(all) == [DayNote(day: day, text: "Fever is gone", modified: 2.5)])
        #expect(try store.check() == [])
        for empty in [nil, "", " \r\n\t "] {
            try store.setDayNote("x", on: day, now: 3)
            try store.setDayNote(empty, on: day, now: 4)
            #expect(try store.dayNoteCount() == 0)
        }
    }

    @Test("line ends become line feeds; control characters and white space at the ends are dropped")
    func normalized() throws {
        let store = try SampleStore.inMemory()
        let texts = [
            ("  two\r\nlines \n", "two\nlines"), ("a\rb\n\nc", "a\nb\n\nc"),
            ("tab\tstays\u{0}\u{7}\u{9B}", "tab\tstays"), ("\u{2028}a\u{2028}b", "a\nb"),
            ("שלום \u{202E}x 👩‍👩‍👧 é", "שלום \u{202E}x 👩‍👩‍👧 é"),
        ]
        for (written, stored) in texts {
            try store.setDayNote(written, on: day, now: 0)
            #expect(try store.dayNotes(all).map(\.text) == [stored])
        }
        #expect(try store.check() == [])
    }

    @Test("notes of a range are in order of day, all notes from the newest on")
    func order() throws {
        let store = try SampleStore.inMemory()
        let days = [
            day, CivilDate(1, 1, 1), CivilDate(9999, 12, 31), CivilDate(2024, 3, 9),
            CivilDate(999, 12, 31),
        ]
        for (index, day) in days.enumerated() {
            try store.setDayNote("\(index)", on: day, now: Double(index))
        }
        #expect(try store.dayNotes(all).map(\.text) == ["1", "4", "3", "0", "2"])
        #expect(try store.dayNotes(CivilDate(2024, 3, 9)...day).map(\.text) == ["3", "0"])
        #expect(try store.dayNotes(CivilDate(-5, 1, 1)...CivilDate(20_000, 1, 1)).count == 5)
        #expect(try store.dayNotes(CivilDate(-5, 1, 1)...CivilDate(-4, 1, 1)) == [])
        #expect(try store.newestDayNotes(2).map(\.text) == ["2", "0"])
        #expect(try store.newestDayNotes(2, skipping: 3).map(\.text) == ["4", "1"])
        #expect(try store.newestDayNotes(-1, skipping: -1) == [])
        #expect(try store.dayNoteCount() == 5)
    }

    @Test("a note has at most 2,000 characters, and a day that exists")
    func refused() throws {
        let store = try SampleStore.inMemory()
        try store.setDayNote("kept", on: day, now: 1)
        let long = String(repeating: "\u{E4}", count: 2_000)
        let refused: [(text: String, day: CivilDate, fault: StoreError.NoteFault)] = [
            (long + "b", day, .tooLong), ("x", CivilDate(2024, 2, 30), .noSuchDay),
            ("x", CivilDate(0, 12, 31), .noSuchDay), ("x", CivilDate(10_000, 1, 1), .noSuchDay),
        ]
        for (text, day, fault) in refused {
            let error = #expect(throws: StoreError.self) {
                try store.setDayNote(text, on: day, now: 2)
            }
            #expect(error?.reason == .invalidNote(fault) && error?.code == .invalidArgument)
        }
        #expect(try store.dayNotes(all).map(\.text) == ["kept"])
        try store.setDayNote(" \(long)\n", on: day, now: 3)
        #expect(try store.dayNotes(all).map(\.text) == [long])
        #expect(try store.check() == [])
    }

    @Test("a store has at most 20,000 notes; those that it has can be changed and removed")
    func full() throws {
        let (file, store) = try emptyStore()
        try file.damage(
            """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)
            INSERT INTO day_note SELECT date('1950-01-01', i || ' days'), 'x', i FROM n
            """)
        #expect(try store.dayNoteCount() == DayNote.maximumCount)
        let error = #expect(throws: StoreError.self) {
            try store.setDayNote("one more", on: day, now: 0)
        }
        #expect(error?.reason == .invalidNote(.tooMany))
        try store.setDayNote("changed", on: CivilDate(1950, 1, 1), now: 0)
        try store.setDayNote(nil, on: CivilDate(1950, 1, 2), now: 0)
        try store.setDayNote("one more", on: day, now: 0)
        #expect(try store.newestDayNotes(1).map(\.text) == ["one more"])
    }

    @Test("times that no clock shows are clamped")
    func times() throws {
        let store = try SampleStore.inMemory()
        for (now, stored) in [(Double.infinity, 1e12), (-1e300, -1e12), (.nan, 0)] {
            try store.setDayNote("x", on: day, now: now)
            #expect(try store.dayNotes(all).map(\.modified) == [stored])
        }
        #expect(try store.check() == [])
    }

    @Test(
        "a damaged note is an error that doesn't contain it, and the check finds it",
        arguments: [
            "text = x'73656372657400ff'", "text = ''", "text = printf('%.3000c', 's')",
            "day = '2024-02-30'", "day = 'secret'", "day = '0000-05-05'", "day = x'00'",
            "modified = 'secret'", "modified = 9e999",
        ])
    func damaged(_ change: String) throws {
        let (file, store) = try emptyStore()
        try store.setDayNote("secret", on: day, now: 0)
        try file.damage("UPDATE day_note SET \(change)")
        let error = #expect(throws: StoreError.self) { try store.newestDayNotes(10) }
        #expect(error?.code == .corrupt)
        #expect(error?.description.contains("secret") == false)
        #expect(try store.check() != [])
        try store.setDayNote("another day", on: CivilDate(2024, 3, 11), now: 0)
    }

    @Test("a store of the version before is upgraded, and then keeps notes")
    func upgrade() throws {
        let file = try TemporaryStore()
        let queue = try DatabaseQueue(path: file.path)
        try Schema.migrator.migrate(queue, upTo: "5")
        try queue.close()
        for access in [SampleStore.Access.reading, .writing] {
            let store = try file.open(access)
            #expect(try store.dayNotes(all) == [])
            if access == .writing { try store.setDayNote("Upgraded", on: day, now: 0) }
            #expect(try store.check() == [])
            try store.close()
        }
        #expect(try file.open(.reading).dayNotes(all).map(\.text) == ["Upgraded"])
    }

    @Test("undoing an import leaves notes from before it and from after it, and they don't stop it")
    func undo() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 10, device: .phone)
        try file.add(recording)
        try file.open().setDayNote("before", on: CivilDate(2001, 1, 1), now: 1)
        recording.add(.steps, "Phone", 100, 160, 20, device: .phone)
        try file.add(recording)
        let store = try file.open()
        try store.setDayNote("after", on: CivilDate(2001, 1, 2), now: 2)
        let notes = try store.dayNotes(all)
        #expect(notes.map(\.text) == ["before", "after"])
        for number in [Int64(2), 1] {
            try store.checkUndo(ofImport: number)
            try store.undoImport(number)
            #expect(try store.dayNotes(all) == notes)
        }
        #expect(try store.types().isEmpty)
        #expect(try store.check() == [])
    }

    @Test("an import into a store that has only notes keeps them")
    func firstImport() throws {
        let (file, store) = try emptyStore()
        try store.setDayNote("The first day", on: day, now: 1)
        try store.close()
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60, 10, device: .phone)
        try file.add(recording)
        #expect(try file.open(.reading).dayNotes(all).map(\.text) == ["The first day"])
    }
}

#if os(Linux)
    @Suite("The notes on days in a log")
    struct RecordedDayNoteTests {
        @Test("a note is part of a recorded change, and of a copy for a log")
        func recorded() throws {
            let folder = try TemporaryFolder()
            let store = try SampleStore(at: folder.path + "/a.sqlite", access: .creating)
            let day = CivilDate(2024, 3, 10)
            try store.setDayNote("first", on: day, now: 1)
            _ = try store.copyForLog(to: folder.path + "/b.sqlite")
            try SampleStore.completeLogCopy(at: folder.path + "/b.sqlite")
            let copy = try SampleStore(at: folder.path + "/b.sqlite", access: .writing)
            #expect(try copy.dayNotes(day...day).map(\.text) == ["first"])
            for text in ["second", nil] {
                var changeset: [UInt8] = []
                try store.recording {
                    try store.setDayNote(text, on: day, now: 2)
                } confirm: { change, _ in
                    #expect(change.tables == ["day_note"])
                    changeset = change.changeset
                }
                #expect(try copy.apply(changeset) {})
                #expect(try copy.dayNotes(day...day) == store.dayNotes(day...day))
            }
            #expect(try copy.dayNoteCount() == 0)
        }
    }
#endif
