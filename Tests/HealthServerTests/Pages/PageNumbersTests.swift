import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import OpenHealthKit
import Testing

@testable import HealthDashboard
@testable import HealthServer

/// Numbers on pages of a store file, compared with SQL written for the test.
@Suite struct PageNumbersTests {
    /// 2024-03-01T00:00:00Z.
    private let march = 730_944_000.0
    private let context = PageContext(
        now: Date(timeIntervalSinceReferenceDate: 8e8), calendar: .gregorian(in: .gmt))

    private func service(_ file: RecordedStore) throws -> HealthKitService {
        HealthKitService(
            store: try HKHealthStore(
                path: file.path, configuration: HealthStoreConfiguration(authorization: .assumed)),
            calendar: context.calendar, now: { [context] in context.now })
    }

    /// Returns SQL for the UTC day, month or year of a stored time, in seconds since 2001.
    private func calendarText(_ format: String, _ moment: String) -> String {
        "strftime('\(format)', \(moment) + 978307200, 'unixepoch')"
    }

    @Test("a night's hours by stage are the durations of one source's samples")
    func stages() async throws {
        let file = try RecordedStore()
        // In bed (0), asleep (1), awake (2), core (3), deep (4), REM (5).
        for night in 0..<20 {
            var time = march + Double(night) * 86_400 + 79_200 + Double(night * 137)
            for round in 0..<9 {
                let stage = [3, 4, 5, 2, 3, 5, 4, 3, 3][(round + night) % 9]
                let length = 1200 + Double((night * 7 + round * 13) % 29) * 61
                try file.add("sleepAnalysis", "Watch", time, time + length, Double(stage), .watch)
                time += length
            }
        }
        try file.write()
        let days = CivilDate(2024, 3, 2)...CivilDate(2024, 3, 21)
        let page = try await SleepPage(of: service(file), days, context: context)
        #expect(page.nights.map(\.morning) == (2...21).map { CivilDate(2024, 3, $0) })
        for night in page.nights {
            // A night's samples are those that start between two noons.
            let day = calendarText("%Y-%m-%d", "start_time + 43200")
            func seconds(_ values: String) throws -> Double {
                try file.number(
                    """
                    SELECT total(end_time - start_time) FROM sample
                    WHERE type = \(RecordedStore.code("SleepAnalysis")) AND value IN (\(values))
                    AND \(day) = '\(night.morning)'
                    """)
            }
            // Awake times at the start or end aren't part of a night.
            for (stage, value) in [(SleepStage.core, "3"), (.deep, "4"), (.rem, "5")] {
                #expect(abs(night.seconds(stage) - (try seconds(value))) < 1e-6, "\(night.morning)")
            }
            let asleep = try seconds("1, 3, 4, 5")
            let counted = try #require(night.asleep)
            #expect(abs(counted - asleep) < 1e-6 && asleep > 3 * 3600)
            #expect(night.parts.map(\.counted) == [counted])
        }
        let chosen = try #require(page.chosen)
        let slept = try #require(chosen.asleep)
        #expect(page.sentence.hasPrefix("\(NumberText.hours(slept)) h asleep"))
    }

    @Test(
        "sums and averages of one source are SQL's, by day, week, month and year",
        arguments: [
            (CalendarStep.day, "%Y-%m-%d"), (.week, "%W"), (.month, "%Y-%m"), (.year, "%Y"),
        ])
    func sums(step: CalendarStep, format: String) async throws {
        let file = try RecordedStore()
        for number in 0..<400 {
            let start = march + Double(number) * 50_000
            try file.add("stepCount", "Watch", start, start + 60, Double(number % 97 + 1), .watch)
            try file.add(
                "respiratoryRate", "Watch", start, start, 10 + Double(number % 13), .watch)
        }
        try file.write()
        let service = try service(file)
        let range = DateInterval(
            start: Date(timeIntervalSinceReferenceDate: march), duration: 400 * 50_000)
        // The average of heart rate is weighted by time; that of respiratory rate isn't.
        let breaths = try #require(Metric(identifier: "HKQuantityTypeIdentifierRespiratoryRate"))
        for (metric, function) in [(Metric.steps, "sum"), (breaths, "avg")] {
            let page = try await TypePage(
                of: service, metric, by: step, over: range, among: [], context: context)
            var total = 0.0
            for point in page.series.points {
                let name = metric == .steps ? "StepCount" : "RespiratoryRate"
                let text = calendarText(format, "start_time")
                let own = calendarText(
                    format, String(point.start.timeIntervalSinceReferenceDate + 86_399))
                let expected = try file.number(
                    """
                    SELECT ifnull(\(function)(value), -1) FROM sample
                    WHERE type = \(RecordedStore.code(name)) AND \(text) = \(own)
                    """)
                let value = point.value ?? -1
                #expect(abs(value - expected) < 1e-9, "\(metric.displayName) \(point.start)")
                total += point.value ?? 0
            }
            if metric == .steps {
                let all = try file.number(
                    "SELECT sum(value) FROM sample WHERE type = \(RecordedStore.code("StepCount"))")
                #expect(total == all)
            }
        }
    }

    @Test("weights are those of the samples, the trend is the smoothed daily averages")
    func weights() async throws {
        let file = try RecordedStore()
        for number in 0..<60 where number % 7 != 3 {
            let start = march + Double(number) * 86_400 + 25_000
            let weight = 80 + Double(number % 5) / 4 - Double(number) / 20
            try file.add("bodyMass", "Scale", start, start, weight)
            if number % 4 == 0 {
                try file.add("bodyMass", "Scale", start + 3600, start + 3600, weight + 0.6)
            }
        }
        try file.write()
        let page = try await WeightPage(
            of: service(file),
            over: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: march), duration: 60 * 86_400),
            context: context)
        let type = RecordedStore.code("BodyMass")
        let count = try file.number("SELECT count(*) FROM sample WHERE type = \(type)")
        #expect(page.measured.count == Int(count))
        let sum = try file.number("SELECT sum(value) FROM sample WHERE type = \(type)")
        #expect(abs(page.measured.reduce(0) { $0 + $1.value } - sum) < 1e-9)
        let trend = try file.number(
            """
            WITH RECURSIVE day(number, average) AS (
                SELECT CAST(start_time / 86400 AS INTEGER), avg(value) FROM sample
                WHERE type = \(type) GROUP BY 1
            ), line(number, trend) AS (
                SELECT min(number), average FROM day
                UNION ALL
                SELECT line.number + 1, trend + 0.1 * (
                    (SELECT average FROM day WHERE number > line.number ORDER BY number LIMIT 1)
                    - trend)
                FROM line WHERE line.number < (SELECT max(number) FROM day)
            )
            SELECT trend FROM line ORDER BY number DESC LIMIT 1
            """)
        let last = try #require(page.trend.last)
        #expect(abs(last.value - trend) < 1e-9)
        #expect(page.sentence.hasPrefix("Trend \(NumberText.grouped(trend, digits: 1)) kg on "))
    }
}
