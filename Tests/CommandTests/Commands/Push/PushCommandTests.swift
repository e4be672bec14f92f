import Foundation
import HealthTesting
import Testing

/// `openhealth push` to `openhealth serve --receive`, both as processes.
@Suite(.inTestAll) struct PushCommandTests {
    private let folder: TemporaryFolder
    private let store: String
    private let token: String
    private let source: HandMadeExport

    /// A walk, a run with its route, and a day's rings, recorded in Berlin.
    private static let elements = [
        HandMadeExport.record(
            "HKQuantityTypeIdentifierStepCount", "420", source: "Anna’s Watch",
            from: "2024-06-30 22:30:00 +0000", to: "2024-06-30 22:40:00 +0000", unit: "count"),
        """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" \
        durationUnit="min" sourceName="Anna’s Watch" creationDate="2024-06-29 08:31:00 +0000" \
        startDate="2024-06-29 08:00:00 +0000" endDate="2024-06-29 08:30:00 +0000">
        <WorkoutRoute sourceName="Anna’s Watch" creationDate="2024-06-29 08:31:00 +0000" \
        startDate="2024-06-29 08:00:00 +0000" endDate="2024-06-29 08:30:00 +0000">
        <Location date="2024-06-29 08:00:01 +0000" latitude="52.5" longitude="13.4" \
        altitude="35" horizontalAccuracy="5" verticalAccuracy="5" course="90" speed="3"/>
        </WorkoutRoute></Workout>
        """,
        """
        <ActivitySummary dateComponents="2024-06-29" activeEnergyBurned="400" \
        activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal" appleExerciseTime="20" \
        appleExerciseTimeGoal="30" appleStandHours="9" appleStandHoursGoal="12"/>
        """,
    ]

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path + "/health.sqlite"
        let run = try CommandRun(["devices", "add", "other", "--json"], store: store)
        token = try #require(run.object?["token"] as? String)
        source = try HandMadeExport(Self.elements, zone: "Europe/Berlin")
    }

    private func serving() throws -> Serving {
        try Serving(["serve", "--receive", "--port", "0"], store: store)
    }

    private func push(to serving: Serving) throws -> [String: Any] {
        let run = try CommandRun(
            ["push", "http://127.0.0.1:\(serving.port)", "--json"], store: source.path,
            environment: ["OPENHEALTH_TOKEN": token])
        #expect(run.status == 0, "\(run.errors)")
        return try #require(run.object)
    }

    /// The number of samples of each type.
    private func counts(_ store: String) throws -> [String: Int] {
        let run = try CommandRun(["types", "--json"], store: store)
        let types = try #require(run.object?["types"] as? [[String: Any]])
        var counts: [String: Int] = [:]
        for type in types {
            counts[try #require(type["type"] as? String)] = try #require(type["samples"] as? Int)
        }
        return counts
    }

    @Test("what an undo removes is withdrawn, and a later import brings it back on both sides")
    func undo() throws {
        let serving = try serving()
        defer { serving.command.kill() }
        _ = try push(to: serving)
        let before = try counts(store)
        #expect(before.count == 4)
        #expect(try source.run(["imports", "undo", "1", "--yes"]).status == 0)
        _ = try push(to: serving)
        // HealthKit reports no deletion of a day's rings.
        #expect(try counts(store) == ["HKActivitySummaryTypeIdentifier": 1])
        #expect(try source.run(["import", source.xml]).status == 0)
        let again = try push(to: serving)
        #expect(again["rejected"] as? Int == 0)
        #expect(try counts(store) == before)
    }

    @Test("a server whose store was replaced gets everything again, also without new data")
    func replaced() throws {
        let first = try serving()
        _ = try push(to: first)
        #expect(try push(to: first)["received"] as? Int == 0)
        first.command.kill()
        let before = try counts(store)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: store + suffix)
        }
        let second = try serving()
        defer { second.command.kill() }
        _ = try push(to: second)
        #expect(try counts(store) == before)
    }

    @Test("an export imported after a push of its data doubles nothing, and can be undone")
    func importAfterPush() throws {
        let serving = try serving()
        defer { serving.command.kill() }
        _ = try push(to: serving)
        let before = try counts(store)
        #expect(before["HKActivitySummaryTypeIdentifier"] == 1)
        let imported = try CommandRun(["import", source.xml], store: store)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try counts(store) == before)
        let workouts = try CommandRun(["workouts", "--json"], store: store)
        let listed = try #require(workouts.object?["workouts"] as? [[String: Any]])
        #expect(listed.map { $0["routes"] as? Int } == [1])
        let undone = try CommandRun(["imports", "undo", "1", "--yes"], store: store)
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try counts(store) == before)
    }

    @Test("days begin at midnight where the data was recorded, also on a computer in UTC")
    func timeZone() throws {
        let serving = try serving()
        defer { serving.command.kill() }
        _ = try push(to: serving)
        let words = ["stats", "stepCount", "--by", "day", "--json"]
        let received = try CommandRun(words, store: store)
        #expect(received.output.contains("2024-07-01T00:00:00+02:00"), "\(received.output)")
        #expect(received.output == (try source.run(words).output))
    }
}
