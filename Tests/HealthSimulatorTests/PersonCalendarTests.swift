import Foundation
import HealthEngine
import Testing

@testable import HealthSimulator

@Suite struct PersonCalendarTests {
    @Test(
        "midnights are Foundation's, also where clocks skip midnight or change on the day",
        arguments: [
            "America/New_York", "Europe/Lisbon", "America/Sao_Paulo", "Asia/Beirut",
            "Africa/Cairo", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC",
        ])
    func midnights(zone: String) throws {
        let person = SimulatedPerson(
            years: 20, records: 100_000, end: CivilDate(2026, 11, 2), homeTimeZone: zone)
        let days = try PersonCalendar(person)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        for day in 0...days.count {
            let date = days.date(day)
            let noon = try #require(
                calendar.date(
                    from: DateComponents(
                        year: date.year, month: date.month, day: date.day, hour: 12)))
            let expected = Int(calendar.startOfDay(for: noon).timeIntervalSinceReferenceDate)
            #expect(days.homeMidnights[day] == expected, "\(date)")
        }
    }

    @Test("a year away is a fortnight, in another zone, never on the first or last day")
    func travels() throws {
        let days = try PersonCalendar(SimulatedPerson(years: 3, records: 100_000))
        let away = (0..<days.count).filter(days.isTravelling)
        #expect(away.count == 3 * PersonCalendar.tripLength)
        for day in away { #expect(days.zone(day).identifier == "Europe/Lisbon") }
        #expect(!days.isTravelling(0) && !days.isTravelling(days.count - 1))
    }

    @Test("dates read back as written, impossible ones are refused")
    func dates() {
        for number in stride(from: -800_000, to: 800_000, by: 37) {
            let date = CivilDate(dayNumber: number)
            #expect(date.dayNumber == number)
            if date.year > 999 { #expect(CivilDate(date.description) == date) }
        }
        #expect(CivilDate(2001, 1, 1).dayNumber == 0)
        #expect(CivilDate("2024-02-29") == CivilDate(2024, 2, 29))
        for text in ["2023-02-29", "2023-13-01", "2023-1-1", "", "2023-01-01T00", "-023-01-01"] {
            #expect(CivilDate(text) == nil, "\(text)")
        }
    }
}
