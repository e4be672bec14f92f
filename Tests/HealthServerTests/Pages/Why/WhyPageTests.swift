import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

@Suite("The page Why")
struct WhyPageTests {
    private let utc = CalendarBuckets(timeZone: .gmt)
    private let now = Date(timeIntervalSinceReferenceDate: 700_000_000)
    /// 2001-01-02, in seconds since 2001.
    private let day = 86_400.0

    private func store() throws -> RecordedStore {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", day, day + 600, 600, .watch)
        try file.add("stepCount", "Phone", day + 300, day + 900, 1201, .phone)
        try file.add("stepCount", "Phone", day + 5000, day + 5060, 7, .phone, unit: "furlong")
        try file.add("stepCount", "Totals", day, day + 80_000, 8000)
        try file.add("heartRate", "Watch", day, day, 60, .watch)
        try file.write()
        return file
    }

    @Test("its rows add up, in numbers and in texts, to the store's total")
    func accounts() throws {
        let file = try store()
        let store = try file.open(.reading)
        let page = try WhyPage(
            store, type: "stepCount", day: CivilDate(2001, 1, 2), in: utc, now: now)
        #expect(page.sources.map(\.source) == ["Watch", "Phone"])
        #expect(page.sources.map(\.rank) == [1, 2] && page.sources.map(\.samples) == [1, 1])
        #expect(page.sources.map(\.contributed) == [600, 600.5])
        #expect(page.sources.map(\.duplicate) == [0, 600.5])
        let statistics = try store.statistics(
            SampleQuery(store.type(named: "stepCount")), over: [day, 2 * day])
        #expect(page.merged == statistics.buckets[0].merged.sum)
        let steps = RecordedStore.code("StepCount")
        let naive = try file.number(
            """
            SELECT sum(value) FROM sample JOIN origin ON origin.id = origin
            JOIN source ON source.id = source JOIN unit ON unit.id = unit
            WHERE type = \(steps) AND name <> 'Totals' AND symbol = 'count'
            """)
        #expect(page.naive == naive)
        func whole(_ text: String) throws -> Int {
            try #require(Int(text.replacing(",", with: "")))
        }
        #expect(try page.sources.map { try whole($0.contributedText) }.reduce(0, +) == 1201)
        #expect(page.mergedText == "1,201" && page.naiveText == "1,801")
        #expect(page.duplicateText == "600")
        for lane in page.sources {
            #expect(
                try whole(lane.contributedText) + whole(lane.duplicateText)
                    == whole(lane.recordedText))
        }
        #expect(page.excluded.map(\.source) == ["Totals"])
        #expect(page.excluded.map(\.recorded) == [8000])
        #expect(page.excluded.map(\.reason) == ["it writes daily totals"])
        #expect(page.skipped == 1 && !page.isPreview)
        #expect(
            page.sentence
                == "1,201 steps on 2 January 2001. Watch 600 · Phone 601 · 600 duplicates removed.")
        #expect(
            page.sources[1].recorded.map(\.start.timeIntervalSinceReferenceDate) == [
                day + 300, day + 5000,
            ])
        #expect(page.sources[1].counted.map(\.start.timeIntervalSinceReferenceDate) == [day + 600])
        #expect(page.sources[1].counted.map(\.value) == [600.5])
    }

    @Test("what a source counted by time of day adds up to its contribution")
    func dayParts() throws {
        let file = try RecordedStore()
        // From 05:00 to 13:00: an hour in the night, six in the morning, one in the afternoon.
        try file.add("stepCount", "Watch", day + 18_000, day + 46_800, 804, .watch)
        try file.add("stepCount", "Phone", day + 70_000, day + 70_000, 3.5, .phone)
        try file.add("stepCount", "Phone", day + 80_000, day + 80_060, 3, .phone)
        try file.write()
        let page = try WhyPage(
            file.open(.reading), type: "stepCount", day: CivilDate(2001, 1, 2), in: utc, now: now)
        let html = page.dayPartTable(.gregorian(in: .gmt)).markup
        let cells = try Markup(html).all("td").map(\.text)
        #expect(cells == ["101", "603", "100", "–", "–", "–", "–", "7"])
        #expect(page.sources.map(\.contributedText) == ["804", "7"])
    }

    @Test("an order is previewed before it is saved, and saving it gives the same number")
    func preview() throws {
        let file = try store()
        let store = try file.open()
        let date = CivilDate(2001, 1, 2)
        let page = try WhyPage(store, type: "stepCount", day: date, in: utc, now: now)
        #expect(page.sources[0].raised == nil && page.sources[1].lowered == nil)
        let order = try #require(page.sources[1].raised)
        #expect(order == page.sources[0].lowered && order == page.order.reversed())
        let tried = try WhyPage(
            store, type: "stepCount", day: date, order: order, in: utc, now: now)
        #expect(tried.sources.map(\.source) == ["Phone", "Watch"])
        #expect(tried.merged == 1201 + 300 && tried.order == order)
        let preview = try #require(tried.preview)
        #expect(preview.saved == page.merged && preview.savedText == "1,201")
        #expect(preview.differenceText == "+300")
        #expect(
            preview.commands.map { $0.hasPrefix("openhealth sources order stepCount ") } == [true])
        #expect(try WhyPage(store, day: date, in: utc, now: now) == page)
        try WhyPage.save(order: order, of: "stepCount", in: store)
        let saved = try WhyPage(store, type: "stepCount", day: date, in: utc, now: now)
        #expect(saved.merged == tried.merged && saved.preview == nil && saved.order == order)
        #expect(saved.sources == tried.sources)
        // The current order isn't a preview.
        #expect(
            try WhyPage(store, type: "stepCount", day: date, order: order, in: utc, now: now)
                == saved)
    }

    @Test("the default is the last day of steps; without data the page says so")
    func defaults() throws {
        let file = try store()
        let store = try file.open(.reading)
        let page = try WhyPage(store, in: utc, now: now)
        #expect(page.name == "stepCount" && page.day == CivilDate(2001, 1, 2))
        let empty = try WhyPage(store, day: CivilDate(2001, 3, 1), in: utc, now: now)
        #expect(empty.sources.isEmpty && empty.merged == 0)
        #expect(empty.sentence == "No steps on 1 March 2001: nothing was recorded on that day.")
        let nothing = try WhyPage(SampleStore.inMemory(), in: utc, now: now)
        #expect(nothing.day == CivilDate(2023, 3, 8) && nothing.sources.isEmpty)
    }

    @Test("an unknown type, one that isn't summed and an unknown source are rejected")
    func refusals() throws {
        let file = try store()
        let store = try file.open(.reading)
        for (type, order, code) in [
            ("noSuchType", [], StoreError.Code.unknownType), ("heartRate", [], .invalidArgument),
            ("stepCount", ["Nobody"], .unknownSource),
            ("stepCount", ["Watch", "Watch"], .invalidArgument),
        ] {
            let error = #expect(throws: StoreError.self) {
                try WhyPage(
                    store, type: type, day: CivilDate(2001, 1, 2), order: order, in: utc, now: now)
            }
            #expect(error?.code == code)
        }
    }

    @Test("a day with many samples gives a small page whose parts add up")
    func manySamples() throws {
        let file = try RecordedStore()
        for index in 0..<20_000 {
            let start = day + Double(index) * 4
            try file.add("stepCount", "Watch", start, start + 1, 1, .watch)
            if index % 2 == 0 {
                try file.add("stepCount", "Phone", start + 2, start + 3, 1, .phone)
            }
        }
        try file.write()
        let page = try WhyPage(
            file.open(.reading), day: CivilDate(2001, 1, 2), in: utc, now: now)
        #expect(page.merged == 30_000)
        #expect(page.sources.map { $0.counted.reduce(0) { $0 + $1.value } } == [20_000, 10_000])
        #expect(page.sources.allSatisfy { $0.counted.count <= 600 && $0.recorded.count <= 600 })
        #expect(try page.json().count < 150_000)
    }
}
