import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthDashboard

@Suite struct HighlightTests {
    private let calendar = Calendar.gregorian(in: .gmt)
    private let day = CivilDate(2024, 3, 10)

    private var context: PageContext {
        PageContext(now: calendar.midnight(day) + 20 * 3600, calendar: calendar)
    }

    /// A service with values for the days up to the tenth of March; the last value is that of the last
    /// day before `gap` days without any.
    private func service(_ values: [Metric: [Double]], gap: [Metric: Int] = [:])
        -> FakeHealthService
    {
        var all = FakeHealthService.Values()
        for (metric, list) in values {
            for (index, value) in list.reversed().enumerated() {
                let date = day.advanced(by: -1 - index - (gap[metric] ?? 0))
                all.totals[metric, default: [:]][date] = value
            }
        }
        return FakeHealthService(all, calendar: calendar)
    }

    private let usual = (0..<40).map { Double(50 + $0 * 7 % 10) }

    @Test("a departure of the last week is one sentence with its evidence")
    func departure() async throws {
        let found = try await Highlight.latest(
            of: service([.restingHeartRate: usual + [72, 70, 71]]), on: day, context: context)
        #expect(found.map(\.kind) == [.above])
        #expect(
            found.first?.sentence
                == "Resting heart rate above its typical range for 3 days: 70–72 bpm, 7–9 Mar 2024; "
                + "51–58 bpm is typical.")
        #expect(
            found.first?.first == CivilDate(2024, 3, 7)
                && found.first?.last == CivilDate(2024, 3, 9))
    }

    @Test("a departure that ended more than a week ago isn't new")
    func oldDeparture() async throws {
        let found = try await Highlight.latest(
            of: service([.restingHeartRate: usual + [72, 70, 71] + usual.prefix(7)]), on: day,
            context: context)
        #expect(found.isEmpty)
    }

    @Test("a gap is measured to the latest day of any metric")
    func gap() async throws {
        let found = try await Highlight.latest(
            of: service([.restingHeartRate: usual, .weight: usual], gap: [.weight: 9]), on: day,
            context: context)
        #expect(found.map(\.sentence) == ["No weight recorded for 9 days, since 29 February 2024."])
        let old = try await Highlight.latest(
            of: service(
                [.restingHeartRate: usual, .weight: usual], gap: [.weight: 9, .restingHeartRate: 9]),
            on: day, context: context)
        #expect(old.isEmpty)
    }

    @Test("the best week is reported if it is the last complete one and there were eight before")
    func bestWeek() throws {
        func series(_ values: [Double]) -> HealthSeries {
            let points = values.enumerated().map { index, value in
                let start = CivilDate(2024, 3, 4).advanced(by: 7 * (index + 1 - values.count))
                return HealthSeries.Point(
                    start: calendar.midnight(start), end: calendar.midnight(start.advanced(by: 7)),
                    value: value)
            }
            return HealthSeries(metric: .steps, step: .week, points: points)
        }
        let sunday = CivilDate(2024, 3, 10)
        let eight = [Double](repeating: 40_000, count: 8)
        let best = Highlight.bestWeek(in: series(eight + [50_000]), on: sunday, calendar)
        #expect(
            best?.sentence
                == "Best week: 50,000 steps, 4–10 Mar 2024; 40,000 was the most before.")
        #expect(Highlight.bestWeek(in: series(eight + [40_000]), on: sunday, calendar) == nil)
        #expect(
            Highlight.bestWeek(in: series(eight.dropLast() + [50_000]), on: sunday, calendar) == nil
        )
        // On Saturday the week isn't over.
        #expect(
            Highlight.bestWeek(
                in: series(eight + [50_000]), on: sunday.advanced(by: -1), calendar) == nil)
    }

    @Test("the longest workout of an activity is reported for a week")
    func longest() {
        func run(_ metres: Double?, _ date: CivilDate, _ activity: String = "running")
            -> WorkoutSummary
        {
            let start = calendar.midnight(date) + 8 * 3600
            return WorkoutSummary(
                id: UUID(), activity: activity, start: start, end: start + 3600, duration: 3600,
                distance: metres, energy: nil, averageHeartRate: nil, maximumHeartRate: nil,
                source: "Watch", hasRoute: false)
        }
        let earlier = (1...8).map { run(5_000, day.advanced(by: -10 * $0)) }
        let found = Highlight.longest(earlier + [run(10_000, day)], on: day, calendar)
        #expect(
            found.map(\.sentence)
                == ["Longest running: 10.00 km, Sun 10 Mar 2024; 5.00 km was the longest before."])
        #expect(found.first?.workout != nil && found.first?.kind == .record)
        let late = Highlight.longest(
            earlier + [run(10_000, day)], on: day.advanced(by: 7), calendar)
        #expect(late.isEmpty)
        #expect(
            Highlight.longest(earlier + [run(10_000, day, "rowing")], on: day, calendar).isEmpty)
        #expect(Highlight.longest(earlier + [run(.infinity, day)], on: day, calendar).isEmpty)
        #expect(
            Highlight.longest(earlier.dropLast() + [run(9_000, day)], on: day, calendar).isEmpty)
    }

    @Test("reading stops at a longer workout, and finds what a search of all workouts finds")
    func longestReadsPages() async throws {
        var random = SeededRandom(seed: 19)
        var stopped = 0
        for _ in 0..<200 {
            let details = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                let date = day.advanced(by: -Int.random(in: 0...200, using: &random))
                let start = calendar.midnight(date) + Double.random(in: 0..<86_400, using: &random)
                let summary = WorkoutSummary(
                    id: UUID(), activity: Bool.random(using: &random) ? "running" : "rowing",
                    start: start, end: start + 600, duration: 600,
                    distance: [nil, 0, 4_000, 5_000, 6_000, .infinity].randomElement(using: &random)
                        ?? nil, energy: nil, averageHeartRate: nil, maximumHeartRate: nil,
                    source: "Watch", hasRoute: false)
                return WorkoutDetail(summary: summary, heartRate: [], route: [])
            }
            var values = FakeHealthService.Values()
            values.workouts = details
            let service = FakeHealthService(values, calendar: calendar)
            let found = try await Highlight.longest(of: service, on: day, calendar)
            #expect(found == Highlight.longest(details.map(\.summary), on: day, calendar))
            if await service.requestCount < details.count / 30 { stopped += 1 }
        }
        #expect(stopped > 50)
    }

    @Test("there are at most three highlights, departures before gaps")
    func maximum() async throws {
        let out = usual + [90, 90, 90]
        let found = try await Highlight.latest(
            of: service(
                [
                    .restingHeartRate: out, .heartRateVariability: out, .activeEnergy: out,
                    .exercise: out, .weight: usual,
                ], gap: [.weight: 5]), on: day, context: context)
        #expect(found.map(\.metric) == [.restingHeartRate, .heartRateVariability, .activeEnergy])
    }
}
