import Foundation
import HealthTesting
import Testing

/// `openhealth export --format apple`, imported into an empty store.
@Suite(.inTestAll) struct AppleExportTests {
    @Test(
        "two devices, apps, edits and choices: another store answers the same for every type, and what it can't is named"
    )
    func roundTrip() throws {
        let person = try SimulatedStore(["--records", "9000", "--seed", "7", "--daily-app"])
        try person.choose()
        let weight = ["weight", "log", "81.4 kg", "--at", "2026-08-01T08:00:00-04:00"]
        #expect(try person.run(weight).status == 0)
        let folder = try TemporaryFolder()
        let zip = folder.path + "/export.zip"
        let run = try person.run(["export", "--format", "apple", "--out", zip, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let losses = try #require(run.object?["notHeld"] as? [[String: Any]])
        let counts = losses.map { "\($0["what"] ?? "") \($0["count"] ?? "")" }
        #expect(
            counts == [
                "fractionsOfSeconds 1", "missingRouteFiles 8", "systemVersions 1", "ownUUIDs 1",
                "ownBundleIdentifiers 1", "sourceArrangements 2", "grants 1",
            ])
        let copy = SimulatedStore(importing: zip, in: folder)
        let imported = try copy.run(["import", zip])
        #expect(imported.status == 0, "\(imported.errors)")
        // The format can't hold a person's choices. They are named above, and made again.
        try copy.choose()
        let types = try #require(try person.run(["types", "--json"]).object?["types"])
        let names = try #require(types as? [[String: Any]]).compactMap { $0["type"] as? String }
        #expect(names.count == 19)
        var questions = [
            ["types", "--json"], ["sources", "--json"], ["workouts", "--json"],
            ["export", "--format", "jsonl", "--out", "-"],
        ]
        for type in names {
            questions.append(["stats", type, "--json", "--by-source"])
            questions.append(["samples", type, "--json"])
            questions.append(["explain", type, "--day", "2026-08-01", "--json"])
        }
        for question in questions {
            let (before, after) = (try person.run(question), try copy.run(question))
            #expect(before.status == after.status)
            #expect(
                Self.withoutOwnIdentifiers(before.output)
                    == Self.withoutOwnIdentifiers(after.output), "\(question)")
        }
    }

    /// Returns an answer without the parts of the diary's weight that an export can't hold:
    /// identifiers, fractions of a second and the system.
    private static func withoutOwnIdentifiers(_ text: String) -> [String] {
        let given = /(org\.openhealthkit\.weight|imported\.openhealth[a-z-]*\.[0-9a-f]{8})/
        // One line per sample, or per other object.
        return text.replacing(given, with: "weight").replacing("},{", with: "}\n{")
            .split(separator: "\n").map { line in
                guard line.contains("openhealth weight") else { return String(line) }
                return String(
                    line.replacing(/"uuid":"[-0-9A-F]{36}"/, with: "")
                        .replacing(/"created":"[^"]*"/, with: ""))
            }
    }

    @Test("unusual names survive an export, and the specified home zone is named")
    func awkward() throws {
        let folder = try TemporaryFolder()
        let store = try UnusualNamesStore(in: folder)
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
