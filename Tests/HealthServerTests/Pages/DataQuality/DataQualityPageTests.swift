import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

@Suite("The page Data quality")
struct DataQualityPageTests {
    private let utc = CalendarBuckets(timeZone: .gmt)
    /// Noon after the last day.
    private let now = Date(timeIntervalSinceReferenceDate: 60 * 86_400 + 43_200)

    /// Creates a store with sixty ordinary days of a Watch and a phone.
    private func healthy(watchUntil: Int = 60) throws -> RecordedStore {
        let file = try RecordedStore()
        for day in 1...60 {
            let start = Double(day) * 86_400
            if day <= watchUntil {
                try file.add("stepCount", "Watch", start + 60, start + 660, 900, .watch)
                try file.add("heartRate", "Watch", start + 60, start + 60, 61, .watch)
            }
            try file.add("stepCount", "Phone", start + 100, start + 700, 700, .phone)
        }
        return file
    }

    private func findings(
        _ file: RecordedStore, ledger: String = "{}", range: DataQualityPage.Range = .standard
    ) throws -> [DataQualityPage.Finding] {
        try file.write(ledger: ledger)
        return try DataQualityPage(file.open(.reading), range: range, in: utc, now: now).findings
    }

    @Test("a valid store and an empty one have no findings")
    func nothing() throws {
        let file = try healthy()
        #expect(try findings(file).isEmpty)
        let page = try DataQualityPage(file.open(.reading), in: utc, now: now)
        #expect(page.sentence == "No problems found." && page.examined != nil)
        let empty = try DataQualityPage(SampleStore.inMemory(), in: utc, now: now)
        #expect(empty.sentence.hasPrefix("No data to check yet"))
    }

    @Test("a source that stopped is reported once, with the day and the time since")
    func silent() throws {
        let found = try findings(healthy(watchUntil: 40))
        #expect(found.map(\.kind) == [.inactiveSource])
        let finding = try #require(found.first)
        #expect(finding.source == "Watch" && finding.since == CivilDate(2001, 2, 10))
        #expect(
            finding.sentence
                == "Watch recorded heart rate, steps regularly until 10 February 2001, but nothing "
                + "in the 20 days since.")
        #expect(finding.count == 20)
        #expect(try findings(healthy(watchUntil: 55)).isEmpty)
        // Only the heart rate stopped.
        let file = try healthy(watchUntil: 30)
        for day in 31...60 {
            let start = Double(day) * 86_400 + 60
            try file.add("stepCount", "Watch", start, start + 600, 900, .watch)
        }
        let partly = try findings(file)
        #expect(partly.map(\.type) == ["heart rate"])
        #expect(partly[0].sentence.hasPrefix("Watch still records data, but no heart rate since"))
    }

    @Test("impossible days and readings are reported with the number of stats")
    func impossible() throws {
        let file = try healthy()
        let day = 20.0 * 86_400
        try file.add("stepCount", "Watch", day + 3600, day + 4600, 250_000, .watch)
        // The same amount at the same time counts once, so the next day is plausible.
        try file.add("stepCount", "Watch", day + 90_000, day + 91_000, 120_000, .watch)
        try file.add("stepCount", "Phone", day + 90_000, day + 91_000, 120_000, .phone)
        try file.add("heartRate", "Watch", day, day, 251, .watch)
        try file.add("heartRate", "Strap", day, day, 19)
        for (offset, weight) in [(0.0, 80.0), (1, 80.5), (3, 95), (30, 70)] {
            let time = day + offset * 86_400
            try file.add("bodyMass", "Scale", time, time, weight)
        }
        try file.add("sleepAnalysis", "Tracker", day, day + 100_000, 3)
        let found = try findings(file)
        #expect(Set(found.map(\.kind)) == [.impossibleValue])
        #expect(
            found.map(\.type).compactMap { $0 }.sorted()
                == ["heart rate", "heart rate", "sleep", "steps", "weight"])
        let steps = try #require(found.first { $0.type == "steps" })
        let date = CivilDate(2001, 1, 21)
        let page = try WhyPage(file.open(.reading), day: date, in: utc, now: now)
        #expect(steps.sentence == "\(page.mergedText) steps on 21 January 2001.")
        #expect(steps.link == "/why?metric=stepCount&day=2001-01-21" && steps.since == date)
        let weight = try #require(found.first { $0.type == "weight" })
        #expect(
            weight.sentence.hasPrefix("Weight jumped from 80.5 to 95.0 kg on 24 January 2001."))
        #expect(found.contains { $0.source == "Strap" && $0.sentence.contains(" 19 ") })
        #expect(found.contains { $0.sentence.hasPrefix("27:47 hours asleep from 21 January") })
    }

    @Test("two trackers of one kind are reported, a Watch with a phone is not")
    func twoTrackers() throws {
        let file = try healthy()
        for day in 1...60 {
            let start = Double(day) * 86_400 + 90
            try file.add("stepCount", "Band", start, start + 600, 800)
            if day > 30 { try file.add("stepCount", "Ring", start + 100, start + 700, 800) }
        }
        let found = try findings(file)
        #expect(found.map(\.kind) == [.twoTrackers] && found.map(\.count) == [30])
        let shared = try file.number(
            """
            SELECT count(DISTINCT cast(a.start_time / 86400 AS INTEGER))
            FROM sample a JOIN origin ao ON ao.id = a.origin JOIN source aso ON aso.id = ao.source,
                 sample b JOIN origin bo ON bo.id = b.origin JOIN source bso ON bso.id = bo.source
            WHERE a.type = b.type AND a.type = \(RecordedStore.code("StepCount"))
              AND aso.name = 'Band' AND bso.name = 'Ring'
              AND a.start_time < b.end_time AND b.start_time < a.end_time
            """)
        #expect(found.map { Double($0.count) } == [shared])
    }

    @Test("samples in the future, from an unset clock or written early are reported")
    func clocks() throws {
        let file = try healthy()
        let future = now.timeIntervalSinceReferenceDate + 86_400
        try file.add("heartRate", "Watch", future, future, 60, .watch)
        try file.add("bodyMass", "Scale", -40_000_000, -40_000_000, 80)
        let start = 30.0 * 86_400
        try file.add(
            "stepCount", "Phone", start, start + 60, 10, .phone, created: start - 90_000)
        try file.add(
            "stepCount", "Phone", start + 90, start + 150, 10, .phone, created: start - 3600)
        let found = try findings(file)
        #expect(found.map(\.kind) == [.clockJump, .clockJump, .clockJump])
        #expect(Set(found.compactMap(\.type)) == ["heart rate", "weight", "steps"])
        #expect(found.map(\.count) == [1, 1, 1])
        let early = try file.number(
            "SELECT count(*) FROM sample WHERE created < start_time - 86400")
        #expect(found.first { $0.type == "steps" }.map { Double($0.count) } == early)
    }

    @Test("excluded sources and quarantined elements of imports are reported")
    func imports() throws {
        let file = try healthy()
        for day in 1...60 {
            let start = Double(day) * 86_400
            try file.add("stepCount", "Totals", start, start + 86_399, 9000)
        }
        let found = try findings(
            file,
            ledger: """
                {"records":{"read":3,"new":0,"unchanged":0,"changed":0,"repeated":0,
                "quarantined":3},"quarantineReasons":{"no start":2,"no type":1}}
                """)
        #expect(found.map(\.kind) == [.dayTotals, .quarantined])
        #expect(found[0].source == "Totals" && found[0].count == 60)
        #expect(found[0].command?.hasPrefix("openhealth sources include stepCount ") == true)
        #expect(
            found[1].sentence
                == "3 elements of export.zip could not be imported: no start (2), no type (1).")
        let page = try DataQualityPage(file.open(.reading), in: utc, now: now)
        #expect(
            page.sentence
                == "2 findings: 1 source of daily totals, 1 import with quarantined data.")
    }

    @Test("a type with many samples is checked over fewer days, with a note")
    func shortened() throws {
        let file = try healthy()
        try file.write()
        let page = try DataQualityPage(
            file.open(.reading), range: .init(days: 400, samplesPerType: 20), in: utc, now: now)
        #expect(
            page.notes.dropFirst().sorted() == [
                "Checked only the last 10 days of steps, because of the large number of samples.",
                "Checked only the last 20 days of heart rate, because of the large number of "
                    + "samples.",
            ])
    }
}
