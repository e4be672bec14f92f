import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct SVGSeriesTests {
    private let calendar = PageExamples.calendar

    private func markup(_ series: HealthSeries) throws -> Markup {
        try Markup(SVGSeries(series: series, calendar: calendar).figure.markup)
    }

    private func shape(_ markup: Markup, _ kind: String) throws -> String {
        try #require(
            markup.elements.first { $0.attributes["class"] == kind }?.attributes["d"])
    }

    @Test("a missing amount has no bar, a zero has a thin one")
    func missingIsNoZero() throws {
        var series = PageExamples.series(.steps, 100, 900, days: 5)
        series.points[1].value = nil
        series.points[3].value = 0
        let markup = try markup(series)
        let bars = try shape(markup, "bars picked")
        #expect(bars.count { $0 == "M" } == 4)
        #expect(bars.contains("v1h"))
        #expect(markup.elements.contains { $0.text == "no data" && $0.name == "span" })
    }

    @Test("a line is interrupted where readings are missing, a single one is a dot")
    func interrupted() throws {
        var series = PageExamples.series(.heartRate, 60, 80, days: 8)
        series.points[2].value = nil
        series.points[4].value = nil
        series.points[5].value = .nan
        let line = try shape(markup(series), "line")
        #expect(line.count { $0 == "M" } == 3)
        #expect(try shape(markup(series), "line lone").hasSuffix("h0"))
    }

    @Test("a series of which most values have no neighbour is dots, also in a sparkline")
    func dots() throws {
        var series = PageExamples.series(.heartRate, 60, 80, days: 9)
        for missing in [1, 3, 6] { series.points[missing].value = nil }
        // Runs of 1, 1, 2 and 2 values.
        #expect(try shape(markup(series), "line").count { $0 == "L" } == 2)
        for index in series.points.indices {
            series.points[index].value = index % 2 == 0 && index < 8 ? 70 : nil
        }
        #expect(SVGSeries.runs(series.points).map(\.count) == [1, 1, 1, 1])
        #expect(try !shape(markup(series), "line").contains("L"))
        #expect(try shape(markup(series), "line lone").count { $0 == "M" } == 4)
        let spark = try Markup(SVGSparkline(series: series).drawing.markup)
        #expect(try shape(spark, "line lone").count { $0 == "M" } == 4)
        #expect(!spark.elements.contains { $0.attributes["class"] == "line" })
    }

    @Test("an axis of hours has ticks at whole hours that divide a day")
    func hours() {
        #expect(ChartValueAxis([9.2], from: .zero, ticks: .hours).ticks == [0, 3, 6, 9, 12])
        #expect(ChartValueAxis([9.2], from: .zero).ticks == [0, 2.5, 5, 7.5, 10])
        #expect(ChartValueAxis([1.2], from: .zero, ticks: .hours).ticks == [0, 0.5, 1, 1.5])
        #expect(ChartValueAxis([300], from: .zero, ticks: .hours).ticks == [0, 100, 200, 300])
    }

    @Test("two charts on the same scale have the same ticks")
    func sameScale() throws {
        let low = PageExamples.series(.steps, 10, 90, days: 5)
        let high = PageExamples.series(.steps, 100, 9_000, days: 5)
        func ticks(_ series: HealthSeries, _ other: HealthSeries?) throws -> [String] {
            let figure = SVGSeries(series: series, calendar: calendar, sameScale: other).figure
            return try Markup(figure.markup).elements
                .filter { $0.attributes["class"] == "tick" }.map(\.text)
        }
        #expect(try ticks(low, high) == ticks(high, low))
        #expect(try ticks(low, high) != ticks(low, nil))
    }

    @Test(
        "an amount that may still grow isn't judged, and one that reads like a bound is within the range"
    )
    func place() {
        let unit = ChartUnit(.steps, largest: 900)
        let range = TypicalRange(low: 100, high: 900, days: 28)
        let low = unit.place(of: 50, in: range, .whole(.day)).markup
        #expect(low.hasPrefix("Below the typical range of a day"))
        #expect(unit.place(of: 950, in: range, .whole(.day)).markup.hasPrefix("Above"))
        #expect(unit.place(of: 100, in: range, .whole(.day)).markup.hasPrefix("Within"))
        // A value that reads like the bound is within the range.
        #expect(unit.place(of: 900.4, in: range, .whole(.day)).markup.hasPrefix("Within"))
        let soFar = unit.place(of: 50, in: range, .soFar(.week)).markup
        #expect(soFar.hasPrefix("So far; a whole week is typically "))
        let hours = ChartUnit(.sleep, largest: 30_000)
        #expect(hours.readable(27_240) == "7:34")
    }

    @Test(
        "the step that goes on is hatched and stands apart", arguments: [Metric.steps, .heartRate])
    func current(metric: Metric) throws {
        let series = PageExamples.series(metric, 50, 90, days: 7, isCurrent: true)
        let drawing = try markup(series)
        let now = drawing.elements.filter {
            $0.attributes["class"] == "now" && $0.attributes["width"] != "11"
        }
        #expect(now.count == 1)
        #expect(Stylesheet.text.contains(".now{fill:url(#hatch-now)"))
        let past = PageExamples.series(metric, 50, 90, days: 7)
        #expect(try !markup(past).elements.contains { $0.attributes["class"] == "now" })
    }

    @Test("ten years of days are condensed, and the highest value remains")
    func marks() throws {
        var series = PageExamples.series(.heartRate, 50, 90, days: 3652)
        series.points[2000].value = 187
        series.points[2000].maximum = 201
        let drawing = try markup(series)
        let line = try shape(drawing, "line")
        #expect(line.count { "ML".contains($0) } <= 640)
        #expect(drawing.elements.contains { $0.name == "td" && $0.text == "201" })
    }

    @Test("every number of the table is the value")
    func table() throws {
        let series = PageExamples.series(.steps, 100, 15_000, days: 30, missing: [3])
        let cells = try markup(series).all("td").map(\.text)
        let values = series.points.map { point in
            point.value.map { NumberText.grouped($0) } ?? "no data"
        }
        #expect(cells == values)
    }

    @Test("a range is zoomed by local days")
    func zoom() throws {
        let series = PageExamples.series(.steps, 100, 900, days: 2)
        var chart = SVGSeries(series: series, calendar: calendar)
        chart.address = "/trends?metric=stepCount"
        let plot = try #require(
            Markup(chart.figure.markup).elements.first { $0.attributes["data-zoom"] != nil })
        let from = try #require(plot.attributes["data-from"].flatMap(Int.init))
        #expect(from % 86_400 == 0)
        #expect(from / 86_400 == CivilDate(2024, 3, 8).dayNumber + 11_323)
    }

    @Test("a series without any value says so instead of drawing")
    func nothing() throws {
        let series = PageExamples.series(.steps, 0, 1, days: 3, missing: [0, 1, 2])
        let drawing = try markup(series)
        #expect(drawing.all("desc").first?.text == "No data in this range.")
        let empty = HealthSeries(metric: .steps, step: .day, points: [])
        #expect(try markup(empty).all("desc").first?.text == "No data in this range.")
    }
}
