import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthSimulator

@Suite("days and local times are those of Python's zoneinfo", .comparedWithPython)
struct ZoneAgreementTests {
    /// Unusual zones: half an hour, a missing date, two or more changes a year, winter time as the
    /// exception, two hours, the date line, changes at midnight, a repeated midnight, irregular
    /// rules.
    static let odd = [
        "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Europe/Dublin",
        "Antarctica/Troll", "Pacific/Kwajalein", "America/Sao_Paulo", "Atlantic/Azores",
        "Africa/Cairo", "Asia/Gaza", "America/Goose_Bay",
    ]

    @Test("around every change from 1970 to 2050 of zones with odd rules")
    func oddZones() throws {
        let changes = try ZoneChange.all(of: ZoneAgreementTests.odd)
        #expect(changes.count > 1000)
        #expect(Set(changes.map(\.zone)) == Set(ZoneAgreementTests.odd))
        for change in changes { try agree(on: change) }
    }

    @Test("around every change from 1970 to 2050 of every zone that Foundation knows", .inTestAll)
    func everyZone() throws {
        let zones = TimeZone.knownTimeZoneIdentifiers
        let changes = try ZoneChange.all(of: zones)
        #expect(Set(changes.map(\.zone)).count > 250)
        for change in changes { try agree(on: change) }
    }

    private func agree(on change: ZoneChange) throws {
        let zone = try #require(TimeZone(identifier: change.zone), "\(change.zone)")
        let clock = LocalClock(zone)
        let calendar = CalendarBuckets(timeZone: zone)
        let place = "\(change.zone) at \(change.time)"
        #expect(clock.offset(at: change.time - 1) == change.before, "\(place)")
        #expect(clock.offset(at: change.time) == change.after, "\(place)")
        for (day, next) in zip(change.days, change.days.dropFirst()) {
            #expect(clock.start(of: day.date) == day.start, "\(day.date) of \(place)")
            // A skipped date starts when the next one does.
            let isSkipped = day.start == next.start
            #expect(clock.contains(day.date) == !isSkipped, "\(day.date) of \(place)")
            #expect(calendar.start(of: day.date) == (isSkipped ? nil : day.start), "\(place)")
            if isSkipped { continue }
            for moment in [day.start, change.time - 1, change.time, next.start - 1]
            where day.start <= moment && moment < next.start {
                #expect(clock.day(at: moment) == day.date, "\(moment) of \(place)")
                #expect(calendar.start(of: .day, at: moment) == day.start, "\(place)")
                #expect(calendar.end(of: .day, at: moment) == next.start, "\(place)")
            }
        }
        let starts = change.days.map(\.start)
        let edges = try calendar.edges(from: starts[0], to: starts[starts.count - 1], by: .day)
        #expect(edges == Array(Set(starts)).sorted(), "\(place)")
        for (reading, moments) in change.localTimes {
            let (date, second) = CivilDate.split(seconds: reading)
            #expect(
                clock.moments(showing: date, secondOfDay: second) == moments,
                "\(date) \(second) of \(place)")
            // A missing local time maps to the change itself.
            #expect(
                clock.first(showing: date, secondOfDay: second) == moments.first ?? change.time,
                "\(date) \(second) of \(place)")
            for moment in moments {
                let shown = clock.reading(at: moment)
                #expect(shown.date == date && shown.secondOfDay == second, "\(place)")
            }
        }
        try simulatorAgrees(on: change)
    }

    /// Checks the simulator's calendar, which is the reference in other tests.
    private func simulatorAgrees(on change: ZoneChange) throws {
        guard let last = change.days.last else { return }
        let person = SimulatedPerson(
            days: change.days.count - 1, end: last.date, homeTimeZone: change.zone)
        let midnights = try PersonCalendar(person).homeMidnights
        #expect(
            midnights == change.days.map { Int($0.start) }, "\(change.zone) at \(change.time)")
    }
}
