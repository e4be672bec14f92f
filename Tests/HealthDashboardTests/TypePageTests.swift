import Foundation
import HealthCalendar
import HealthEngine
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// The content of the page of one metric.
@Suite struct TypePageTests {
    private let beats = HKUnit.count().unitDivided(by: .minute())
    private let first = CivilDate(2024, 3, 1)
    private let last = CivilDate(2024, 3, 10)

    /// Returns a page with 1,000 steps on 1 March, 2,000 on 2 March and so on, from a fake service.
    private func page(by step: CalendarStep, days: Int = 10) async throws -> TypePage {
        let world = try PageWorld("Europe/Berlin", now: Date(timeIntervalSinceReferenceDate: 0))
        var values = FakeHealthService.Values()
        values.totals[.steps] = Dictionary(
            uniqueKeysWithValues: (0..<days).map {
                (first.advanced(by: $0), 1000 * Double($0 + 1))
            })
        return try await TypePage(
            of: FakeHealthService(values, calendar: world.context.calendar), .steps, by: step,
            over: world.range(first, last), among: [.weight, .steps, .heartRate],
            context: world.context)
    }

    @Test("the sentence has the average, the range and the day of the maximum")
    func byDay() async throws {
        let page = try await page(by: .day)
        #expect(
            page.sentence == """
                5,500 steps per day on average from 1 March 2024 to 10 March 2024, without double \
                counting; highest 10,000 on 10 March 2024.
                """)
        #expect(page.series.points.map(\.value) == (1...10).map { 1000 * Double($0) })
        #expect(page.typicalRange == TypicalRange(low: 1900, high: 9100, days: 10, median: 5500))
        #expect(page.metrics == [.heartRate, .steps, .weight])
        #expect(page.timeZone == "Europe/Berlin")
    }

    @Test("steps are complete, and may start before the range and end after it")
    func wholeSteps() async throws {
        let week = try await page(by: .week)
        #expect(week.series.points.map(\.value) == [6000, 49_000])
        #expect(week.series.points[0].start < week.range.start)
        #expect(
            week.sentence == """
                27,500 steps per week on average from 1 March 2024 to 10 March 2024, without \
                double counting; highest 49,000 in the week from 4 March 2024.
                """)
        #expect(week.typicalRange == nil)
        let month = try await page(by: .month)
        #expect(month.series.points.map(\.value) == [55_000])
        #expect(month.sentence.hasPrefix("55,000 steps per month on average from 1 March 2024"))
        let year = try await page(by: .year)
        #expect(year.series.points.map(\.value) == [55_000])
        #expect(year.sentence.hasSuffix("highest 55,000 in the year from 1 January 2024."))
    }

    @Test("a year or month in which recording began is neither the one before nor typical")
    func begun() async throws {
        let now = CivilDate(2024, 11, 20)
        let world = try PageWorld("Europe/Berlin", now: Date(timeIntervalSinceReferenceDate: 0))
        func page(_ period: SummaryPage.Period, since begin: CivilDate) async throws -> TypePage {
            var values = FakeHealthService.Values()
            values.totals[.steps] = Dictionary(
                uniqueKeysWithValues: (begin.dayNumber...now.dayNumber).map {
                    (CivilDate(dayNumber: $0), 1000)
                })
            return try await TypePage(
                of: FakeHealthService(values, calendar: world.context.calendar), .steps, period,
                on: now, among: [.steps], context: world.context)
        }
        let begun = try await page(.year, since: CivilDate(2023, 11, 27))
        #expect(begun.whole?.value == 325_000 && begun.whole?.before == nil)
        let known = try await page(.year, since: CivilDate(2022, 12, 31))
        #expect(known.whole?.before == 365_000)
        // Eleven whole months from December, without the four days of November.
        let month = try await page(.month, since: CivilDate(2023, 11, 27))
        #expect(month.whole?.typicalRange?.days == 11)
        #expect((month.whole?.typicalRange?.low ?? 0) > 29_000)
        #expect(known.typicalRange == nil)
    }

    @Test("without data there is no average and no maximum")
    func empty() async throws {
        let page = try await page(by: .day, days: 0)
        #expect(
            page.sentence == """
                No steps from 1 March 2024 to 10 March 2024. Either nothing was recorded, or \
                reading is not allowed; the system doesn't report which.
                """)
        #expect(page.series.points.map(\.value) == Array(repeating: nil, count: 10))
        #expect(page.typicalRange == nil)
    }

    @Test("a single sample is its day's average, minimum and maximum; other days have none")
    func singleSample() async throws {
        let world = try PageWorld("Europe/Berlin", now: Date(timeIntervalSinceReferenceDate: 8e8))
        try await world.save(
            .heartRate, 61, beats, at: world.start(of: CivilDate(2024, 3, 4)) + 43_200)
        let page = try await world.trends(.heartRate, by: .day, first, last)
        #expect(
            page.sentence == """
                61 bpm on average from 1 March 2024 to 10 March 2024, by day; highest 61 on \
                4 March 2024.
                """)
        #expect(page.series.points.compactMap(\.value) == [61])
        #expect(page.series.points[3].minimum == 61 && page.series.points[3].maximum == 61)
        #expect(page.series.points.filter(\.isCurrent).isEmpty)
        #expect(page.typicalRange == nil)
        // A day without values, and the hours of a day with values.
        let none = try await world.trends(.heartRate, by: .hour, last, last)
        #expect(none.series.points.count == 24 && none.series.points.allSatisfy { $0.value == nil })
        let day = CivilDate(2024, 3, 4)
        let hours = try await world.trends(.heartRate, by: .hour, day, day)
        #expect(hours.series.points.firstIndex { $0.value == 61 } == 12)
    }

    @Test("the current step counts neither for the average nor for the typical range")
    func currentStep() async throws {
        let world = try PageWorld("UTC", now: Date(timeIntervalSinceReferenceDate: 731_757_600))
        #expect(world.context.today == CivilDate(2024, 3, 10))
        for day in 0..<10 {
            let noon = try world.start(of: first.advanced(by: day)) + 3600
            try await world.save(
                .stepCount, day == 9 ? 50_000 : 1000, .count(), at: noon, seconds: 600)
        }
        let page = try await world.trends(.steps, by: .day, first, last)
        #expect(page.series.points.map(\.isCurrent) == Array(repeating: false, count: 9) + [true])
        #expect(page.sentence.hasPrefix("1,000 steps per day on average"))
        #expect(page.sentence.hasSuffix("highest 50,000 on 10 March 2024."))
        #expect(page.typicalRange == TypicalRange(low: 1000, high: 1000, days: 9, median: 1000))
        // No period is complete, so the sentence uses the available values.
        let today = try await world.trends(.steps, by: .day, last, last)
        #expect(today.sentence.hasPrefix("50,000 steps per day on average from 10 March 2024 to"))
    }

    @Test(
        "a day has its local length, and a sample over midnight is divided",
        arguments: [(CivilDate(2024, 3, 31), 23), (CivilDate(2024, 10, 27), 25)])
    func clockChanges(day: CivilDate, hours: Int) async throws {
        let world = try PageWorld("Europe/Berlin", now: Date(timeIntervalSinceReferenceDate: 8e8))
        let interval = try world.range(day, day)
        #expect(interval.duration == Double(hours) * 3600)
        try await world.save(
            .stepCount, 240, .count(), at: interval.start - 1800, seconds: interval.duration + 3600)
        let days = try await world.trends(.steps, by: .day, day, day)
        let expected = 240 * interval.duration / (interval.duration + 3600)
        #expect(abs(try #require(days.series.points[0].value) - expected) < 1e-9)
        let page = try await world.trends(.steps, by: .hour, day, day)
        #expect(page.series.points.count == hours)
        for point in page.series.points {
            #expect(point.end.timeIntervalSince(point.start) == 3600)
            #expect(abs(try #require(point.value) - expected / Double(hours)) < 1e-9)
        }
    }

    @Test("a walk is on the local day of the page's time zone")
    func travel() async throws {
        // 23:30 in New York on 9 March is 05:30 in Berlin on 10 March.
        let walk = Date(timeIntervalSinceReferenceDate: 731_737_800)
        for (zone, values) in [
            ("America/New_York", [120.0, nil]), ("Europe/Berlin", [nil, 120.0]),
        ] {
            let world = try PageWorld(zone, now: Date(timeIntervalSinceReferenceDate: 8e8))
            try await world.save(.stepCount, 120, .count(), at: walk, seconds: 600)
            let page = try await world.trends(.steps, by: .day, last.advanced(by: -1), last)
            #expect(page.series.points.map(\.value) == values, "\(zone)")
        }
        // Samoa crossed the date line: there was no 30 December 2011.
        let world = try PageWorld("Pacific/Apia", now: Date(timeIntervalSinceReferenceDate: 8e8))
        let before = try world.start(of: CivilDate(2011, 12, 29))
        try await world.save(.stepCount, 480, .count(), at: before, seconds: 48 * 3600)
        let page = try await world.trends(
            .steps, by: .day, CivilDate(2011, 12, 29), CivilDate(2011, 12, 31))
        #expect(page.series.points.map(\.value) == [240, 240])
        #expect(
            page.sentence.hasPrefix(
                "240 steps per day on average from 29 December 2011 to 31 December 2011"))
    }
}
