import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct DateNavigationTests {
    private func links(
        _ period: SummaryPage.Period?, _ day: CivilDate,
        newest: CivilDate? = CivilDate(2024, 3, 10),
        firstWeekday: Int = 2
    ) throws -> [(text: String, address: String, attributes: [String: String])] {
        let calendar = Calendar.gregorian(in: .gmt, firstWeekday: firstWeekday)
        let html = DateNavigation(
            address: "/?", period: period, day: day, newest: newest, calendar: calendar
        ).html
        return try Markup("<div>\(html.markup)</div>").all("a").map {
            ($0.text, $0.attributes["href"] ?? "", $0.attributes)
        }
    }

    @Test("the keys lead to the period before, the one after and the latest")
    func keys() throws {
        let links = try links(.month, CivilDate(2024, 1, 1))
        func address(_ key: String) -> String? {
            links.first { $0.attributes["data-key"] == key }?.address
        }
        #expect(address("ArrowLeft") == "/?period=month&day=2023-12-01")
        #expect(address("ArrowRight") == "/?period=month&day=2024-02-01")
        #expect(address("t") == "/?period=month")
    }

    @Test("there is no link to days after the last data, nor outside the calendar")
    func ends() throws {
        let last = try links(.day, CivilDate(2024, 3, 10))
        #expect(!last.contains { $0.attributes["data-key"] == "ArrowRight" })
        #expect(!last.contains { $0.address.contains("2024-03-11") })
        #expect(last.contains { $0.address == "/?period=day&day=2024-03-09" })
        let first = try links(.day, CivilDate.supportedRange.lowerBound, newest: nil)
        #expect(!first.contains { $0.attributes["data-key"] == "ArrowLeft" })
        let end = try links(.year, CivilDate.supportedRange.upperBound, newest: nil)
        #expect(!end.contains { $0.attributes["data-key"] == "ArrowRight" })
    }

    @Test("the calendar has each day of the month once, and marks those of the period")
    func calendar() throws {
        let february = try links(.week, CivilDate(2024, 2, 5)).filter {
            $0.address.contains("day=2024-02-") && Int($0.text) != nil
        }
        #expect(february.compactMap { Int($0.text) } == Array(1...29))
        let shown = february.filter { $0.attributes["aria-current"] == "date" }
        #expect(shown.map(\.text) == ["5", "6", "7", "8", "9", "10", "11"])
    }

    @Test("a week's columns begin with the first weekday")
    func firstWeekday() throws {
        let html = DateNavigation(
            address: "/?", period: .day, day: CivilDate(2024, 3, 10), newest: nil,
            calendar: .gregorian(in: .gmt, firstWeekday: 1)
        ).html
        let markup = try Markup("<div>\(html.markup)</div>")
        #expect(markup.all("abbr").map(\.text) == ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"])
        // March 2024 begins on a Friday, the sixth column.
        #expect(markup.all("td").prefix(6).map(\.text) == ["", "", "", "", "", "1"])
    }

    @Test("a page without a choice of length has no tabs, and days without a period")
    func night() throws {
        let links = try links(nil, CivilDate(2024, 3, 8))
        #expect(!links.contains { $0.text == "Month" })
        #expect(links.contains { $0.address == "/?day=2024-03-07" })
    }
}
