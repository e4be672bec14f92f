import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

@Suite("Notes in charts")
struct NotedPointsTests {
    private func figure(_ series: HealthSeries, _ notes: [DayNote]) throws -> Markup {
        try Markup(
            SVGSeries(
                series: series, calendar: PageExamples.calendar, link: SeriesLink(series.metric),
                notes: notes
            ).figure.markup)
    }

    private func note(_ ago: Int, _ text: String) -> DayNote {
        DayNote(day: PageExamples.ago(ago), text: text, modified: 0)
    }

    /// The texts of the marks, without the key of the legend.
    private func marks(_ figure: Markup) -> [String] {
        figure.elements.filter { $0.attributes["class"] == "noted" && $0.attributes["cx"] != "6" }
            .map(\.text)
    }

    @Test("a note is a mark above its day and a cell of the table; other days have none")
    func marked() throws {
        let series = PageExamples.series(.steps, 100, 900, days: 7)
        let figure = try figure(series, [note(9, "earlier"), note(3, "Ran a\nfever")])
        #expect(marks(figure) == ["Ran a fever"])
        let heads = figure.all("th").filter { $0.attributes["scope"] == "col" }.map(\.text)
        #expect(heads.last == "note")
        let cells = figure.all("td").map(\.text)
        #expect(cells.count == 14 && cells[7] == "Ran a fever")
        #expect(cells.count { $0.isEmpty } == 6)
        #expect(figure.elements.contains { $0.text == "with a note" })
        let day = PageExamples.ago(3)
        let link = try #require(figure.all("a").first { $0.text == "Ran a fever" })
        #expect(link.attributes["href"] == "/type/stepCount?period=day&day=\(day)")
    }

    @Test("a chart without notes has neither marks nor a column for them")
    func unmarked() throws {
        let series = PageExamples.series(.steps, 100, 900, days: 7)
        let figure = try figure(series, [])
        #expect(marks(figure).isEmpty && figure.all("td").count == 7)
        #expect(!figure.elements.contains { $0.text == "with a note" })
    }

    @Test("a day without a value has its mark at the foot of the drawing")
    func missingValue() throws {
        let series = PageExamples.series(.heartRate, 50, 90, days: 5, missing: [2])
        let figure = try figure(series, [note(2, "Forgot the watch")])
        let mark = try #require(
            figure.elements.first { $0.attributes["class"] == "noted" && $0.text != "" })
        #expect(mark.attributes["cy"] == "190")
    }

    @Test("several notes of a point are one text with their days, and long ones are cut")
    func several() throws {
        let start = PageExamples.calendar.midnight(PageExamples.ago(6))
        let end = PageExamples.calendar.midnight(PageExamples.ago(-1))
        let series = HealthSeries(
            metric: .steps, step: .week,
            points: [HealthSeries.Point(start: start, end: end, value: 9)])
        let long = String(repeating: "x", count: 500)
        let notes = (0..<5).reversed().map { note($0, $0 == 4 ? long : "n\($0)") }
        let text = try #require(marks(figure(series, notes)).first)
        let cut = String(repeating: "x", count: 80) + "…"
        let parts = [
            "Tue 5 Mar 2024: \(cut)", "Wed 6 Mar 2024: n3", "Thu 7 Mar 2024: n2", "2 more",
        ]
        #expect(text.contains(parts.joined(separator: "; ")))
    }

    @Test("hours have no notes")
    func hours() throws {
        let start = PageExamples.calendar.midnight(PageExamples.day)
        let series = HealthSeries(
            metric: .steps, step: .hour,
            points: [
                HealthSeries.Point(start: start, end: start.addingTimeInterval(3600), value: 9)
            ])
        #expect(try marks(figure(series, [note(0, "x")])).isEmpty)
    }

    @Test("ten years of days with notes have a bounded number of marks, the latest ones")
    func many() throws {
        let series = PageExamples.series(.heartRate, 50, 90, days: 3652)
        let notes = (0..<3652).reversed().map { note($0, "day \($0) ago") }
        let marks = try marks(figure(series, notes))
        #expect(marks.count == 200)
        #expect(marks.last?.contains("day 4 ago") == true)
        #expect(marks.allSatisfy { $0.count < 400 })
    }

    @Test("markup in a note stays text in the drawing and in the table")
    func hostile() throws {
        let series = PageExamples.series(.steps, 100, 900, days: 7)
        let figure = try figure(series, [note(0, PageExamples.hostile)])
        #expect(figure.all("script").isEmpty)
        #expect(figure.all("bdi").map(\.text) == [PageExamples.hostile])
        #expect(marks(figure).count == 1)
        #expect(marks(figure).first?.contains("\u{202E}") == false)
    }
}
