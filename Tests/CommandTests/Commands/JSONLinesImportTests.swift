import Foundation
import HealthTesting
import Testing

/// `openhealth import` of what `openhealth export --format jsonl` wrote.
@Suite(.inTestAll) struct JSONLinesImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String], _ store: String) throws -> CommandRun {
        try CommandRun(arguments, store: folder.path + "/" + store)
    }

    private func export(_ store: String) throws -> String {
        let run = try run(
            ["export", "--format", "jsonl", "--out", "-", "--time-zone", "UTC"], store)
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    /// Exports a store, imports that into an empty one, and returns both exports.
    private func roundTrip(_ lines: String, zone: String) throws -> String {
        let file = try folder.write("first.jsonl", lines)
        let run = try run(["import", file, "--time-zone", zone, "--json"], "second.sqlite")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.object?["new"] as? Int == run.object?["samples"] as? Int)
        #expect(try self.run(["check"], "second.sqlite").status == 0)
        return try export("second.sqlite")
    }

    @Test("an export of a person comes back byte for byte, with routes, rings and members")
    func person() throws {
        let person = try SimulatedStore.shared.get()
        let lines = try person.export("jsonl", "round.jsonl", ["--time-zone", "UTC"])
        let again = try roundTrip(lines, zone: "UTC")
        let pairs = zip(lines.split(separator: "\n"), again.split(separator: "\n"))
        if let difference = pairs.first(where: { $0 != $1 }) {
            Issue.record("\(difference.0)\n\(difference.1)")
        }
        #expect(lines == again)
        #expect(lines.contains("\"latitude\":") && lines.contains("\"members\":"))
        for type in ["stepCount", "heartRate", "sleepAnalysis"] {
            let stats = ["stats", type, "--json", "--time-zone", "UTC"]
            let first = try person.run(stats).output
            #expect(try run(stats, "second.sqlite").output == first, "\(type)")
        }
    }

    @Test("the same file again, and the person's next export, add nothing")
    func again() throws {
        let person = try SimulatedStore.shared.get()
        let lines = try person.export("jsonl", "again.jsonl")
        _ = try roundTrip(lines, zone: "Europe/Berlin")
        let file = folder.path + "/first.jsonl"
        let second = try run(["import", file, "--json"], "second.sqlite")
        #expect(second.status == 0 && second.object?["new"] as? Int == 0)
        let zip = try run(
            ["import", person.folder.path + "/export.zip", "--json"], "second.sqlite")
        let records = try #require(zip.object?["records"] as? [String: Any])
        #expect(records["new"] as? Int == 0 && records["changed"] as? Int == 0)
        let undo = try run(["imports", "undo", "3", "--yes"], "second.sqlite")
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try run(["check"], "second.sqlite").status == 0)
    }

    @Test("samples with UUIDs of their own keep them, and notes on days come back")
    func ownSamples() throws {
        for day in ["2024-03-10", "2024-03-11"] {
            let logged = try run(
                ["weight", "log", "70.5kg", "--at", day + "T08:00:00+01:00"], "first.sqlite")
            #expect(logged.status == 0, "\(logged.errors)")
        }
        let lines = try export("first.sqlite") + Self.note
        #expect(lines.split(separator: "\n").count == 3)
        #expect(try roundTrip(lines, zone: "UTC") == lines)
    }

    private static let note =
        #"{"type":"dayNote","day":"2024-03-10","text":"Ran a fever\n\"39\"","#
        + #""modified":"2024-03-11T07:00:00+00:00"}"# + "\n"

    @Test("lines that aren't samples are listed, and files that aren't exports change nothing")
    func rejected() throws {
        let broken = #"{"type":"HKQuantityTypeIdentifierStepCount","uuid":"x"}"# + "\n"
        let file = try folder.write("broken.jsonl", broken)
        let listed = try run(["import", file], "a.sqlite")
        #expect(listed.status == 2 && listed.errors.contains("line 1: uuid"), "\(listed.errors)")
        let merged = #"{"type":"HKQuantityTypeIdentifierStepCount","value":1}"# + "\n"
        for text in [merged, String(broken.dropLast(3)), "{}\n[]\n", "{\"uuid\":1"] {
            let file = try folder.write("no.jsonl", text)
            let run = try run(["import", file], "b.sqlite")
            #expect(run.status == 1, "\(text): \(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/b.sqlite"))
        }
    }
}
