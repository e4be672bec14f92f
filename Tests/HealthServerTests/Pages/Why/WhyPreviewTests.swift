import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

@Suite("a change to sources is previewed before it is saved")
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
            store, type: "stepCount", day: date, order: order, excluding: out, including: taken,
            in: utc, now: now)
    }

    @Test("the preview of an exclusion shows the number that saving it gives")
    func excluding() throws {
        let file = try store()
        let store = try file.open()
        let saved = try page(store)
        let out = saved.proposal.excluding(saved.sources[0].bundleIdentifier)
        let tried = try page(store, out: out.excluded)
        #expect(tried.sources.map(\.source) == ["Phone"] && tried.merged == 1201)
        #expect(tried.proposal == out)
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
        #expect(after.preview == nil && after.merged == 1201 && after.sources == tried.sources)
        #expect(after.excluded.map(\.reason).contains("you excluded it"))
    }

    @Test("the preview of an inclusion shows the number that saving it gives")
    func including() throws {
        let file = try store()
        let store = try file.open()
        let saved = try page(store)
        let totals = try #require(saved.excluded.first)
        let proposal = saved.proposal.including(totals.bundleIdentifier)
        let tried = try page(store, in: proposal.included)
        #expect(Set(tried.sources.map(\.source)) == ["Watch", "Phone", "Totals"])
        #expect(tried.excluded.isEmpty && tried.merged > saved.merged)
        #expect(tried.preview?.commands == ["openhealth sources include stepCount Totals"])
        #expect(proposal.excluding(totals.bundleIdentifier).isEmpty)
        try WhyPage.save(including: proposal.included, of: "stepCount", in: store)
        #expect(try page(store).merged == tried.merged)
    }

    @Test("an order and an inclusion are previewed and saved together")
    func together() throws {
        let file = try store()
        let store = try file.open()
        let saved = try page(store)
        let order = try #require(saved.sources[1].raised)
        let tried = try page(store, order: order, in: ["Totals"])
        #expect(tried.proposal.order == order && tried.proposal.included.count == 1)
        // Moving a source keeps the choice, and the order still contains all sources.
        let next = try #require(tried.sources.last?.raised)
        #expect(Set(next) == Set(tried.sources.map(\.bundleIdentifier)))
        let moved = try page(store, order: next, in: tried.proposal.included)
        #expect(
            moved.sources.map(\.bundleIdentifier)
                == next.filter { moved.sources.map(\.bundleIdentifier).contains($0) })
        try WhyPage.save(
            order: moved.proposal.order, excluding: moved.proposal.excluded,
            including: moved.proposal.included, of: "stepCount", in: store)
        let after = try page(store)
        #expect(after.sources == moved.sources && after.merged == moved.merged)
    }

    @Test("an exclusion of a source without data that day is a preview")
    func otherDay() throws {
        let file = try store()
        let store = try file.open(.reading)
        let tried = try page(store, out: ["Elsewhere"])
        #expect(tried.preview?.differenceText == "no change")
        #expect(tried.proposal.excluded.count == 1)
    }

    @Test("a proposal that changes nothing is no preview")
    func already() throws {
        let file = try store()
        let store = try file.open(.reading)
        let saved = try page(store)
        #expect(try page(store, order: saved.order, out: ["Totals"], in: ["Watch"]) == saved)
    }

    @Test("with all sources excluded the page doesn't say that the day has no data")
    func allOut() throws {
        let file = try store()
        let page = try page(file.open(.reading), out: ["Watch", "Phone"])
        #expect(page.sources.isEmpty && page.merged == 0 && page.excluded.count == 3)
        #expect(page.sentence.hasPrefix("No steps on 2 January 2001 with this preview"))
        let html = page.html(PageFrame())
        _ = try Markup(html)
        #expect(html.contains("All sources with data on this day are excluded"))
        #expect(!html.contains("nothing was recorded"))
        #expect(html.contains(">include</a>"))
    }

    @Test("a source both excluded and included, unknown or ambiguous is rejected")
    func refusals() throws {
        let file = try store()
        let store = try file.open()
        let both = PageError.badRequest("“Watch” can’t be both excluded and included.")
        #expect(throws: both) { try page(store, out: ["Watch"], in: ["Watch"]) }
        #expect(throws: both) {
            try WhyPage.save(
                excluding: ["Watch"], including: ["Watch"], of: "stepCount", in: store)
        }
        let unknown: [(out: [String], taken: [String])] = [(["Nobody"], []), ([], ["<b>"])]
        for (out, taken) in unknown {
            #expect(throws: StoreError.self) { try page(store, out: out, in: taken) }
            #expect(throws: StoreError.self) {
                try WhyPage.save(excluding: out, including: taken, of: "stepCount", in: store)
            }
        }
        #expect(try page(store).preview == nil)
    }

    @Test("the server saves the form only with its form key")
    func saved() async throws {
        let file = try store()
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        let start = "/why?metric=stepCount&day=2001-01-02"
        let before = try await running.send(start, cookie: cookie)
        let out = try #require(
            try Markup(before.body).all("a").first { $0.text == "exclude" }?.attributes["href"])
        let tried = try Markup(try await running.send(out, cookie: cookie).body)
        let fields = tried.all("input").filter { $0.attributes["type"] == "hidden" }
        let begin = try #require(fields.firstIndex { $0.attributes["name"] == "csrf" })
        let form = fields[begin...].prefix(4).map {
            FormText.encoded($0.attributes["name"] ?? "") + "="
                + FormText.encoded($0.attributes["value"] ?? "")
        }
        let headers = [
            "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
        ]
        let refused = try await running.send(
            "/why", "POST", cookie: cookie, headers: headers,
            body: form.dropFirst().joined(separator: "&"))
        #expect(refused.status == 403)
        #expect(try page(file.open(.reading)).sources.count == 2)
        let response = try await running.send(
            "/why", "POST", cookie: cookie, headers: headers, body: form.joined(separator: "&"))
        #expect(response.status == 303)
        #expect(response.headers["location"] == start)
        #expect(try page(file.open(.reading)).sources.map(\.source) == ["Phone"])
        #expect(try await running.send(start, cookie: cookie).body.contains("<b>1,201</b> steps"))
    }
}
