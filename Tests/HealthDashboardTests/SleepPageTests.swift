import Foundation
import HealthCalendar
import HealthEngine
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// The content of the page of nights.
@Suite struct SleepPageTests {
    private let far = Date(timeIntervalSinceReferenceDate: 8e8)

    private func page(
        _ world: PageWorld, _ days: ClosedRange<CivilDate>, chosen: CivilDate? = nil
    ) async throws -> SleepPage {
        try await SleepPage(of: world.service, days, chosen: chosen, context: world.context)
    }

    @Test("the sentence has the hours asleep without naps, and the night")
    func stages() async throws {
        let world = try PageWorld("Europe/Berlin", now: far)
        let day = CivilDate(2024, 3, 10)
        let bedtime = try world.start(of: day) - 3600
        try await world.sleep(.asleepCore, from: bedtime, hours: 4)
        try await world.sleep(.awake, from: bedtime + 4 * 3600, hours: 0.25)
        try await world.sleep(.asleepDeep, from: bedtime + 4.25 * 3600, hours: 1.5)
        try await world.sleep(.asleepREM, from: bedtime + 5.75 * 3600, hours: 1)
        try await world.sleep(.asleepUnspecified, from: bedtime + 16 * 3600, hours: 0.5)
        let shown = try await page(world, day...day)
        let source = try #require(shown.nights.first?.parts.first?.source)
        #expect(
            shown.sentence == "6:30 h asleep, night to Sunday 10 March 2024")
        #expect(shown.nights.first?.parts.first?.source == source)
        #expect(shown.chosen == shown.nights.last)
        #expect(shown.chosen?.asleep == 6.5 * 3600)
        #expect(shown.chosen?.seconds(.awake) == 900)
        let trends = try await world.trends(.sleep, by: .day, day, day)
        #expect(trends.series.points.map(\.value) == [6.5 * 3600])
    }

    @Test("the requested night is shown, and no other one if it is missing")
    func chosen() async throws {
        let world = try PageWorld("UTC", now: far)
        let days = CivilDate(2024, 3, 4)...CivilDate(2024, 3, 10)
        for day in [days.lowerBound, days.lowerBound.advanced(by: 3)] {
            try await world.sleep(.asleepUnspecified, from: world.start(of: day) - 3600, hours: 8)
        }
        let latest = try await page(world, days)
        #expect(latest.nights.map(\.morning) == [CivilDate(2024, 3, 4), CivilDate(2024, 3, 7)])
        #expect(latest.days == (4...10).map { CivilDate(2024, 3, $0) })
        #expect(latest.chosen?.morning == CivilDate(2024, 3, 7))
        let first = try await page(world, days, chosen: CivilDate(2024, 3, 4))
        #expect(first.chosen?.morning == CivilDate(2024, 3, 4))
        #expect(first.sentence == "8:00 h asleep, night to Monday 4 March 2024")
        let none = try await page(world, days, chosen: CivilDate(2024, 3, 5))
        #expect(none.chosen == nil)
        #expect(
            none.sentence == "No sleep, night to Tuesday 5 March 2024")
        let empty = try await page(world, CivilDate(2024, 4, 1)...CivilDate(2024, 4, 7))
        #expect(empty.nights.isEmpty && empty.chosen == nil && empty.days.count == 7)
        #expect(empty.sentence == "No sleep, night to Sunday 7 April 2024")
    }

    @Test(
        "eleven at night to seven is an hour shorter or longer where clocks change",
        arguments: [(CivilDate(2024, 3, 31), 7.0), (CivilDate(2024, 10, 27), 9.0)])
    func clockChanges(morning: CivilDate, hours: Double) async throws {
        let world = try PageWorld("Europe/Berlin", now: far)
        let bedtime = try world.start(of: morning) - 3600
        let noon = DateComponents(
            year: morning.year, month: morning.month, day: morning.day, hour: 7)
        let rising = try #require(world.context.calendar.date(from: noon))
        try await world.sleep(
            .asleepUnspecified, from: bedtime, hours: rising.timeIntervalSince(bedtime) / 3600)
        let shown = try await page(world, morning...morning)
        #expect(shown.chosen?.asleep == hours * 3600)
        #expect(shown.sentence.hasPrefix("\(Int(hours)):00 h asleep, night to"))
    }

    @Test("a night over a skipped day belongs to the next existing day")
    func skippedDay() async throws {
        let world = try PageWorld("Pacific/Apia", now: far)
        let morning = CivilDate(2011, 12, 31)
        try await world.sleep(
            .asleepUnspecified, from: world.start(of: morning) - 3600, hours: 8)
        let shown = try await page(world, CivilDate(2011, 12, 25)...morning)
        #expect(shown.nights.map(\.morning) == [morning])
        #expect(shown.chosen?.asleep == 28_800.0)
    }
}
