import Foundation
import HealthCalendar
import HealthEngine
import Testing

@Suite("steps are counted in calendar days")
struct CalendarStepTests {
    private func calendar(_ zone: String) throws -> Calendar {
        Calendar.gregorian(in: try #require(TimeZone(identifier: zone)))
    }

    @Test(
        "steps before a time are counted over a change of the clocks",
        arguments: [
            (CalendarStep.day, 29, CivilDate(2024, 3, 9)),
            (.week, 12, CivilDate(2024, 1, 8)),
            (.month, 12, CivilDate(2023, 4, 1)),
            (.day, 0, CivilDate(2024, 4, 7)),
        ])
    func before(step: CalendarStep, count: Int, first: CivilDate) throws {
        let berlin = try calendar("Europe/Berlin")
        let midnight = berlin.midnight(CivilDate(2024, 4, 7))
        for hours in [0.0, 0.5, 12, 23.5] {
            let start = berlin.start(of: step, count, before: midnight + hours * 3600)
            #expect(start == berlin.midnight(first), "\(hours)")
        }
    }

    @Test(
        "the last thirty days are thirty, over a date that a zone skipped or had twice",
        arguments: [
            ("Pacific/Apia", CivilDate(2012, 1, 10), CivilDate(2011, 12, 11)),
            ("Pacific/Apia", CivilDate(2011, 12, 31), CivilDate(2011, 12, 1)),
            ("Pacific/Kwajalein", CivilDate(1969, 10, 10), CivilDate(1969, 9, 11)),
        ])
    func thirtyDays(zone: String, last: CivilDate, first: CivilDate) throws {
        let calendar = try calendar(zone)
        let day = try #require(calendar.interval(of: last))
        let start = calendar.start(of: .day, 29, before: day.start)
        #expect(start == calendar.midnight(first))
        let boundaries = calendar.boundaries(
            by: .day, over: DateInterval(start: start, end: day.end))
        #expect(boundaries.count == 31)
    }

    @Test("the days around a skipped date are neighbours")
    func existingDays() throws {
        let apia = CalendarBuckets(calendar: try calendar("Pacific/Apia"))
        let (before, after) = (CivilDate(2011, 12, 29), CivilDate(2011, 12, 31))
        #expect(apia.existingDay(1, after: before) == after)
        #expect(apia.existingDay(-1, after: after) == before)
        #expect(apia.existingDay(3, after: before) == CivilDate(2012, 1, 2))
        #expect(apia.existingDay(0, after: before) == before)
    }

    @Test("an interval of days ends before the midnight after the last one")
    func intervals() throws {
        let berlin = try calendar("Europe/Berlin")
        let days = CivilDate(2024, 3, 30)...CivilDate(2024, 3, 31)
        let interval = try #require(berlin.interval(of: days))
        #expect(interval.duration == 47 * 3600)
        #expect(berlin.days(of: interval) == days)
        let longer = DateInterval(start: interval.start, duration: interval.duration + 1)
        #expect(berlin.days(of: longer) == CivilDate(2024, 3, 30)...CivilDate(2024, 4, 1))
        let empty = DateInterval(start: interval.start, duration: 0)
        #expect(berlin.days(of: empty) == CivilDate(2024, 3, 30)...CivilDate(2024, 3, 30))
    }

    @Test("a skipped date at the end of an interval is left out")
    func skippedEnds() throws {
        let apia = try calendar("Pacific/Apia")
        let (before, after) = (CivilDate(2011, 12, 29), CivilDate(2011, 12, 31))
        let skipped = CivilDate(2011, 12, 30)
        #expect(apia.interval(of: before...skipped) == apia.interval(of: before))
        #expect(apia.interval(of: skipped...after) == apia.interval(of: after))
        #expect(apia.interval(of: skipped...skipped) == nil)
        let both = try #require(apia.interval(of: before...after))
        #expect(both.duration == 48 * 3600)
    }

    @Test("all days of a range are listed")
    func listedDays() {
        let days = CivilDate(2024, 2, 28)...CivilDate(2024, 3, 1)
        #expect(days.days.map(\.description) == ["2024-02-28", "2024-02-29", "2024-03-01"])
    }

    @Test(
        "steps of an axis start on the first weekday, or on multiples of months and years",
        arguments: [
            (CalendarStep.week, 1, 2, ["2024-03-18", "2024-03-25"]),
            (.week, 1, 1, ["2024-03-17", "2024-03-24", "2024-03-31"]),
            (.week, 2, 2, ["2024-03-18"]),
            (.day, 7, 2, ["2024-03-13", "2024-03-20", "2024-03-27"]),
            (.month, 1, 2, []),
            (.hour, 1, 2, ["2024-03-13"]),
        ])
    func starts(step: CalendarStep, count: Int, firstWeekday: Int, expected: [String]) {
        let starts = CivilDate.starts(
            of: step, every: count, from: CivilDate(2024, 3, 13), through: CivilDate(2024, 3, 31),
            firstWeekday: firstWeekday)
        #expect(starts.map(\.description) == expected)
    }

    @Test("the last day of an axis is included, and a range that ends before it begins has none")
    func startsOfLongSteps() {
        func starts(
            _ step: CalendarStep, _ count: Int, _ first: CivilDate, _ last: CivilDate
        ) -> [CivilDate] {
            CivilDate.starts(of: step, every: count, from: first, through: last, firstWeekday: 2)
        }
        #expect(
            starts(.month, 3, CivilDate(2023, 12, 2), CivilDate(2024, 10, 1))
                == [1, 4, 7, 10].map { CivilDate(2024, $0, 1) })
        #expect(
            starts(.year, 5, CivilDate(2021, 1, 2), CivilDate(2030, 1, 1))
                == [CivilDate(2025, 1, 1), CivilDate(2030, 1, 1)])
        for step in CalendarStep.allCases {
            #expect(starts(step, 1, CivilDate(2024, 3, 2), CivilDate(2024, 3, 1)).isEmpty)
        }
    }

    @Test(
        "a step is named by its first day, without the parts that are always 1",
        arguments: [
            (CivilDate(2024, 3, 4), CalendarStep.day, "2024-03-04"),
            (CivilDate(2024, 3, 4), .week, "2024-03-04"),
            (CivilDate(2024, 3, 1), .month, "2024-03"), (CivilDate(2024, 1, 1), .year, "2024"),
            (CivilDate(-44, 3, 1), .month, "-0044-03"), (CivilDate(12_024, 1, 1), .year, "12024"),
        ])
    func names(day: CivilDate, step: CalendarStep, name: String) {
        #expect(day.name(of: step) == name)
    }

    @Test("no step is shorter than its lower bound", arguments: [CalendarStep.day, .week, .month])
    func minimumSeconds(step: CalendarStep) throws {
        for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"] {
            let calendar = try calendar(zone)
            let years = DateInterval(
                start: calendar.midnight(CivilDate(2020, 1, 1)),
                end: calendar.midnight(CivilDate(2025, 1, 1)))
            let boundaries = calendar.boundaries(by: step, over: years)
            for count in 1...3 {
                let least = zip(boundaries, boundaries.dropFirst(count))
                    .map { $1.timeIntervalSince($0) }.min()
                #expect(try #require(least) >= step.minimumSeconds(count), "\(zone) \(count)")
            }
        }
    }

    @Test("boundaries are clipped to finite bounds only")
    func clippedBoundaries() throws {
        let berlin = CalendarBuckets(calendar: try calendar("Europe/Berlin"))
        let (first, last) = try (berlin.time("2024-03-30"), berlin.time("2024-04-01"))
        let (from, to) = (first + 600, last - 600)
        let inner = try berlin.time("2024-03-31")
        #expect(
            try berlin.edges(from: from, to: to, by: .day, within: (from, to))
                == [from, inner, to])
        #expect(
            try berlin.edges(from: from, to: to, by: .day, within: (-.infinity, .infinity))
                == [first, inner, last])
        #expect(
            try berlin.edges(from: from, to: to, by: .day, within: (-.infinity, to))
                == [first, inner, to])
    }

    @Test("days in UTC start every 86,400 seconds, before 2001 too")
    func daysInUTC() {
        #expect(UTCDay.number(containing: 86_399.5) == 0 && UTCDay.number(containing: -0.5) == -1)
        #expect(
            UTCDay.start(containing: 86_400.5) == 86_400 && UTCDay.start(containing: -1) == -86_400)
        #expect(UTCDay.start(-2) == -172_800)
        #expect(UTCDay.number(containing: .nan) == 0)
        #expect(
            UTCDay.number(containing: 1e300) == .max && UTCDay.number(containing: -1e300) == .min)
    }
}
