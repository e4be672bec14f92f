import Foundation
import HealthCalendar
import HealthEngine
import Testing

@Suite("local times follow one rule")
struct LocalClockTests {
    private func clock(_ zone: String) throws -> LocalClock {
        LocalClock(try #require(TimeZone(identifier: zone)))
    }

    private func buckets(_ zone: String, firstWeekday: Int = 2) throws -> CalendarBuckets {
        CalendarBuckets(
            timeZone: try #require(TimeZone(identifier: zone)), firstWeekday: firstWeekday)
    }

    @Test("weeks, months and years before 1582 are those of the Gregorian calendar")
    func beforeTheReform() throws {
        let rome = try buckets("Europe/Rome")
        let day = CivilDate(1500, 3, 14)
        let noon = try #require(rome.start(of: day)) + 43_200
        #expect(rome.civilDate(rome.start(of: .month, at: noon)) == CivilDate(1500, 3, 1))
        #expect(rome.civilDate(rome.start(of: .year, at: noon)) == CivilDate(1500, 1, 1))
        let week = rome.civilDate(rome.start(of: .week, at: noon))
        #expect(week.weekday == 0 && week.dayNumber > day.dayNumber - 7)
        // The ten days that the Gregorian reform skipped are ordinary days here.
        let (from, to) = try (rome.time("1582-10-01"), rome.time("1582-11-01"))
        #expect(try rome.edges(from: from, to: to, by: .day).count == 32)
        #expect(try rome.edges(from: from, to: to, by: .month) == [from, to])
        #expect(
            try rome.edges(from: noon, to: to, by: .year).map(rome.civilDate)
                == (1500...1583).map { CivilDate($0, 1, 1) })
    }

    @Test(
        "a date that clocks showed twice is one day, and so is one they went back from at noon",
        arguments: [
            ("Pacific/Kwajalein", CivilDate(1969, 9, 30), 47.0),
            ("Pacific/Apia", CivilDate(1892, 7, 4), 48),
            ("America/Juneau", CivilDate(1867, 10, 19), 48),
        ])
    func repeatedDates(zone: String, day: CivilDate, hours: Double) throws {
        let clock = try clock(zone)
        let (start, end) = (clock.start(of: day), clock.start(of: day.advanced(by: 1)))
        #expect(end - start == hours * 3600)
        for moment in stride(from: start, to: end, by: 600) {
            #expect(clock.day(at: moment) == day, "\(moment)")
        }
        #expect(clock.day(at: start - 1) == day.advanced(by: -1))
    }

    @Test("local times that are skipped have no moment, repeated ones have two")
    func localTimes() throws {
        let berlin = try buckets("Europe/Berlin")
        let (spring, autumn) = (CivilDate(2024, 3, 31), CivilDate(2024, 10, 27))
        #expect(berlin.moment(2, 30, on: spring) == nil)
        #expect(berlin.clock.first(showing: spring, secondOfDay: 9_000) == 733_539_600)
        let three = try #require(berlin.moment(3, 0, on: spring))
        #expect(berlin.text(three) == "2024-03-31T03:00:00+02:00")
        let twice = berlin.clock.moments(showing: autumn, secondOfDay: 9_000)
        #expect(twice.map(berlin.text).map { $0.suffix(6) } == ["+02:00", "+01:00"])
        #expect(berlin.moment(2, 30, on: autumn) == twice.first)
        #expect(try buckets("Pacific/Apia").moment(12, 0, on: CivilDate(2011, 12, 30)) == nil)
        #expect(try buckets("America/Sao_Paulo").moment(0, 0, on: CivilDate(2018, 11, 4)) == nil)
    }

    @Test("the hour that comes again after midnight is of the new day, whatever the clocks show")
    func repeatedMidnight() throws {
        let clock = try clock("America/Goose_Bay")
        let midnight = clock.start(of: CivilDate(2005, 10, 30))
        #expect(clock.reading(at: midnight + 120).date == CivilDate(2005, 10, 29))
        #expect(clock.day(at: midnight + 120) == CivilDate(2005, 10, 30))
        let night = try buckets("America/Goose_Bay").noonToNoon(containing: midnight + 120)
        #expect(night.morning == CivilDate(2005, 10, 30) && night.end - night.start == 25 * 3600)
    }

    @Test("a night over a date that the zone skipped ends on the next")
    func nightOverASkippedDate() throws {
        let apia = try buckets("Pacific/Apia")
        let evening = try apia.time("2011-12-29") + 22 * 3600
        let night = apia.noonToNoon(containing: evening)
        #expect(night.morning == CivilDate(2011, 12, 31) && night.end - night.start == 86_400)
        #expect(apia.noonToNoon(containing: night.end - 1).start == night.start)
        #expect(apia.day(ofSleepAt: evening, cut: 18) == CivilDate(2011, 12, 31))
    }

    @Test("moments without end have a day", arguments: [.nan, .infinity, -.infinity, 1e300, -1e17])
    func endlessMoments(time: Double) throws {
        for zone in ["UTC", "Europe/Berlin", "Pacific/Apia"] {
            let clock = try clock(zone)
            let day = clock.day(at: time)
            #expect(clock.start(of: day).isFinite)
            #expect(try buckets(zone).start(of: .year, at: time).isFinite)
        }
    }

    @Test(
        "the first day of a step at or after a day",
        arguments: [
            (CivilDate(2024, 3, 13), 1, CalendarStep.week, CivilDate(2024, 3, 18)),
            (CivilDate(2024, 3, 18), 1, .week, CivilDate(2024, 3, 18)),
            (CivilDate(2024, 3, 13), 14, .day, CivilDate(2024, 3, 13)),
            (CivilDate(2024, 3, 1), 3, .month, CivilDate(2024, 4, 1)),
            (CivilDate(2023, 12, 2), 6, .month, CivilDate(2024, 1, 1)),
            (CivilDate(-1, 12, 2), 1, .month, CivilDate(0, 1, 1)),
            (CivilDate(2021, 1, 2), 5, .year, CivilDate(2025, 1, 1)),
        ])
    func nextSteps(day: CivilDate, count: Int, step: CalendarStep, next: CivilDate) {
        #expect(day.next(count, step, 2) == next)
    }
}
