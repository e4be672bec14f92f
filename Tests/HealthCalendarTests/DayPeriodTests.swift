import Foundation
import HealthCalendar
import HealthEngine
import Testing

@Suite("periods are written in words and numbers")
struct DayPeriodTests {
    /// A Friday.
    private let today = CivilDate(2026, 11, 27)

    @Test(
        "each form names its days",
        arguments: [
            ("today", "2026-11-27", "2026-11-28"), ("Yesterday", "2026-11-26", "2026-11-27"),
            ("last day", "2026-11-26", "2026-11-27"),
            ("thursday", "2026-11-26", "2026-11-27"), ("last Tuesday", "2026-11-24", "2026-11-25"),
            ("friday", "2026-11-20", "2026-11-21"), ("sat", "2026-11-21", "2026-11-22"),
            ("this week", "2026-11-23", "2026-11-30"), ("last week", "2026-11-16", "2026-11-23"),
            ("this month", "2026-11-01", "2026-12-01"), ("last month", "2026-10-01", "2026-11-01"),
            ("this year", "2026-01-01", "2027-01-01"), ("last year", "2025-01-01", "2026-01-01"),
            ("1d", "2026-11-27", "2026-11-28"), ("30d", "2026-10-29", "2026-11-28"),
            ("last 30 days", "2026-10-29", "2026-11-28"), ("2w", "2026-11-14", "2026-11-28"),
            ("6m", "2026-05-28", "2026-11-28"), ("9 months", "2026-02-28", "2026-11-28"),
            ("1y", "2025-11-28", "2026-11-28"), ("2025", "2025-01-01", "2026-01-01"),
            ("2025-02", "2025-02-01", "2025-03-01"), ("2024-02-29", "2024-02-29", "2024-03-01"),
        ])
    func forms(text: String, first: String, end: String) throws {
        let period = try DayPeriod(text, today: today, firstWeekday: 2)
        #expect(period.first.description == first)
        #expect(period.end.description == end)
    }

    @Test("months back from a day that the month lacks end on its last day")
    func shortMonths() throws {
        let period = try DayPeriod("1m", today: CivilDate(2026, 3, 30), firstWeekday: 2)
        #expect(period.first == CivilDate(2026, 2, 28))
    }

    @Test("a week starts on the first weekday of the calendar")
    func sundays() throws {
        let period = try DayPeriod("this week", today: today, firstWeekday: 1)
        #expect(period.first == CivilDate(2026, 11, 22))
    }

    @Test(
        "what is no period is named",
        arguments: [
            "", "tomorrow", "next week", "0d", "-3d", "30", "d", "2025-13", "2025-1", "week",
            "last", "last last week", "99999999999999999999d", "this day", "2025-02-30", "１2d",
        ])
    func refused(_ text: String) {
        let error = #expect(throws: CalendarError.self) {
            try DayPeriod(text, today: today, firstWeekday: 2)
        }
        #expect(error == .notAPeriod(text))
    }

    @Test("periods before the year 1 are out of range", arguments: ["900000d", "0000", "4000y"])
    func outOfRange(_ text: String) {
        #expect(throws: CalendarError.outOfRange(text)) {
            try DayPeriod(text, today: today, firstWeekday: 2)
        }
    }

    @Test(
        "the period before has as many days, or as many months",
        arguments: [
            ("today", "2026-11-26"), ("2w", "2026-10-31"), ("last week", "2026-11-09"),
            ("2026-03", "2026-02-01"), ("this year", "2025-01-01"), ("2025", "2024-01-01"),
        ])
    func previous(text: String, first: String) throws {
        let period = try DayPeriod(text, today: today, firstWeekday: 2)
        #expect(period.previous.first.description == first)
        #expect(period.previous.end == period.first)
    }

    @Test("a period's times are the starts of its local days")
    func times() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let berlin = CalendarBuckets(timeZone: zone)
        let day = try DayPeriod("2024-03-31", today: today, firstWeekday: 2)
        let times = berlin.times(of: day)
        #expect(times.to - times.from == 23 * 3600)
        #expect(try berlin.time("yesterday", today: today) == berlin.time("2026-11-26"))
        #expect(try berlin.time("2024-03-31", today: today) == times.from)
    }
}
