import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthSaveTotalTests {
    private let day = HealthSaveText.day

    private func code(_ name: String) throws -> Int32 {
        try #require(Catalogue.type(named: name)).code
    }

    @Test("a date and a quantity without a UUID are a total, and no sample", arguments: [1, 2])
    func total(version: Int) throws {
        let record = #"{"date":"2026-03-01T08:00:00Z","qty":1234.5}"#
        let body =
            version == 1
            ? HealthSaveText.version1("step_count", [record])
            : HealthSaveText.version2("step_count", [record])
        let intake = try CollectedIntake(.healthSave, body)
        let steps = try code("stepCount")
        #expect(intake.samples.isEmpty)
        #expect(
            intake.totals == [
                ExternalTotal(
                    type: steps, statistic: .sum, start: day + 28_800,
                    end: day + 28_800, value: 1234.5, unit: "count", index: 0)
            ])
        #expect(intake.recordCount == 1)
    }

    @Test("the total of a reading is an average, and names its source")
    func average() throws {
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version1(
                "heart_rate",
                [
                    #"{"date":"2026-03-01T08:00:00Z","qty":64.5,"unit":"count/min","#
                        + #""source":"Watch"}"#
                ]))
        let heartRate = try code("heartRate")
        #expect(
            intake.totals == [
                ExternalTotal(
                    type: heartRate, statistic: .average, start: day + 28_800,
                    end: day + 28_800, value: 64.5, unit: "count/min", source: "Watch", index: 0)
            ])
    }

    @Test("a date without a time is a day in the stated offset, and nothing without one")
    func days() throws {
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version2(
                "step_count",
                [
                    #"{"date":"2026-03-01","qty":5000,"tzOffsetMinutes":60}"#,
                    #"{"date":"2026-03-02","qty":6000,"tzOffsetMinutes":-330}"#,
                    #"{"date":"2026-03-03","qty":7000}"#,
                    #"{"date":"2026-03-03","qty":7000,"tzOffsetMinutes":2000}"#,
                ]))
        #expect(intake.totals.map(\.value) == [5000, 6000])
        #expect(intake.totals.map(\.start) == [day - 3_600, day + 86_400 + 19_800])
        #expect(intake.totals.map(\.end) == [day + 82_800, day + 172_800 + 19_800])
        #expect(intake.rejections.map(\.reason) == [.date, .date])
        #expect(intake.rejections.map(\.field) == ["date", "date"])
    }

    @Test(
        "a stated end ends the interval of a total", arguments: ["endDate", "end", "endDate_iso"])
    func ends(field: String) throws {
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version2(
                "active_energy_burned",
                [
                    #"{"start":"2026-03-01T08:00:00Z","\#(field)":"2026-03-01T09:00:00Z","#
                        + #""qty":87.5,"unit":"kcal","source":"Watch"}"#,
                    #"{"start":"2026-03-01T08:00:00Z","\#(field)":"2026-03-01T07:00:00Z","#
                        + #""qty":1,"unit":"kcal"}"#,
                    #"{"start":"2026-03-01T08:00:00Z","\#(field)":"2026-03-02","qty":1,"#
                        + #""unit":"kcal","tzOffsetMinutes":0}"#,
                ]))
        #expect(intake.samples.isEmpty)
        #expect(intake.totals.map(\.start) == [day + 28_800])
        #expect(intake.totals.map(\.end) == [day + 32_400])
        #expect(intake.totals.map(\.value) == [87.5])
        #expect(intake.totals.map(\.unit) == ["kcal"])
        #expect(intake.totals.map(\.source) == ["Watch"])
        #expect(intake.rejections.map(\.reason) == [.endBeforeStart, .date])
    }

    @Test("in version 1, an amount with an end and a source is a sample without an identifier")
    func version1() throws {
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version1(
                "step_count",
                [
                    #"{"start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:10:00Z","qty":420,"#
                        + #""source":"Phone"}"#,
                    #"{"start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:10:00Z","qty":31}"#,
                ]))
        #expect(intake.samples.map(\.type) == ["stepCount"])
        #expect(intake.samples.map(\.identity) == [.content])
        #expect(intake.samples.map(\.value) == [420])
        #expect(intake.samples.map(\.unit) == ["count"])
        #expect(intake.samples.map(\.start) == [day + 28_800])
        #expect(intake.samples.map(\.end) == [day + 29_400])
        #expect(intake.samples.map(\.source.name) == ["Phone"])
        #expect(intake.totals.map(\.value) == [31])
        #expect(intake.totals.map(\.start) == [day + 28_800])
        #expect(intake.totals.map(\.end) == [day + 29_400])
        #expect(intake.totals.map(\.index) == [1])
    }

    @Test("sleep and workouts without a UUID are samples, in both versions")
    func withoutUUID() throws {
        let times =
            #""start":"2026-03-01T01:00:00Z","end":"2026-03-01T02:30:00Z","source":"Watch""#
        let versions: [(String, [String]) -> String] = [
            { HealthSaveText.version1($0, $1) }, { HealthSaveText.version2($0, $1) },
        ]
        for body in versions {
            let sleep = try CollectedIntake(
                .healthSave, body("sleep", [#"{\#(times),"value":"asleepDeep"}"#]))
            #expect(sleep.samples.map(\.identity) == [.content])
            #expect(sleep.samples.map(\.value) == [4])
            #expect(sleep.samples.map(\.start) == [day + 3_600])
            #expect(sleep.samples.map(\.end) == [day + 9_000])
            let workouts = try CollectedIntake(
                .healthSave, body("workouts", [#"{\#(times),"activityType":"running"}"#]))
            #expect(workouts.samples.map(\.identity) == [.workout])
            #expect(workouts.samples.map(\.start) == [day + 3_600])
            #expect(workouts.samples.map(\.end) == [day + 9_000])
            #expect(
                workouts.samples.map(\.detail) == [.workout(Workout(activityType: 37))])
        }
    }

    @Test("a quantity of a category is a duration or a number, as its unit says")
    func categories() throws {
        func record(_ unit: String) -> String {
            #"{"date":"2026-03-01T08:00:00Z","qty":6.5\#(unit)}"#
        }
        let intake = try CollectedIntake(
            .healthSave,
            HealthSaveText.version2(
                "sleep_analysis",
                [
                    record(#","unit":"hr""#), record(#","unit":"count""#), record(""),
                    record(#","unit":"kg""#),
                ]))
        #expect(intake.totals.map(\.statistic) == [.duration, .count])
        #expect(intake.totals.map(\.value) == [6.5, 6.5])
        #expect(intake.totals.map(\.unit) == ["hr", "count"])
        #expect(intake.unknown.map(\.name) == ["sleep_analysis without unit"])
        #expect(intake.rejections.map(\.reason) == [.unit])
    }
}
