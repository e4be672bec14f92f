import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

@Suite("The page Data")
struct DataPageTests {
    private let utc = CalendarBuckets(timeZone: .gmt)
    private let now = Date(timeIntervalSinceReferenceDate: 700_000_000)

    @Test("counts, days, imports and grants are those of the store")
    func contents() throws {
        let file = try Self.fiveSamples()
        let store = try file.open()
        try store.setHomeZone(HomeZone(identifier: "GMT", reason: .metadata))
        let steps = try store.type(named: "stepCount").code
        try store.setAuthorization(
            [steps: .init(share: .denied, read: .granted)], of: "com.example.app")
        let page = try DataPage(store, in: utc, now: now)
        #expect(page.types.map(\.name) == ["heartRate", "stepCount"])
        for row in page.types {
            let name = row.name.prefix(1).uppercased() + row.name.dropFirst()
            let samples = try file.number(
                "SELECT count(*) FROM sample WHERE type = \(RecordedStore.code(name))")
            #expect(Double(row.samples) == samples)
        }
        #expect(page.types.map(\.first) == [CivilDate(2001, 1, 3), CivilDate(2001, 1, 2)])
        #expect(page.types.map(\.last) == [CivilDate(2001, 1, 4), CivilDate(2001, 1, 2)])
        #expect(page.types.map(\.unit) == ["count/min", "count"])
        #expect(page.types[1].link == "/type/stepCount")
        #expect(
            page.samples == 5
                && Set(page.sources.map(\.name)) == [
                    "Watch", "Totals", "Evil\u{FFFD}name",
                ])
        #expect(page.sources.first { $0.name == "Watch" }?.samples == 3)
        #expect(
            page.sources.first { $0.name == "Totals" }?.excludedFrom
                == [.init(type: "stepCount", words: "steps", reason: "it writes daily totals")])
        let read = try #require(page.imports.first)
        #expect(read.file == "export.zip" && read.sizeText == "2.3 MB" && read.vanished == 3)
        #expect(
            read.tallies == [
                .init(
                    kind: "records", read: 7, new: 5, unchanged: 0, changed: 0, repeated: 1,
                    quarantined: 1)
            ])
        #expect(read.exportDate == Date(timeIntervalSinceReferenceDate: 700_000_001))
        #expect(
            page.grants == [
                .init(
                    program: "com.example.app", reads: ["steps"], saves: [], denied: ["steps"])
            ])
        #expect(page.bytes > 0 && page.file == "health.sqlite")
        #expect(page.timeZoneReason == "the time zone of most records")
        #expect(
            page.sentence
                == "5 samples of 2 types from 3 sources, 2 January 2001 to 4 January 2001, in "
                + "1 import.")
        #expect(try DataPage(store, contents: store.contents(), in: utc, now: now) == page)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(DataPage.self, from: page.json()) == page)
    }

    /// Creates a store with five samples of two types from three sources, and one import.
    private static func fiveSamples() throws -> RecordedStore {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 86_400, 87_000, 600, .watch)
        try file.add("stepCount", "Totals", 86_400, 172_799, 8000)
        try file.add("heartRate", "Watch", 200_000, 200_000, 60, .watch)
        try file.add("heartRate", "Watch", 300_000, 300_000, 60, .watch)
        try file.add("heartRate", "Evil\u{202E}name", 300_000, 300_000, 60)
        try file.write(
            ledger: """
                {"records":{"read":7,"new":5,"unchanged":0,"changed":0,"repeated":1,
                "quarantined":1},"workouts":{"read":0,"new":0,"unchanged":0,"changed":0,
                "repeated":0,"quarantined":0},"vanished":3}
                """)
        return file
    }

    @Test("an empty store suggests an import, and an unreadable ledger is reported as damage")
    func empty() throws {
        let page = try DataPage(SampleStore.inMemory(), in: utc, now: now)
        #expect(page.sentence.contains("openhealth import export.zip"))
        #expect(page.types.isEmpty && page.imports.isEmpty && page.bytes == 0)
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 86_400, 87_000, 600, .watch)
        try file.write(ledger: "[broken")
        let error = #expect(throws: StoreError.self) {
            try DataPage(file.open(.reading), in: utc, now: now)
        }
        #expect(error?.code == .corrupt)
        #expect(error?.description.contains("import.ledger, row 1") == true)
    }

    @Test(
        "sizes use decimal units",
        arguments: [
            (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (364_843_008, "365 MB"),
            (3_000_000_000, "3.0 GB"), (999_600, "1.0 MB"),
        ])
    func sizes(bytes: Int64, text: String) { #expect(SizeText.text(bytes) == text) }
}
