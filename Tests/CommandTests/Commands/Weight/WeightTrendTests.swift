import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthTesting
import OpenHealthKit
import Testing

@testable import openhealth

/// The numbers of the trend, compared with another way to compute them.
@Suite(.inTestAll) struct WeightTrendTests {
    @Test("the trend is the weighted sum of all days, the rate the slope of the straight line")
    func numbers() async throws {
        let diary = try Diary()
        // Days of March 2024, with gaps and with two weights on some days.
        let weights: [(day: Int, kilograms: [Double])] = [
            (1, [83.0]), (2, [82.6, 82.8]), (4, [82.9]), (9, [82.0]), (10, [81.8]),
            (17, [81.9, 81.5]), (24, [81.2]), (28, [81.0]),
        ]
        _ = try diary.run("log", "84", "--at", "2024-01-15")
        let app = try diary.app("org.openhealthkit.weight", "openhealth weight")
        let midnight = try CalendarBuckets(timeZone: .gmt).time("2024-03-01")
        for (day, values) in weights {
            for (hour, value) in values.enumerated() {
                let time = midnight + Double(day - 1) * 86_400 + Double(7 + hour) * 3600
                try await app.save(diary.mass(value, at: time - Diary.noon))
            }
        }
        let height = HKQuantitySample(
            type: HKQuantityType(.height), quantity: HKQuantity(unit: .meter(), doubleValue: 1.8),
            start: Date(timeIntervalSinceReferenceDate: midnight),
            end: Date(timeIntervalSinceReferenceDate: midnight))
        try await app.save(height)
        let answer = try #require(try diary.run("trend", "--by", "day", "--json").object)

        // 15 January is day −45, counted in March.
        let days =
            [(-45, 84.0)]
            + weights.map { ($0.day, $0.kilograms.reduce(0, +) / Double($0.kilograms.count)) }
        // In closed form: the first day's weight decays over all gaps. Each other weight enters
        // with the decay of its own gap, and then decays over the later ones.
        var expected = 0.0
        for (index, day) in days.enumerated() {
            let left = pow(0.9, Double(28 - day.0))
            let taken = index == 0 ? 1 : 1 - pow(0.9, Double(day.0 - days[index - 1].0))
            expected += day.1 * taken * left
        }
        let trend = try #require(answer["trend"] as? Double)
        #expect(abs(trend - expected) < 1e-9)

        let slope = 7 * Self.slope(days.dropFirst().map { (x: Double($0.0), y: $0.1) })
        let rate = try #require(answer["ratePerWeek"] as? Double)
        #expect(abs(rate - slope) < 1e-9)
        #expect(answer["rateFromDays"] as? Int == 8)
        #expect(answer["height"] as? Double == 1.8)
        #expect(abs(try #require(answer["bodyMassIndex"] as? Double) - expected / 3.24) < 1e-9)
        let shown = try #require(answer["days"] as? [[String: Any]])
        #expect(shown.count == 8)
        #expect(shown.first?["day"] as? String == "2024-03-01")

        let text = try diary.run("trend").output
        #expect(text.contains("Body mass index"))
        #expect(text.contains("falling 0."))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(!text.contains("\u{1B}"))
        let pounds = try #require(try diary.run("trend", "--unit", "lb", "--json").object)
        #expect(abs(try #require(pounds["trend"] as? Double) - expected / 0.45359237) < 1e-9)
    }

    /// Returns the slope of the least-squares line.
    private static func slope(_ points: [(x: Double, y: Double)]) -> Double {
        let n = Double(points.count)
        let (sx, sy) = (points.map(\.x).reduce(0, +), points.map(\.y).reduce(0, +))
        let sxy = points.map { $0.x * $0.y }.reduce(0, +)
        let sxx = points.map { $0.x * $0.x }.reduce(0, +)
        return (n * sxy - sx * sy) / (n * sxx - sx * sx)
    }

    @Test("too few days have no rate, no height no index; both are said")
    func tooLittle() throws {
        let diary = try Diary()
        _ = try diary.run("log", "82.4", "--at", "2024-03-10")
        _ = try diary.run("log", "82.0", "--at", "2024-03-12")
        let answer = try #require(try diary.run("trend", "--json").object)
        #expect(answer["ratePerWeek"] is NSNull)
        #expect(answer["bodyMassIndex"] is NSNull)
        let text = try diary.run("trend").output
        #expect(
            text.replacing("\n", with: " ").contains("weights on three days over at least a week"))
        #expect(text.contains("No body mass index"))
    }

    @Test("a range without weights says so; weeks begin on Monday, months are counted apart")
    func periods() throws {
        let diary = try Diary()
        for day in ["2024-02-29", "2024-03-01", "2024-03-03", "2024-03-04"] {
            _ = try diary.run("log", "82", "--at", day)
        }
        func names(_ words: String...) throws -> [String] {
            let run = try diary.run(["trend", "--json"] + words)
            return try #require(run.object?["periods"] as? [[String: Any]])
                .compactMap { $0["period"] as? String }
        }
        #expect(try names() == ["2024-02-26", "2024-03-04"])
        #expect(try names("--by", "month") == ["2024-02", "2024-03"])
        #expect(try names("--by", "day", "--from", "2024-03-01", "--to", "2024-03-04").count == 2)
        #expect(try diary.run("trend", "--from", "2025-01-01").output.hasPrefix("No trend"))
    }

    @Test("the chart draws marks, a line, gaps and round ticks")
    func chart() {
        let days = [0, 1, 2, 3, 6, 20].map { number in
            WeightSeries.Day(
                number: number, name: CivilDate(dayNumber: number).description,
                average: 82 - Double(number) / 10, trend: 82 - Double(number) / 20,
                isOwn: number != 2)
        }
        let chart = WeightChart(days: days, span: 0...20, unit: .kilogram, style: .plain, width: 66)
        #expect(
            chart.text == """
                  kg
                82.0 ┤•────╮
                     │  •  ◦───╌╌╌╌╌╮
                     │        •     ╰╌╌╌
                81.5 ┤
                     │                 •
                     │
                81.0 ┤                                                           ─
                     │
                     │
                80.5 ┤
                     │
                     │
                80.0 ┤                                                           •
                     └┬───────────────────┬────────────────────┬──────────────────
                      1 Jan               8 Jan                15 Jan

                      • this diary   ◦ other sources   ─ trend   ╌ gap without weights

                """)
    }
}

/// Parsing of weights.
@Suite struct WeightTextTests {
    @Test(
        "weights are read as people write them",
        arguments: [
            ("82.4kg", 82.4, WeightUnit.kilogram), ("82,4 kg", 82.4, .kilogram),
            ("82.4", 82.4, .pound), ("181.7 LBS", 181.7, .pound), (" 13 stone", 13, .stone),
            ("12st 7lb", 12.5, .stone), ("12 st 7 lb", 12.5, .stone), ("0.5kg", 0.5, .kilogram),
            ("999.9kg", 999.9, .kilogram), ("82,40kg", 82.4, .kilogram),
        ])
    func read(text: String, value: Double, unit: WeightUnit) throws {
        let amount = try WeightText.amount(text, in: .pound)
        #expect(amount == WeightAmount(value: value, unit: unit))
    }

    @Test(
        "and written with one digit behind the point",
        arguments: [
            (82.44, WeightUnit.kilogram, "82.4 kg"), (82.417733629, .pound, "181.7 lb"),
            (82.10021897, .stone, "12 st 13.0 lb"), (88.9, .stone, "14 st 0.0 lb"),
            (-0.5, .stone, "-1.1 lb"), (0.01, .kilogram, "0.0 kg"),
        ])
    func written(kilograms: Double, unit: WeightUnit, text: String) {
        #expect(WeightText.text(kilograms, in: unit) == text)
    }

    @Test(
        "moments are local, a day alone is its noon, and hours that the clock skipped are refused")
    func moments() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let calendar = CalendarBuckets(timeZone: zone)
        let now = Date(
            timeIntervalSinceReferenceDate: try calendar.time("2024-04-02T10:00:00+02:00"))
        func text(_ at: String?) throws -> String {
            calendar.text(
                try WeightMoment.date(at, calendar, now: now).timeIntervalSinceReferenceDate)
        }
        #expect(try text(nil) == "2024-04-02T10:00:00+02:00")
        #expect(try text("07:30") == "2024-04-02T07:30:00+02:00")
        #expect(try text("2024-04-01") == "2024-04-01T12:00:00+02:00")
        #expect(try text("2024-04-02") == "2024-04-02T10:00:00+02:00")
        #expect(try text("2024-03-30 07:30") == "2024-03-30T07:30:00+01:00")
        #expect(try text("2024-03-30T07:30Z") == "2024-03-30T08:30:00+01:00")
        for wrong in ["2024-03-31 02:30", "10:30", "25:00", "7", "2024-13-01", "2024-04-03"] {
            #expect(throws: UsageError.self, "\(wrong)") { try text(wrong) }
        }
    }

    @Test("ids are numbers or unique prefixes")
    func ids() throws {
        let one = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        let two = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEE00"))
        let three = try #require(UUID(uuidString: "10112233-4455-6677-8899-AABBCCDDEE00"))
        #expect(WeightID.short([one, three])[one] == "00112233")
        #expect(WeightID.short([one, two])[two] == "00112233445566778899aabbccddee0")
        #expect(WeightID.number("12") == 12)
        #expect(WeightID.number("00112233") == nil)
        #expect(WeightID.matches("0011-22", one))
        #expect(WeightID.matches(one.uuidString, one))
        #expect(!WeightID.matches("", one))
    }
}
