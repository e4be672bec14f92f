import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

/// The sections of quantities, from hand-made stores.
@Suite struct ReportMeasureTests {
    @Test("an empty store has no section, and a section without data is left out")
    func absent() async throws {
        let nothing = try ReportStore()
        try nothing.add("vo2Max", 3, 8, value: 41)
        try nothing.write()
        let empty = try await nothing.page()
        #expect(empty.sections.isEmpty)
        #expect(empty.sentence == "No data from 1 March 2024 to 30 March 2024")
        let weighed = try ReportStore()
        try weighed.add("bodyMass", 3, 8, value: 72)
        // Before the period, and after it.
        try weighed.add("restingHeartRate", -3, 8, value: 60)
        try weighed.addPressure(120, 80, 31, 8)
        try weighed.add("bloodGlucose", 30, 8, value: 100)
        weighed.addElectrocardiogram(-1, 23, classification: "Sinus Rhythm")
        try weighed.write()
        let page = try await weighed.page()
        #expect(page.sections.map(\.kind) == [.weight])
        #expect(page.sentence == "1 March 2024 to 30 March 2024, 30 days")
    }

    @Test("resting heart rate has its average, ranges, days, gaps and sources")
    func restingHeartRate() async throws {
        let store = try ReportStore()
        let days = (0..<30).filter { !(10...17).contains($0) }
        for day in days {
            try store.add("restingHeartRate", day, 8, value: 50 + Double(day % 10))
        }
        for day in -30..<0 {
            try store.add("restingHeartRate", day, 8, value: 60 + Double(-day % 5))
        }
        try store.write()
        let page = try await store.page()
        let section = try #require(page.sections.first)
        let measure = try #require(section.measures.first)
        let values = days.map { 50 + Double($0 % 10) }
        #expect(abs(measure.average - values.reduce(0, +) / 22) < 1e-9)
        #expect(measure.lowest == 50 && measure.highest == 59 && measure.days == 22)
        #expect(measure.typicalRange == TypicalRange(of: values))
        let before = (1...30).map { 60 + Double($0 % 5) }
        #expect(measure.typicalRangeBefore == TypicalRange(of: before))
        #expect(
            section.gaps == [.init(first: CivilDate(2024, 3, 11), last: CivilDate(2024, 3, 18))])
        #expect(section.sources == ["Watch"])
        #expect(try page.value("Average", of: .restingHeartRate) == "55 bpm")
        #expect(try page.value("Lowest to highest", of: .restingHeartRate) == "50–59 bpm")
        let range = try page.value("Typical range", of: .restingHeartRate)
        #expect(range.hasSuffix(" bpm (of 22 days)"))
        #expect(
            try page.value("The 30 days before", of: .restingHeartRate) == "60–64 bpm (of 30 days)")
        #expect(try page.value("Days with data", of: .restingHeartRate) == "22 of 30")
        #expect(try page.value("Gaps of 7 days or more", of: .restingHeartRate) == "11–18 Mar 2024")
        #expect(try page.value("Sources", of: .restingHeartRate) == "Watch")
        let chart = try #require(section.chart)
        #expect(chart.daysPerPoint == 1 && chart.points.count == 30)
        #expect(chart.points.map(\.value).compactMap(\.self) == values)
    }

    @Test("weight has the first and last day, the change, and gaps at both ends of the period")
    func weight() async throws {
        let store = try ReportStore()
        for (day, hour, value) in [(2, 7.0, 72.0), (9, 7, 71), (9, 8, 71.4), (20, 7, 70.8)] {
            try store.add("bodyMass", day, hour, value: value, source: "Scale")
        }
        try store.write()
        let page = try await store.page()
        #expect(try page.value("First", of: .weight) == "72.0 kg, Sun 3 Mar 2024")
        #expect(try page.value("Last", of: .weight) == "70.8 kg, Thu 21 Mar 2024")
        #expect(try page.value("Change", of: .weight) == "−1.2 kg")
        #expect(try page.value("Lowest to highest", of: .weight) == "70.8–72.0 kg")
        let unknown = "not known: fewer than 7 days with data"
        #expect(try page.value("Typical range", of: .weight) == unknown)
        #expect(try page.value("The 30 days before", of: .weight) == unknown)
        #expect(
            try page.value("Gaps of 7 days or more", of: .weight)
                == "11–20 Mar 2024, 22–30 Mar 2024")
    }

    @Test("sleep is an average a night, of the nights that are known")
    func sleep() async throws {
        let store = try ReportStore()
        for (day, hours) in [(1, 7.0), (2, 6), (5, 8)] {
            try store.add("sleepAnalysis", day, 23, value: 3, hours: hours)
        }
        // In bed only: the sleep of this night is unknown.
        try store.add("sleepAnalysis", 8, 23, value: 0, hours: 8, source: "Phone")
        try store.write()
        let page = try await store.page()
        #expect(try page.value("Average a night", of: .sleep) == "7:00 h")
        #expect(try page.value("Shortest to longest", of: .sleep) == "6:00–8:00 h")
        #expect(try page.value("Nights known", of: .sleep) == "3 of 30")
        #expect(try page.value("Sources", of: .sleep) == "Watch")
    }

    @Test("steps are an average of the days with data, without the day that isn’t over")
    func activity() async throws {
        let store = try ReportStore()
        for day in 0..<29 {
            let value = day.isMultiple(of: 2) ? 4_000.0 : 6_000
            try store.add("stepCount", day, 10, value: value, hours: 0.5)
        }
        try store.add("stepCount", 29, 10, value: 99_999, hours: 0.5)
        try store.add("appleExerciseTime", 4, 10, value: 30, hours: 0.5)
        try store.write()
        let page = try await store.page(today: 29)
        let section = try #require(page.sections.first)
        #expect(section.measures.map(\.metric) == [.steps, .exercise])
        #expect(
            try page.value("Steps a day", of: .activity)
                == "4,966 steps on average, 4,000–6,000")
        #expect(try page.value("Exercise a day", of: .activity) == "30 min on average, 30")
        #expect(try page.value("Days with data", of: .activity) == "29 of 30")
        #expect(section.chart?.metric == .steps && section.gaps.isEmpty)
    }

    @Test("blood pressure is averaged over pairs, in one unit, each once, and by time of day")
    func bloodPressure() async throws {
        let store = try ReportStore()
        try store.addPressure(130, 85, 1, 7)
        try store.addPressure(130, 85, 1, 7, source: "Copy")
        try store.addPressure(120, 75, 1, 20)
        try store.addPressure(16, 10, 2, 7, unit: "kPa")
        try store.addPressure(200, 120, 3, 7, source: "Ignored")
        try store.addPressure(90, 60, -5, 7)
        // Without the other half.
        try store.add("bloodPressureSystolic", 4, 7, value: 250, source: "Cuff")
        try store.write()
        let file = try store.open(.writing)
        try file.set(.excluded, of: "Ignored", in: file.type(named: "bloodPressureSystolic"))
        let page = try await store.page()
        let section = try #require(page.sections.first)
        #expect(section.kind == .bloodPressure && section.days == 2)
        #expect(section.pressures?.pairs == 3)
        #expect(section.measures.map(\.metric.unit) == ["mmHg", "mmHg"])
        #expect(try page.value("Average", of: .bloodPressure) == "123/78 mmHg, 3 pairs")
        #expect(try page.value("Systolic", of: .bloodPressure) == "120–130 mmHg")
        #expect(try page.value("Diastolic", of: .bloodPressure) == "75–85 mmHg")
        let (morning, evening) = ("Morning, 4:00 to 12:00", "Evening, 16:00 to 24:00")
        #expect(try page.value(morning, of: .bloodPressure) == "125/80 mmHg, 2 pairs")
        #expect(try page.value(evening, of: .bloodPressure) == "120/75 mmHg, 1 pair")
        #expect(try page.value("Sources", of: .bloodPressure) == "Cuff")
    }

    @Test("glucose counts readings in range in either unit, and equal ones at a time once")
    func glucose() async throws {
        let store = try ReportStore()
        let molar = "mmol<180.1558800000541>/L"
        for (day, hour, value) in [(1, 8.0, 5.0), (1, 12, 3), (2, 8, 12)] {
            try store.add("bloodGlucose", day, hour, value: value, unit: molar, source: "Meter")
        }
        try store.add("bloodGlucose", 2, 12, value: 180, source: "Meter")
        try store.add("bloodGlucose", 2, 12, value: 180, source: "Copy")
        try store.add("bloodGlucose", 2, 18, value: 70, source: "Meter")
        try store.write()
        let page = try await store.page()
        let section = try #require(page.sections.first)
        #expect(section.glucose == .init(readings: 5, below: 1, inRange: 3, above: 1))
        #expect(
            try page.value("Time in range", of: .glucose)
                == "60 % of readings from 70 to 180 mg/dL (3.9 to 10.0 mmol/L); 20 % below, "
                + "20 % above")
        #expect(try page.value("Readings", of: .glucose) == "5, 2.5 a day with data")
        #expect(try page.value("Lowest to highest", of: .glucose) == "54.0–216.2 mg/dL")
        #expect(Set(section.sources) == ["Meter", "Copy"])
    }
}
