import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct ChartFileTests {
    private let calendar = PageExamples.calendar

    private func svg(_ series: HealthSeries, unit: String? = nil) -> String {
        ChartFile(series, unit: unit, range: nil, calendar: calendar).svg
    }

    @Test("a file stands alone: well-formed, without variables, and every hatching is defined")
    func standsAlone() throws {
        var series = PageExamples.series(.steps, 100, 900, days: 5)
        series.points[4].isCurrent = true
        let text = svg(series)
        let document = try Markup(text)
        #expect(document.elements.first?.name == "svg")
        #expect(!text.contains("var(--"))
        #expect(!text.contains("http") || text.components(separatedBy: "http").count == 2)
        let identifiers = Set(document.elements.compactMap { $0.attributes["id"] })
        for match in text.matches(of: /url\(#([a-z-]+)\)/) {
            #expect(identifiers.contains(String(match.output.1)))
        }
    }

    @Test("the title names the metric, the step and the days")
    func title() throws {
        let titles = try Markup(svg(PageExamples.series(.steps, 100, 900, days: 5))).elements
            .filter { $0.name == "title" }
        #expect(titles.count == 1)
        let title = try #require(titles.first?.text)
        #expect(title.hasPrefix("Steps by day, "))
        #expect(title.contains(" – "))
    }

    @Test("a missing amount has no bar")
    func gap() throws {
        var series = PageExamples.series(.steps, 100, 900, days: 5)
        series.points[1].value = nil
        let bars = try Markup(svg(series)).elements
            .first { $0.attributes["class"] == "bars picked" }
        #expect(bars?.attributes["d"]?.count { $0 == "M" } == 4)
    }

    @Test("the axis has the unit that was asked for")
    func unit() throws {
        let mass = try #require(Metric(identifier: "HKQuantityTypeIdentifierBodyMass"))
        let series = PageExamples.series(mass, 150, 180, days: 5)
        #expect(svg(series, unit: "lb").contains(">lb</text>"))
        #expect(svg(series).contains(">kg</text>"))
    }
}
