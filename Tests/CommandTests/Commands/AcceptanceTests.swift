import Foundation
import HealthTesting
import Testing

/// Problems that users met: empty answers, unusual paths, damaged files.
@Suite(.inTestAll) struct AcceptanceTests {
    @Test("the default store is in $HOME; a relative $XDG_DATA_HOME is no place")
    func home() throws {
        let home = try TemporaryFolder()
        let surroundings = [
            ["HOME": home.path], ["HOME": home.path, "XDG_DATA_HOME": "data"],
            ["HOME": "/nonexistent", "XDG_DATA_HOME": home.path + "/.local/share"],
        ]
        for environment in surroundings {
            let run = try CommandRun(["types"], environment: environment)
            #expect(run.status == 1)
            #expect(run.errors.contains(home.path + "/.local/share/openhealth/health.sqlite"))
        }
    }

    @Test(
        "a result without included sources names the excluded ones, their data and the remedy",
        arguments: [
            ("excluded-stats.txt", "stats stepCount"),
            ("excluded-stats-day.txt", "stats stepCount --from 2024-03-31 --to 2024-04-01"),
            ("excluded-explain.txt", "explain stepCount --day 2024-03-30"),
            ("excluded-merged.txt", "samples stepCount --merged"),
            ("excluded-weight.txt", "stats bodyMass --source Health"),
        ])
    func onlyExcluded(name: String, arguments: String) throws {
        let store = try AnnasStore()
        for (type, source) in [
            ("stepCount", "Anna’s Apple Watch"), ("stepCount", "Anna’s iPhone"),
            ("bodyMass", "Health"),
        ] {
            let run = try CommandRun(["sources", "exclude", type, source], store: store.path)
            #expect(run.status == 0)
        }
        let words = arguments.split(separator: " ").map(String.init)
        let run = try CommandRun(words, store: store.path)
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        try Snapshot(name).check(run.output)
    }

    @Test("for scripts the reason for an empty result is on standard error")
    func onlyExcludedInScripts() throws {
        let store = try AnnasStore()
        for arguments in [
            ["stats", "stepCount", "--csv", "--source", "DayCounter"],
            ["samples", "stepCount", "--merged", "--json", "--source", "DayCounter"],
        ] {
            let run = try CommandRun(arguments + ["--store", store.path])
            #expect(run.status == 0)
            #expect(!run.output.contains("DayCounter"))
            let command = "openhealth sources include stepCount DayCounter --store \(store.path)"
            #expect(run.errors.contains(command))
            #expect(run.errors.contains("15,200 steps in 2 samples"))
        }
    }

    @Test("a workout without totals of its own has the sum of its activities'")
    func workoutActivities() throws {
        func activity(_ id: Int, _ statistics: String) -> String {
            """
            <WorkoutActivity uuid="0000000\(id)-0000-0000-0000-000000000000" \
            startDate="2024-03-31 18:00:00 +0200" endDate="2024-03-31 18:30:00 +0200" \
            duration="30" durationUnit="min">\(statistics)</WorkoutActivity>
            """
        }
        func statistics(_ type: String, _ sum: String, _ unit: String) -> String {
            """
            <WorkoutStatistics type="HKQuantityTypeIdentifier\(type)" \
            startDate="2024-03-31 18:00:00 +0200" endDate="2024-03-31 18:30:00 +0200" \
            sum="\(sum)" unit="\(unit)"/>
            """
        }
        let folder = try TemporaryFolder()
        let export = folder.path + "/export.xml"
        let text = """
            <HealthData locale="de_DE"><ExportDate value="2024-04-01 10:00:00 +0200"/>
            <Workout workoutActivityType="HKWorkoutActivityTypeSwimBikeRun" duration="60" \
            durationUnit="min" sourceName="Watch" startDate="2024-03-31 18:00:00 +0200" \
            endDate="2024-03-31 19:00:00 +0200">\
            \(activity(1, statistics("DistanceCycling", "20", "km")
                + statistics("ActiveEnergyBurned", "500", "kcal")))\
            \(activity(2, statistics("DistanceWalkingRunning", "5000", "m")
                + statistics("ActiveEnergyBurned", "300", "kcal")))\
            \(statistics("ActiveEnergyBurned", "810", "kcal"))</Workout></HealthData>
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: export))
        let store = folder.path + "/health.sqlite"
        #expect(try CommandRun(["import", export], store: store).status == 0)
        let run = try CommandRun(["workouts", "--json"], store: store)
        let workout = try #require((run.object?["workouts"] as? [[String: Any]])?.first)
        #expect(workout["distance"] as? Double == 25)
        #expect(workout["energy"] as? Double == 810, "its own total comes before its activities'")
    }

    @Test("a store with a damaged page is a finding, wherever the page is", arguments: 1...20)
    func damagedPage(page: Int) throws {
        let store = try AnnasStore()
        let file = try #require(FileHandle(forUpdatingAtPath: store.path))
        try file.seek(toOffset: UInt64(page == 1 ? 100 : (page - 1) * 4096))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 200))
        try file.close()
        let run = try CommandRun(["check", "--json"], store: store.path)
        #expect(run.status == 3)
        #expect(run.object?["ok"] as? Bool == false)
        let problems = try #require(run.object?["problems"] as? [[String: Any]])
        #expect(problems.first?["invariant"] as? String == "the file is undamaged")
        let words = try CommandRun(["check"], store: store.path)
        #expect(words.status == 3)
        #expect(words.output.contains("the file is undamaged"))
    }

    @Test("a repeated export is reported as known, not as older")
    func knownExport() throws {
        let store = try AnnasStore()
        let run = try CommandRun(["import", AnnasStore.export], store: store.path)
        #expect(run.output.hasPrefix("export.xml: nothing new, all 27 records were already"))
        #expect(!run.output.contains("earlier import"))
        #expect(!run.output.contains("only added"))
    }

    @Test("the day an import proposes to explain has data in which sources overlap")
    func exampleDay() throws {
        let folder = try TemporaryFolder()
        let export = folder.path + "/export.xml"
        let store = folder.path + "/health.sqlite"
        let lonely = """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Anna’s iPhone" \
            unit="count" startDate="2024-04-01 08:00:00 +0200" \
            endDate="2024-04-01 08:10:00 +0200" value="100"/><Workout\u{20}
            """
        let text = try String(contentsOfFile: AnnasStore.export, encoding: .utf8)
            .replacing("<Workout ", with: lonely)
        try Data(text.utf8).write(to: URL(fileURLWithPath: export))
        let report = try CommandRun(["import", export], store: store).output
        let match = try #require(report.firstMatch(of: #/explain (\w+) --day ([\d-]+)/#))
        let run = try CommandRun(
            ["explain", String(match.1), "--day", String(match.2), "--json"], store: store)
        let naive = try #require(run.object?["naive"] as? Double)
        let merged = try #require(run.object?["merged"] as? Double)
        #expect(naive > merged)
    }
}
