import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

@Suite("what would count otherwise is shown before it is saved")
struct WhyPreviewTests {
    private let utc = CalendarBuckets(timeZone: .gmt)
    private let now = Date(timeIntervalSinceReferenceDate: 700_000_000)
    /// 2001-01-02, in seconds since 2001.
    private let day = 86_400.0
    private let date = CivilDate(2001, 1, 2)

    private func store() throws -> RecordedStore {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", day, day + 600, 600, .watch)
        try file.add("stepCount", "Phone", day + 300, day + 900, 1201, .phone)
        try file.add("stepCount", "Totals", day, day + 80_000, 8000)
        try file.add("stepCount", "Elsewhere", 5 * day, 5 * day + 60, 10)
        try file.write()
        return file
    }

    private func page(
        _ store: SampleStore, order: [String] = [], out: [String] = [], in taken: [String] = []
    ) throws -> WhyPage {
        try WhyPage(
            store, type: "stepCount", day: date, order: order, excluding: out, takingIn: taken,
            in: utc, now: now)
    }

    @Test("leaving a source out shows the number without it, and saving gives that number")
    func excluding() throws {
        let file = try store()
        let store = try file.open()
        let saved = try page(store)
        let out = saved.arrangement.excluding(saved.lanes[0].bundleIdentifier)
        let tried = try page(store, out: out.excluded)
        #expect(tried.lanes.map(\.source) == ["Phone"] && tried.merged == 1201)
        #expect(tried.arrangement == out)
        let preview = try #require(tried.preview)
        #expect(preview.saved == saved.merged && preview.savedText == "1,201")
        #expect(preview.commands == ["openhealth sources exclude stepCount Watch"])
        let left = try #require(tried.excluded.first { $0.source == "Watch" })
        #expect(left.reason == "excluded in this preview" && left.command == nil)
        #expect(left.recorded == 600)
        #expect(tried.sentence.contains(" with this preview (saved: 1,201). "))
        #expect(try page(store) == saved)
        try WhyPage.save(excluding: out.excluded, of: "stepCount", in: store)
        let after = try page(store)
        #expect(after.preview == nil && after.merged == 1201 && after.lanes == tried.lanes)
        #expect(after.excluded.map(\.reason).contains("you excluded it"))
    }

    @Test("taking in an app of day totals shows the number with it, and saving gives that number")
    func takingIn() throws {
        let file = try store()
        let store = try file.open()
        let saved = try page(store)
        let totals = try #require(saved.excluded.first)
        let arrangement = saved.arrangement.takingIn(totals.bundleIdentifier)
        let tried = try page(store, in: arrangement.included)
        #expect(Set(tried.lanes.map(\.source)) == ["Watch", "Phone", "Totals"])
        #expect(tried.excluded.isEmpty && tried.merged > saved.merged)
        #expect(tried.preview?.commands == ["openhealth sources include stepCount Totals"])
        #expect(arrangement.excluding(totals.bundleIdentifier).isEmpty)
        try WhyPage.save(takingIn: arrangement.included, of: "stepCount", in: store)
        #expect(try page(store).merged == tried.merged)
    }

    @Test("an order and a choice are tried and saved together")
    func together() throws {
        let file = try store()
        let store = try file.open()
        let saved = try page(store)
        let order = try #require(saved.lanes[1].raised)
        let tried = try page(store, order: order, in: ["Totals"])
        #expect(tried.arrangement.order == order && tried.arrangement.included.count == 1)
        // Moving a source keeps the choice, and the order still contains all sources.
        let next = try #require(tried.lanes.last?.raised)
        #expect(Set(next) == Set(tried.lanes.map(\.bundleIdentifier)))
        let moved = try page(store, order: next, in: tried.arrangement.included)
        #expect(
            moved.lanes.map(\.bundleIdentifier)
                == next.filter { moved.lanes.map(\.bundleIdentifier).contains($0) })
        try WhyPage.save(
            order: moved.arrangement.order, excluding: moved.arrangement.excluded,
            takingIn: moved.arrangement.included, of: "stepCount", in: store)
        let after = try page(store)
        #expect(after.lanes == moved.lanes && after.merged == moved.merged)
    }

    @Test("a choice about a source without data that day is a preview too: it could be saved")
    func otherDay() throws {
        let file = try store()
        let store = try file.open(.reading)
        let tried = try page(store, out: ["Elsewhere"])
        #expect(tried.preview?.differenceText == "no change")
        #expect(tried.arrangement.excluded.count == 1)
    }

    @Test("what is so already is no preview")
    func already() throws {
        let file = try store()
        let store = try file.open(.reading)
        let saved = try page(store)
        #expect(try page(store, order: saved.order, out: ["Totals"], in: ["Watch"]) == saved)
    }

    @Test("with all left out nothing counts, which isn't called a day without data")
    func allOut() throws {
        let file = try store()
        let page = try page(file.open(.reading), out: ["Watch", "Phone"])
        #expect(page.lanes.isEmpty && page.merged == 0 && page.excluded.count == 3)
        #expect(page.sentence.hasPrefix("No steps on 2 January 2001 with this preview"))
        let html = page.html(PageFrame())
        _ = try Markup(html)
        #expect(html.contains("All sources with data on this day are excluded"))
        #expect(!html.contains("nothing was recorded"))
        #expect(html.contains(">include</a>"))
    }

    @Test("one source out and in at once, unknown and ambiguous ones are refused")
    func refusals() throws {
        let file = try store()
        let store = try file.open()
        let both = PageError.badQuestion("“Watch” can’t be both excluded and included.")
        #expect(throws: both) { try page(store, out: ["Watch"], in: ["Watch"]) }
        #expect(throws: both) {
            try WhyPage.save(
                excluding: ["Watch"], takingIn: ["Watch"], of: "stepCount", in: store)
        }
        let unknown: [(out: [String], taken: [String])] = [(["Nobody"], []), ([], ["<b>"])]
        for (out, taken) in unknown {
            #expect(throws: StoreError.self) { try page(store, out: out, in: taken) }
            #expect(throws: StoreError.self) {
                try WhyPage.save(excluding: out, takingIn: taken, of: "stepCount", in: store)
            }
        }
        #expect(try page(store).preview == nil)
    }

    @Test("over the server the form saves what the page shows, with its key alone")
    func saved() async throws {
        let file = try store()
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.enter()
        let start = "/why?metric=stepCount&day=2001-01-02"
        let before = try await running.ask(start, cookie: cookie)
        let out = try #require(
            try Markup(before.body).all("a").first { $0.text == "exclude" }?.attributes["href"])
        let tried = try Markup(try await running.ask(out, cookie: cookie).body)
        let fields = tried.all("input").filter { $0.attributes["type"] == "hidden" }
        let begin = try #require(fields.firstIndex { $0.attributes["name"] == "csrf" })
        let form = fields[begin...].prefix(4).map {
            FormText.encoded($0.attributes["name"] ?? "") + "="
                + FormText.encoded($0.attributes["value"] ?? "")
        }
        let headers = [
            "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
        ]
        let refused = try await running.ask(
            "/why", "POST", cookie: cookie, headers: headers,
            body: form.dropFirst().joined(separator: "&"))
        #expect(refused.status == 403)
        #expect(try page(file.open(.reading)).lanes.count == 2)
        let answer = try await running.ask(
            "/why", "POST", cookie: cookie, headers: headers, body: form.joined(separator: "&"))
        #expect(answer.status == 303)
        #expect(answer.headers["location"] == start)
        #expect(try page(file.open(.reading)).lanes.map(\.source) == ["Phone"])
        #expect(try await running.ask(start, cookie: cookie).body.contains("1,201 steps"))
    }
}
