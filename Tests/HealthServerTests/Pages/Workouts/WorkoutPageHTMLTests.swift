import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

/// The pages of workouts as HTML.
@Suite struct WorkoutPageHTMLTests {
    /// A run along the equator at 2.5 m/s for 42 minutes, up 2 m in each minute, at 140 bpm.
    private func run(splitUnit: WorkoutSplit.Unit = .kilometre) -> WorkoutsPage {
        var detail = PageExamples.detail
        let start = detail.summary.start
        detail.summary.distance = 6300
        detail.elevationGain = 84
        detail.route = (0...252).map { index in
            .init(
                time: start + Double(index) * 10, latitude: 0,
                longitude: Double(index) * 25 / 111_195.08, altitude: Double(index) / 3)
        }
        func splits(_ unit: WorkoutSplit.Unit) -> [WorkoutSplit] {
            stride(from: 0, to: 6300, by: unit.metres).map { metres in
                let length = min(unit.metres, 6300 - metres)
                return WorkoutSplit(
                    start: start + metres / 2.5, end: start + (metres + length) / 2.5,
                    distance: length, seconds: length / 2.5, averageHeartRate: 140,
                    elevationGain: 13, isPartial: length < unit.metres)
            }
        }
        detail.splits = splits(.kilometre)
        detail.mileSplits = splits(.mile)
        var page = PageExamples.workouts(detail)
        page.splitUnit = splitUnit
        page.zones = HeartRateZones(
            maximum: 180, zones: [600, 60, 0, 1260, 15],
            in: CivilDate(2023, 3, 1)...CivilDate(2024, 3, 31))
        return page
    }

    private func cells(_ markup: Markup, after heading: String) throws -> [String] {
        let start = try #require(markup.elements.firstIndex { $0.text == heading })
        return markup.elements[start...].filter { $0.name == "td" || $0.name == "th" }.map(\.text)
    }

    @Test("a workout shows pace, zones, splits and altitudes before the list")
    func detail() throws {
        let html = run().html(PageFrame())
        #expect(html.utf8.count <= 80_000)
        let markup = try Markup(html)
        let facts = zip(markup.all("dt"), markup.all("dd")).map { "\($0.text): \($1.text)" }
        #expect(facts.contains("Distance: 6.30 km"))
        #expect(facts.contains("Pace: 6:21 min/km on average"))
        #expect(facts.contains("Climb: 84 m"))
        let headings = markup.all("h2").map(\.text)
        #expect(
            headings == ["Running", "Heart rate", "Splits", "Altitude", "Workouts, newest first"])
        #expect(
            try cells(markup, after: "Splits").prefix(12) == [
                "km", "min:s", "min/km", "bpm", "m climb", "1", "6:40", "6:40", "140", "13", "2",
                "6:40",
            ])
        #expect(markup.all("th").contains { $0.text == "0.30 last, shorter" })
        #expect(
            try cells(markup, after: "Zones").dropFirst(5).prefix(8) == [
                "5", "90–100 %", "162–180", "0:15", "", "4", "80–90 %", "144–162",
            ])
        #expect(html.contains("the highest heart rate from March 2023 to March 2024"))
        #expect(markup.all("title").contains { $0.text == "Altitude" })
    }

    @Test("splits are shown in miles on request, and at most 60 of them")
    func miles() throws {
        let markup = try Markup(run(splitUnit: .mile).html(PageFrame()))
        #expect(
            try cells(markup, after: "Splits").prefix(8) == [
                "mi", "min:s", "min/mi", "bpm", "m climb", "1", "10:44", "10:44",
            ])
        let chosen = markup.all("a").filter { $0.attributes["aria-current"] == "true" }
        #expect(chosen.map(\.text).contains("Miles"))
        var long = run()
        let split = try #require(long.detail?.splits.first)
        long.detail?.splits = Array(repeating: split, count: 100)
        let html = long.html(PageFrame())
        #expect(html.contains("and 40 more, in the page’s JSON"))
        #expect(html.utf8.count <= 80_000)
    }

    @Test("without altitudes, splits and zones the page says less")
    func indoors() throws {
        var detail = PageExamples.detail
        (detail.route, detail.heartRate) = ([], [])
        let markup = try Markup(PageExamples.workouts(detail).html(PageFrame()))
        #expect(markup.all("h2").map(\.text) == ["Running", "Workouts, newest first"])
        #expect(markup.all("p").contains { $0.text == "No route was recorded." })
        #expect(markup.all("p").contains { $0.text == "No heart rate was recorded meanwhile." })
    }

    @Test("each workout is a link in one row: activity, day, and distance or duration")
    func rows() throws {
        let page = PageExamples.workouts(nil)
        let markup = try Markup(page.html(PageFrame()))
        let links = markup.all("a").filter {
            $0.attributes["href"]?.hasPrefix("/workouts/") ?? false
        }
        #expect(links.count == page.workouts.count)
        for (link, workout) in zip(links, page.workouts) {
            #expect(link.attributes["href"] == "/workouts/\(workout.id.uuidString)")
            #expect(
                link.text.hasSuffix(
                    workout.distance.map { NumberText.grouped($0 / 1000, digits: 2) + " km" }
                        ?? "0:40 h"))
        }
        let first = try #require(page.workouts.first)
        let duration = NumberText.hours(first.duration)
        #expect(links.first?.text.hasPrefix("Running \(duration) h Sat 9 Mar 2024 ") ?? false)
    }

    @Test("the weeks are bars that lead to their workouts, and records to theirs")
    func weeksAndRecords() throws {
        var page = PageExamples.workouts(nil)
        let monday = CivilDate(2023, 12, 18)
        page.weeks = (0..<12).map { index in
            let day = monday.advanced(by: index * 7)
            return WorkoutWeek(
                start: PageExamples.time(day, 0), end: PageExamples.time(day.advanced(by: 7), 0),
                count: index % 4, seconds: Double(index % 4) * 3600,
                distance: index % 4 > 1 ? 12_340 : nil)
        }
        page.records = [
            WorkoutRecord(
                activity: "running", kind: .speed, value: 1000.0 / 300,
                workout: page.workouts[3].id, date: page.workouts[3].start),
            WorkoutRecord(
                activity: "cycling", kind: .speed, value: 10, workout: page.workouts[4].id,
                date: page.workouts[4].start),
        ]
        let markup = try Markup(page.html(PageFrame()))
        #expect(
            markup.all("h2").map(\.text) == [
                "12 weeks to Sun 10 Mar 2024", "Workouts, newest first", "Records",
            ])
        let rows = markup.all("tr").map(\.text)
        #expect(rows.contains("26 Feb – 3 Mar 202422:0012.3"))
        #expect(rows.contains("4–10 Mar 2024 (so far)33:0012.3"))
        #expect(rows.contains("18–24 Dec 202300:00–"))
        let links = markup.all("a").map { ($0.attributes["href"] ?? "", $0.text) }
        // The bar, and the row of the table.
        #expect(links.count { $0.0 == "/workouts?from=2024-02-26&to=2024-03-03" } == 2)
        #expect(!links.contains { $0.0 == "/workouts?from=2023-12-18&to=2023-12-24" })
        #expect(links.contains { $0.1.hasPrefix("Fastest pace") && $0.1.hasSuffix("5:00 min/km") })
        #expect(links.contains { $0.1.hasPrefix("Fastest speed") && $0.1.hasSuffix("36.0 km/h") })
    }

    @Test("an activity with markup stays text")
    func hostile() throws {
        let bad = PageExamples.hostile
        var page = PageExamples.workouts(PageExamples.detail)
        page.workouts[0].activity = bad
        page.detail?.summary.activity = bad
        page.detail?.summary.source = bad
        page.activities = [.init(name: bad, count: 1)]
        page.filter.activity = bad
        let html = page.html(PageFrame())
        #expect(try Markup(html).all("script").count == 1)
        #expect(!html.contains("<script>alert"))
    }
}

extension HeartRateZones {
    /// Creates zones of a maximum with the given seconds.
    fileprivate init(maximum: Double, zones seconds: [Double], in days: ClosedRange<CivilDate>) {
        self.init(
            maximum: maximum, first: days.lowerBound, last: days.upperBound,
            zones: seconds.enumerated().map { index, seconds in
                Zone(
                    low: maximum * Double(index + 5) / 10, high: maximum * Double(index + 6) / 10,
                    seconds: seconds)
            }, below: 0)
    }
}
