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

    private func service(_ starts: [Double]) -> FakeHealthService {
        var values = FakeHealthService.Values()
        values.workouts = starts.map { start in
            let date = Date(timeIntervalSinceReferenceDate: start)
            return WorkoutDetail(
                summary: WorkoutSummary(
                    id: UUID(), activity: "running", start: date, end: date + 600, duration: 600,
                    distance: nil, energy: nil,
                    averageHeartRate: nil, maximumHeartRate: nil,
                    source: "Watch", hasRoute: false), heartRate: [], route: [])
        }
        return FakeHealthService(values)
    }

    private func page(
        _ starts: [Double], before: Date? = nil
    ) async throws -> WorkoutsPage {
        let inRange = starts.filter { start in
            before.map { start < $0.timeIntervalSinceReferenceDate } ?? true
        }
        return try await WorkoutsPage(
            of: service(starts),
            over: DateInterval(start: .distantPast, end: before ?? .distantFuture),
            counts: .init(total: starts.count, inRange: inRange.count), context: context)
    }

    @Test("a partial list counts all workouts, and its links lead to each of them once")
    func counts() async throws {
        let starts = (0..<250).map { Double($0) * 86_400 }
        let first = try await page(starts)
        #expect(first.sentence.hasPrefix("250 workouts, the last on "))
        #expect(first.sentence.contains("Shown: the newest 100, 16:40 hours in total"))
        var seen = first.workouts.map(\.start)
        var next = first.older
        while let before = next {
            let page = try await page(starts, before: before)
            #expect(page.sentence.hasPrefix("250 workouts. Shown: "))
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
        var starts = (0..<99).map { Double($0 + 1000) }
        starts += Array(repeating: 500, count: 20)
        let first = try await page(starts)
        let older = try #require(first.older)
        let second = try await page(starts, before: older)
        #expect(second.workouts.count == 20 && second.older == nil)
        let many = try await page(Array(repeating: 500, count: 300))
        let rest = try await page(Array(repeating: 500, count: 300), before: many.older)
        #expect(rest.workouts.isEmpty && rest.older == nil)
        #expect(rest.sentence == "300 workouts, none in this range.")
    }

    @Test("a complete list has no links to further pages")
    func whole() async throws {
        let page = try await page([1, 2, 3])
        #expect(page.sentence.hasPrefix("3 workouts, 0:30 hours in total, the last on "))
        #expect(page.older == nil && page.total == 3)
    }

    @Test("the server rejects an invalid time with a message")
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
        for text in ["0", "-99999999999", "700000000.125"] {
            let response = try await running.send("/workouts?before=" + text, cookie: cookie)
            #expect(response.status == 200, "\(text): \(response.text.prefix(200))")
        }
    }
}
