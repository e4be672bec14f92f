import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

/// The days of a report, the person's words, and gaps.
@Suite struct ReportPeriodTests {
    private let today = CivilDate(2026, 10, 1)

    private func days(
        _ from: CivilDate? = nil, _ to: CivilDate? = nil, latest: CivilDate? = nil
    ) throws(PageError) -> ClosedRange<CivilDate> {
        try ReportPage.days(from: from, to: to, latest: latest, today: today)
    }

    @Test("without a request, a report has the 90 days up to the latest data")
    func standard() throws {
        let latest = CivilDate(2026, 9, 28)
        #expect(try days(latest: latest) == CivilDate(2026, 7, 1)...latest)
        #expect(try days().upperBound == today)
        #expect(try days(CivilDate(2026, 9, 1), latest: latest) == CivilDate(2026, 9, 1)...latest)
        let march = CivilDate(2024, 3, 31)
        #expect(try days(nil, march, latest: latest) == CivilDate(2024, 1, 2)...march)
    }

    @Test("a report never ends after today, and its days can all be requested")
    func bounds() throws {
        #expect(try days(today, CivilDate(9999, 12, 31)) == today...today)
        let first = CivilDate.supportedRange.lowerBound
        #expect(try days(nil, first.advanced(by: 3)) == first...first.advanced(by: 3))
        #expect(try days(latest: CivilDate(-400, 1, 1)) == first...first)
        #expect(ReportPage.withDaysBefore(first...first) == first...first)
        let march = CivilDate(2024, 3, 1)...CivilDate(2024, 3, 30)
        #expect(ReportPage.withDaysBefore(march) == CivilDate(2024, 1, 31)...march.upperBound)
    }

    @Test("more than 366 days, or an end before the start, are refused")
    func limits() throws {
        let last = CivilDate(2026, 9, 30)
        #expect(try days(last.advanced(by: -365), last).lowerBound == last.advanced(by: -365))
        let long = #expect(throws: PageError.self) { try days(last.advanced(by: -366), last) }
        #expect(
            long
                == PageError.badRequest(
                    "A report has at most 366 days. Choose a later first day or an earlier last "
                        + "day."))
        let inverted = #expect(throws: PageError.self) { try days(today, last) }
        #expect(
            inverted
                == PageError.badRequest(
                    "The report ends before it starts: 2026-10-01 to 2026-09-30."))
    }

    @Test("the latest day is that of the newest data of the report’s types")
    func latest() throws {
        let store = try ReportStore()
        try store.add("restingHeartRate", 3, 8, value: 60)
        try store.add("stepCount", 7, 23, value: 100, hours: 1)
        try store.add("vo2Max", 20, 8, value: 41)
        try store.write()
        let file = try store.open()
        let utc = CalendarBuckets(timeZone: .gmt)
        func latest(before day: Int) throws -> CivilDate? {
            let now = Date(timeIntervalSinceReferenceDate: ReportStore.time(day, 12))
            return try ReportPage.latestDay(in: file, utc, now: now)
        }
        #expect(try latest(before: 40) == CivilDate(2024, 3, 8))
        #expect(try latest(before: 5) == CivilDate(2024, 3, 6))
        let empty = try ReportPage.latestDay(in: SampleStore.inMemory(), utc, now: .now)
        #expect(empty == nil)
    }

    @Test("words keep their lines, without empty ones and control characters")
    func words() throws {
        #expect(try ReportPage.words(nil) == nil)
        #expect(try ReportPage.words(" \r\n\t\n") == nil)
        let text = "  I feel tired.\r\n\r\nSince\tMarch.\u{7}  "
        #expect(try ReportPage.words(text) == "I feel tired.\nSince March.\u{FFFD}")
        let lines = (1...30).map(String.init).joined(separator: "\n")
        let kept = try #require(try ReportPage.words(lines)).split(separator: "\n")
        #expect(kept.count == 24 && kept.last == "24 25 26 27 28 29 30")
    }

    @Test("more than a thousand characters are refused")
    func longWords() throws {
        let text = String(repeating: "ä", count: 1_000)
        #expect(try ReportPage.words(text) == text)
        let error = #expect(throws: PageError.self) { try ReportPage.words(text + "b") }
        #expect(error == PageError.badRequest("The words are too long: at most 1000 characters."))
    }

    @Test("a gap has at least seven days, also at the start and the end")
    func gaps() {
        let days = CivilDate(2024, 3, 1)...CivilDate(2024, 3, 30)
        func gaps(_ known: [Int]) -> [ReportPage.Gap] {
            ReportDays.gaps(in: days, without: Set(known.map { CivilDate(2024, 3, $0) }))
        }
        func gap(_ first: Int, _ last: Int) -> ReportPage.Gap {
            .init(first: CivilDate(2024, 3, first), last: CivilDate(2024, 3, last))
        }
        #expect(gaps([]) == [gap(1, 30)])
        #expect(gaps(Array(1...30)).isEmpty)
        #expect(gaps([7, 14, 21, 28]).isEmpty)
        #expect(gaps([8, 16, 23]) == [gap(1, 7), gap(9, 15), gap(24, 30)])
        #expect(gaps([31]) == [gap(1, 30)])
    }

    @Test("the chart of a long period has at most 92 points, each of as many days")
    func chart() {
        let calendar = Calendar.of(timeZone: "Europe/Berlin")
        let days = CivilDate(2024, 1, 1)...CivilDate(2024, 12, 31)
        let points = days.days.map { day in
            HealthSeries.Point(
                start: calendar.midnight(day), end: calendar.midnight(day.advanced(by: 1)),
                value: day.month == 6 ? nil : Double(day.day))
        }
        let chart = ReportDays(points, of: .weight, in: days, calendar).chart
        #expect(chart.daysPerPoint == 4 && chart.points.count == 92)
        #expect(chart.points[0].value == 2.5)
        #expect(chart.points[0].minimum == 1 && chart.points[0].maximum == 4)
        #expect(chart.points.last?.end == calendar.midnight(CivilDate(2025, 1, 1)))
        #expect(chart.points.contains { $0.value == nil })
        #expect(zip(chart.points, chart.points.dropFirst()).allSatisfy { $0.end == $1.start })
    }
}
