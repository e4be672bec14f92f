import Foundation
import Testing

/// `openhealth export --format apple`, taken in again by an empty store.
@Suite struct AppleExportTests {
    @Test("an export of two devices, imported into an empty store, gives every answer again")
    func roundTrip() throws {
        let person = try SimulatedStore.shared.get()
        let folder = try TemporaryFolder()
        let zip = folder.path + "/export.zip"
        let run = try person.run(["export", "--format", "apple", "--out", zip, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let losses = try #require(run.object?["notHeld"] as? [[String: Any]])
        #expect(losses.compactMap { $0["what"] as? String } == ["missingRouteFiles"])
        let copy = folder.path + "/copy.sqlite"
        let imported = try CommandRun(["import", zip], store: copy)
        #expect(imported.status == 0, "\(imported.errors)")
        var questions = [
            ["types", "--json"], ["sources", "--json"], ["workouts", "--json"],
            ["samples", "bloodPressure", "--json"], ["samples", "workout", "--json"],
            ["samples", "activitySummary", "--json"],
            ["export", "--format", "jsonl", "--out", "-"],
        ]
        for type in ["stepCount", "heartRate", "sleepAnalysis", "activeEnergyBurned"] {
            questions.append(["stats", type, "--json", "--by-source"])
            questions.append(["samples", type, "--json"])
        }
        let days = try #require(
            CSVTable(try person.run(["stats", "stepCount", "--csv"]).output))
        for day in [days.first, days.last] {
            let date = String(try #require(day?["start"]).prefix(10))
            questions.append(["explain", "stepCount", "--day", date, "--json"])
        }
        for question in questions {
            let (before, after) = (try person.run(question), try CommandRun(question, store: copy))
            #expect(before.status == after.status)
            #expect(before.output == after.output, "\(question)")
        }
    }

    @Test("awkward names come back through an export, and the home zone that was given is named")
    func awkward() throws {
        let folder = try TemporaryFolder()
        let store = try AwkwardStore(in: folder)
        let zip = folder.path + "/awkward.zip"
        let run = try CommandRun(["export", "--format", "apple", "--out", zip], store: store.path)
        #expect(run.status == 0)
        #expect(run.errors.contains("home zone") && run.errors.contains("Europe/Berlin"))
        let copy = folder.path + "/copy.sqlite"
        let imported = try CommandRun(
            ["import", zip, "--time-zone", "Europe/Berlin"], store: copy)
        #expect(imported.status == 0, "\(imported.errors)")
        let again = try CommandRun(["export", "--format", "jsonl", "--out", "-"], store: copy)
        #expect(again.output == (try store.export("jsonl")))
    }

    @Test("a zip is not written to standard output, nor merged")
    func refused() throws {
        let person = try SimulatedStore.shared.get()
        let apple = ["export", "--format", "apple", "--out"]
        #expect(try person.run(apple + ["-"]).status == 64)
        let zip = person.folder.path + "/never.zip"
        #expect(try person.run(apple + [zip, "--merged"]).status == 64)
        #expect(!FileManager.default.fileExists(atPath: zip))
    }
}
