import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

@testable import HealthServer

/// A fictional person's values, the same in every run.
enum PageExamples {
    static let zone = "Europe/Berlin"
    static let calendar = Calendar.of(timeZone: zone)
    static let day = CivilDate(2024, 3, 9)
    static let hostile = "<script>alert(1)</script> \u{202E}evil & \"co\" 'x'"

    static func time(_ day: CivilDate, _ hour: Int, _ minute: Int = 0) -> Date {
        calendar.midnight(day).addingTimeInterval(Double(hour) * 3600 + Double(minute) * 60)
    }

    static func ago(_ days: Int) -> CivilDate { CivilDate(dayNumber: day.dayNumber - days) }

    static var freshness: Freshness {
        Freshness(asOf: time(CivilDate(2024, 3, 10), 7, 42), isCurrent: true)
    }

    /// Returns a value of two overlaid waves, which resembles real data.
    static func wave(_ index: Int, _ low: Double, _ high: Double) -> Double {
        let share = (sin(Double(index) * 0.9) + sin(Double(index) * 2.3 + 1)) / 4 + 0.5
        return low + (high - low) * share
    }

    /// Returns days up to the example's day. Some may be missing, and the last one incomplete.
    static func series(
        _ metric: Metric, _ low: Double, _ high: Double, days: Int = 30, missing: Set<Int> = [],
        last: Double? = nil, isCurrent: Bool = false
    ) -> HealthSeries {
        let points = (0..<days).map { index -> HealthSeries.Point in
            let date = ago(days - 1 - index)
            var value: Double? = missing.contains(index) ? nil : wave(index, low, high)
            if index == days - 1, let last { value = last }
            let isReading = metric == .heartRate
            return HealthSeries.Point(
                start: calendar.midnight(date),
                end: calendar.midnight(CivilDate(dayNumber: date.dayNumber + 1)),
                value: value, minimum: isReading ? value.map { $0 * 0.82 } : nil,
                maximum: isReading ? value.map { $0 * 1.4 } : nil,
                isCurrent: isCurrent && index == days - 1)
        }
        return HealthSeries(metric: metric, step: .day, points: points)
    }

    static var steps: DayTotal {
        DayTotal(
            metric: .steps, day: day,
            interval: DateInterval(start: time(day, 0), end: time(day, 24)), value: 8214,
            shares: [
                .init(source: "Watch", rank: 1, counted: 6120, duplicate: 0),
                .init(source: "iPhone", rank: 2, counted: 2094, duplicate: 5377),
            ])
    }

    static func night(_ morning: CivilDate = day) -> SleepNight {
        let parts: [(SleepStage, Double)] = [
            (.core, 34), (.deep, 41), (.core, 22), (.rem, 14), (.core, 47), (.deep, 26),
            (.core, 18),
            (.awake, 4), (.core, 38), (.rem, 28), (.core, 51), (.awake, 9), (.core, 30), (.rem, 33),
            (.core, 24), (.awake, 6), (.core, 15),
        ]
        var at = time(CivilDate(dayNumber: morning.dayNumber - 1), 23, 12)
        var mergedIntervals: [SleepNight.MergedInterval] = []
        for (stage, minutes) in parts {
            let end = at.addingTimeInterval(minutes * 60)
            mergedIntervals.append(.init(start: at, end: end, stage: stage, source: "Watch"))
            at = end
        }
        mergedIntervals.append(
            .init(start: at, end: at.addingTimeInterval(20 * 60), stage: .asleep, source: "Ring"))
        at = at.addingTimeInterval(20 * 60)
        let asleep = mergedIntervals.reduce(0.0) {
            $0 + ($1.stage.isAsleep ? $1.end.timeIntervalSince($1.start) : 0)
        }
        let nap = SleepNight.MergedInterval(
            start: time(morning, 14, 10), end: time(morning, 14, 45), stage: .asleep, source: "Ring"
        )
        return SleepNight(
            morning: morning, interval: DateInterval(start: mergedIntervals[0].start, end: at),
            mergedIntervals: mergedIntervals, naps: [[nap]],
            parts: [
                .init(
                    source: "Watch", rank: 1, recorded: asleep - 1200, counted: asleep - 1200,
                    reason: nil),
                .init(
                    source: "Ring", rank: 2, recorded: asleep - 600, counted: 1200,
                    reason: "Watch recorded at the same time"),
                .init(
                    source: "iPhone", rank: 3, recorded: 0, counted: 0,
                    reason: "only time in bed; other sources recorded stages"),
            ])
    }

    static func workout(_ number: Int) -> WorkoutSummary {
        let start = time(ago(number * 2), 18, 4)
        return WorkoutSummary(
            id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number))),
            activity: ["running", "cycling", "traditional strength training"][number % 3],
            start: start, end: start.addingTimeInterval(2520), duration: 2400,
            distance: number % 3 == 2 ? nil : wave(number, 5200, 21_000),
            energy: wave(number, 280, 620), averageHeartRate: wave(number, 128, 152),
            maximumHeartRate: wave(number, 160, 181), source: "Watch", hasRoute: number == 0)
    }

    static var today: SummaryPage {
        func tile(
            _ metric: Metric, _ text: String, _ value: Double, _ before: Double,
            _ usual: TypicalRange?,
            _ series: HealthSeries
        ) -> SummaryPage.Tile {
            .init(
                metric: metric, value: value, text: text, before: before, typicalRange: usual,
                series: series)
        }
        return SummaryPage(
            freshness: freshness, period: .day, day: day,
            interval: DateInterval(start: time(day, 0), end: time(day, 24)), timeZone: zone,
            sentence: "8,214 steps yesterday. Watch 6,120 · iPhone 2,094 · 5,377 duplicates "
                + "removed.",
            stepGoal: 10_000, steps: steps,
            tiles: [
                tile(
                    .steps, "8,214 steps", 8214, 9120, .init(low: 6100, high: 11_200, days: 27),
                    series(.steps, 2400, 14_100, missing: [4, 11], last: 8214, isCurrent: true)),
                tile(
                    .activeEnergy, "512 kcal", 512, 488, .init(low: 390, high: 640, days: 28),
                    series(.activeEnergy, 300, 720, last: 512, isCurrent: true)),
                tile(
                    .distance, "6.02 km", 6.02, 7.1, nil,
                    series(.distance, 1.5, 11, missing: [4, 11], last: 6.02, isCurrent: true)),
                tile(
                    .heartRate, "68 bpm", 68, 71, .init(low: 64, high: 74, days: 28),
                    series(.heartRate, 62, 78, missing: [4, 5, 20], last: 68, isCurrent: true)),
                tile(
                    .restingHeartRate, "54 bpm", 54, 54, .init(low: 53, high: 58, days: 26),
                    series(.restingHeartRate, 52, 60, missing: [4, 6], last: 54)),
                tile(
                    .heartRateVariability, "48 ms", 48, 41, .init(low: 35, high: 62, days: 25),
                    series(.heartRateVariability, 33, 66, missing: [4, 5, 6], last: 48)),
                tile(
                    .weight, "72.4 kg", 72.4, 72.6, .init(low: 72, high: 73.4, days: 20),
                    series(.weight, 72, 73.6, missing: [1, 2, 5, 8, 9, 14, 22], last: 72.4)),
            ],
            rings: ActivityRings(
                day: day, move: .init(value: 512, goal: 600), isMoveTime: false,
                exercise: .init(value: 41, goal: 30), stand: .init(value: 9, goal: 12)),
            night: night(), workouts: [workout(0), workout(1)])
    }

    static func trends(_ metric: Metric = .heartRate, days: Int = 30) -> TypePage {
        let series =
            metric == .steps
            ? series(.steps, 2400, 14_100, days: days, missing: [4, 5, 11], isCurrent: true)
            : series(metric, 58, 82, days: days, missing: [4, 5, 11, 19], isCurrent: true)
        return TypePage(
            freshness: Freshness(asOf: freshness.asOf, isCurrent: false), timeZone: zone,
            metric: metric,
            metrics: [.activeEnergy, .heartRate, .restingHeartRate, .steps, .weight],
            range: DateInterval(
                start: series.points[0].start, end: series.points[days - 1].end),
            step: .day, series: series,
            typicalRange: metric == .steps ? .init(low: 4200, high: 12_100, days: 27) : nil,
            sentence:
                "68 bpm on average over 30 days, from 48 to 121")
    }

    static var sleep: SleepPage {
        let days = (0..<30).map { ago(29 - $0) }
        let nights = days.enumerated().filter { $0.offset % 9 != 4 }.map { night($0.element) }
        return SleepPage(
            freshness: freshness, timeZone: zone, days: days, nights: nights, chosen: night(),
            sentence:
                "You slept 7:24 hours in the night to 9 March 2024: deep 1:07, core 4:39, REM "
                + "1:15")
    }

    static var detail: WorkoutDetail {
        let summary = workout(0)
        let points = (0..<42).map { minute -> HealthSeries.Point in
            let start = summary.start.addingTimeInterval(Double(minute) * 60)
            let value: Double? =
                (20...22).contains(minute)
                ? nil : 112 + 40 * (1 - exp(-Double(minute) / 6)) + 6 * sin(Double(minute))
            return .init(
                start: start, end: start.addingTimeInterval(60), value: value,
                minimum: value.map { $0 - 5 }, maximum: value.map { $0 + 6 })
        }
        let route = (0..<800).map { index -> WorkoutDetail.RoutePoint in
            let share = Double(index) / 799 * 2 * .pi
            return .init(
                time: summary.start.addingTimeInterval(Double(index) * 3),
                latitude: 52.52 + 0.008 * sin(share) + 0.002 * sin(share * 3),
                longitude: 13.40 + 0.02 * cos(share) + 0.003 * cos(share * 5))
        }
        return WorkoutDetail(summary: summary, heartRate: points, route: route)
    }

    static func workouts(_ detail: WorkoutDetail?) -> WorkoutsPage {
        WorkoutsPage(
            freshness: freshness, timeZone: zone, workouts: (0..<12).map(workout), detail: detail,
            sentence: detail == nil
                ? "12 workouts in the last 30 days, the last one running on 9 March 2024"
                : "Running for 0:40 hours on 9 March 2024, 13.10 km")
    }

    static var weight: WeightPage {
        let measured = (0..<120).filter { $0 % 7 != 3 && !(60..<80).contains($0) }.map { index in
            WeightPage.Reading(
                date: time(ago(119 - index), 7, 10),
                value: 75.2 - Double(index) * 0.023 + wave(index, -0.6, 0.6),
                source: index % 11 == 5 ? "Diary" : "Scale")
        }
        let trend = measured.enumerated().map { index, reading in
            WeightPage.TrendPoint(
                date: calendar.startOfDay(for: reading.date),
                value: measured[max(0, index - 9)...index].map(\.value).reduce(0, +)
                    / Double(index - max(0, index - 9) + 1))
        }
        return WeightPage(
            freshness: freshness, timeZone: zone, unit: "kg", measured: measured, trend: trend,
            notes: [
                .init(date: time(ago(3), 7, 11), text: "72.6 kg is not saved yet"),
                .init(date: time(ago(40), 20, 0), text: "73.9 kg was deleted by Diary"),
            ],
            sentence: "72.4 kg on 9 March 2024; the trend fell 0.6 kg in four weeks")
    }
}
