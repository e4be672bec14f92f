import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct SVGYearTests {
    private let calendar = Calendar.gregorian(in: .gmt)

    private func year(_ value: (Int) -> Double?) throws -> Markup {
        let first = CivilDate(2024, 1, 1)
        let points = (0..<366).map { day in
            HealthSeries.Point(
                start: calendar.midnight(first.advanced(by: day)),
                end: calendar.midnight(first.advanced(by: day + 1)), value: value(day))
        }
        let series = HealthSeries(metric: .steps, step: .day, points: points)
        return try Markup(SVGYear(series: series, calendar: calendar).figure.markup)
    }

    private func squares(_ markup: Markup) -> [[String: String]] {
        markup.all("path").map(\.attributes).filter { $0["class"]?.hasPrefix("y") ?? false }
    }

    /// The horizontal places of squares, in order: "28" of "M28 20h14v14h-14z".
    private func places(_ squares: [[String: String]]) -> [String] {
        squares.compactMap { $0["d"]?.dropFirst().split(separator: " ").first.map(String.init) }
    }

    @Test("a leap year has 366 squares in 53 columns of seven, from Monday")
    func places() throws {
        let squares = squares(try year { Double($0) })
        #expect(squares.count == 366)
        // 1 January 2024 was a Monday.
        let places = places(squares)
        #expect(places[0] == places[6] && places[0] != places[7])
        #expect(Set(places).count == 53)
    }

    @Test("each fifth of the days has a step, and a day without data is only outlined and no link")
    func steps() throws {
        let markup = try year { $0 < 300 ? Double($0) : nil }
        let classes = squares(markup).compactMap { $0["class"] }
        #expect(classes.prefix(60).allSatisfy { $0 == "y1" })
        #expect(classes[299] == "y5" && classes[300] == "y0")
        #expect(markup.all("a").count == 300)
        #expect(
            markup.all("a").first?.attributes["href"] == "/type/stepCount?period=day&day=2024-01-01"
        )
    }

    @Test("days to come have no square")
    func future() throws {
        let first = CivilDate(2024, 1, 1)
        let points = (0..<366).map { day in
            HealthSeries.Point(
                start: calendar.midnight(first.advanced(by: day)),
                end: calendar.midnight(first.advanced(by: day + 1)),
                value: day <= 99 ? 5 : nil, isCurrent: day == 99)
        }
        let series = HealthSeries(metric: .steps, step: .day, points: points)
        let markup = try Markup(SVGYear(series: series, calendar: calendar).figure.markup)
        #expect(squares(markup).count == 100)
    }

    @Test("values that are all equal, and values that aren't finite, are drawn")
    func odd() throws {
        #expect(squares(try year { _ in 5 }).count == 366)
        let infinite = squares(try year { $0 == 3 ? .infinity : $0 == 4 ? .nan : 7 })
        #expect(infinite[3]["class"] == "y0" && infinite[4]["class"] == "y0")
        #expect(squares(try year { _ in nil }).allSatisfy { $0["class"] == "y0" })
    }
}
