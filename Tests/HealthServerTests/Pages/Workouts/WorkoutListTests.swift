import Foundation
import HealthDashboard
import HealthEngine
import HealthTesting
import Testing

@testable import HealthServer

@Suite("The list of workouts and its counts")
struct WorkoutListTests {
    private let context = PageContext(
        now: Date(timeIntervalSinceReferenceDate: 700_000_000), calendar: .current)

    private func service(_ starts: [Double], _ activity: (Int) -> String) -> FakeHealthService {
        var values = FakeHealthService.Values()
        values.workouts = starts.enumerated().map { index, start in
            let date = Date(timeIntervalSinceReferenceDate: start)
            return WorkoutDetail(
                summary: WorkoutSummary(
                    id: UUID(), activity: activity(index), start: date, end: date + 600,
                    duration: 600, distance: nil, energy: nil, averageHeartRate: nil,
                    maximumHeartRate: nil, source: "Watch", hasRoute: false), heartRate: [],
                route: [])
        }
        return FakeHealthService(values)
    }

    private func page(
        _ starts: [Double], before: Date? = nil, filter: WorkoutFilter = WorkoutFilter(),
        activity: (Int) -> String = { _ in "running" }
    ) async throws -> WorkoutsPage {
        try await WorkoutsPage(
            of: service(starts, activity),
            over: DateInterval(start: .distantPast, end: before ?? .distantFuture),
            filter: filter, counts: .init(total: starts.count, inRange: starts.count),
            context: context)
    }

    @Test("a partial list counts all workouts, and its links lead to each of them once")
    func counts() async throws {
        let starts = (0..<250).map { Double($0) * 86_400 }
        let first = try await page(starts)
        #expect(first.sentence.hasPrefix("250 workouts, the last on "))
        #expect(first.workouts.count == 30 && first.total == 250)
        var seen = first.workouts.map(\.start)
        var next = first.older
        while let before = next {
            let page = try await page(starts, before: before)
            #expect(page.sentence.hasPrefix("250 workouts, shown: "))
            let html = page.html(PageFrame())
            _ = try Markup(html)
            #expect(html.contains("← newest workouts"))
            #expect(html.contains("older workouts →") == (page.older != nil))
            seen += page.workouts.map(\.start).filter { !seen.contains($0) }
            next = page.older
        }
        #expect(seen.count == 250)
    }

    @Test("workouts with the same start at the end of a page appear once")
    func sameMoment() async throws {
        var starts = (0..<29).map { Double($0 + 1000) }
        starts += Array(repeating: 500, count: 20)
        let first = try await page(starts)
        let older = try #require(first.older)
        let second = try await page(starts, before: older)
        #expect(second.workouts.count == 20 && second.older == nil)
        let many = try await page(Array(repeating: 500, count: 100))
        let rest = try await page(Array(repeating: 500, count: 100), before: many.older)
        #expect(rest.workouts.isEmpty && rest.older == nil)
        #expect(rest.sentence == "100 workouts, none earlier")
    }

    @Test("a complete list has no links to further pages")
    func whole() async throws {
        let page = try await page([1, 2, 3])
        #expect(page.sentence.hasPrefix("3 workouts, the last on "))
        #expect(page.older == nil && page.total == 3)
        let html = page.html(PageFrame())
        #expect(!html.contains("older workouts →") && !html.contains("← newest workouts"))
    }

    @Test("the filter stays in the links to older and newer workouts and in the form")
    func filtered() async throws {
        let starts = (0..<200).map { Double($0) * 86_400 }
        let filter = WorkoutFilter(
            activity: "tai chi", from: CivilDate(2001, 1, 1), to: CivilDate(2001, 6, 30))
        func page(before: Date?) async throws -> WorkoutsPage {
            try await self.page(starts, before: before, filter: filter) {
                $0 % 2 == 0 ? "tai chi" : "running"
            }
        }
        let first = try await page(before: nil)
        #expect(first.workouts.count == 30)
        #expect(first.workouts.allSatisfy { $0.activity == "tai chi" })
        let fields = "activity=tai%20chi&from=2001-01-01&to=2001-06-30"
        let html = first.html(PageFrame())
        let links = try Markup(html).all("a").compactMap { $0.attributes["href"] }
        #expect(links.contains { $0.hasPrefix("/workouts?\(fields)&before=") })
        let second = try await page(before: first.older)
        let markup = try Markup(second.html(PageFrame()))
        #expect(markup.all("a").contains { $0.attributes["href"] == "/workouts?\(fields)" })
        #expect(
            markup.all("option").filter { $0.attributes["selected"] != nil }.map(\.text)
                == ["Tai chi"])
        let inputs = markup.all("input").compactMap { $0.attributes["value"] }
        #expect(inputs == ["2001-01-01", "2001-06-30"])
    }

    @Test("the server rejects an invalid time or filter with a message")
    func served() async throws {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 0, 60, 5, .watch)
        try file.write()
        let running = try await RunningServer(store: file.path)
        let cookie = try await running.signIn()
        for text in ["nan", "1e999", "-inf", "x", "1e12", "%3Cb%3E"] {
            let response = try await running.send("/workouts?before=" + text, cookie: cookie)
            #expect(response.status == 400, "\(text)")
            #expect(!response.body.contains("<b>x"))
        }
        for text in [
            "activity=%3Cb%3Ex", "from=2024-02-30", "from=2024-03-02&to=2024-03-01", "splits=yard",
        ] {
            let response = try await running.send("/workouts?" + text, cookie: cookie)
            #expect(response.status == 400, "\(text)")
            #expect(!response.body.contains("<b>x"))
        }
        for text in [
            "before=0", "before=-99999999999", "before=700000000.125", "activity=yoga",
            "activity=traditionalStrengthTraining&before=5", "activity=&from=&to=", "splits=mile",
            "from=0001-01-01&to=9999-12-31", "from=9999-12-31&activity=tai%20chi",
        ] {
            let response = try await running.send("/workouts?" + text, cookie: cookie)
            #expect(response.status == 200, "\(text): \(response.text.prefix(200))")
        }
    }
}
