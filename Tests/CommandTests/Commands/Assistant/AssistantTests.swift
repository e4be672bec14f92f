import Foundation
import HealthTesting
import Testing

/// `openhealth mcp` as a process, over real pipes. The sessions are Python programs under
/// `Tests/Fixtures/assistant`, which share no code with the command.
@Suite(.inTestAll, .comparedWithPython) struct AssistantTests {
    /// A store of a simulated year, for all tests that only read.
    private static let year = Result { try SimulatedYear() }

    private static let scripts = ProjectFiles.fixtures.appendingPathComponent("assistant")

    private func run(
        _ script: String, _ arguments: [String], by python: String = "python3"
    ) throws -> ProgramRun {
        // Python would leave compiled copies beside the scripts.
        let environment = ProcessInfo.processInfo.environment
            .merging(["PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"]) { $1 }
        let path = Self.scripts.appendingPathComponent(script).path
        return try ProgramRun(
            "/usr/bin/env", [python, path, CommandRun.executable.path] + arguments,
            environment: environment)
    }

    /// Returns the path of a copy of Anna's store.
    private func anna(in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/health.sqlite"
        let run = try CommandRun(["import", AnnasStore.export], store: path)
        #expect(run.status == 0, "\(run.errors)")
        return path
    }

    @Test("Sessions of all three versions go as the protocol says, also with hostile lines")
    func sessions() throws {
        let run = try run("sessions.py", [try AnnasStore.shared.get().path])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("Answers over all pages have the numbers of stats, explain, workouts and summary")
    func answers() throws {
        let anna = try run("answers.py", [try AnnasStore.shared.get().path, "Europe/Berlin"])
        #expect(anna.status == 0, "\(anna.errors)")
        let year = try run("answers.py", [try Self.year.get().path, "Europe/Berlin"])
        #expect(year.status == 0, "\(year.errors)")
        let counts = try #require(year.object)
        #expect(counts["compared"] as? Int ?? 0 > 5_000, "\(year.output)")
        #expect(counts["truncated"] as? Int ?? 0 > 5, "\(year.output)")
    }

    @Test("Random calls stay within the answer budget and fail only with an explanation")
    func randomCalls() throws {
        let seed = TestTier.seed(1)
        let count = TestTier.count(quick: 0, all: 150, torture: 3_000)
        let stores = [try AnnasStore.shared.get().path, try Self.year.get().path]
        for (store, options) in zip(stores + stores, [[], [], ["--aggregated-only"], Self.narrow]) {
            let run = try run(
                "random_calls.py", [store, "\(seed)", "\(count)"] + options,
                by: Python.withAssistantClient ?? "python3")
            #expect(run.status == 0, "seed \(seed): \(run.errors)")
            #expect(run.object?["answers"] as? Int ?? 0 > count / 4, "seed \(seed): \(run.output)")
        }
    }

    private static let narrow = ["--types", "stepCount,sleepAnalysis", "--since", "2024-06-01"]

    @Test("Random calls about extreme numbers and dates stay within the budget too")
    func extremeCalls() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let export = ExtremeExport(
            seed: seed, types: ExtremeExport.fewTypes(&random), perType: 8)
        let store = folder.path + "/health.sqlite"
        let imported = try CommandRun(
            ["import", try export.write(into: folder.path)], store: store)
        #expect(imported.status == 0 || imported.status == 2, "seed \(seed): \(imported.errors)")
        let run = try run(
            "random_calls.py",
            [store, "\(seed)", "\(TestTier.count(quick: 0, all: 150, torture: 3_000))"],
            by: Python.withAssistantClient ?? "python3")
        #expect(run.status == 0, "seed \(seed): \(run.errors)")
    }

    @Test("Options hide types, days and single samples in every tool")
    func scopes() throws {
        let run = try run("scopes.py", [try AnnasStore.shared.get().path])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("Each call is in the log, without health values, and what can't be logged isn't answered")
    func log() throws {
        let folder = try TemporaryFolder()
        let run = try run("log.py", [try anna(in: folder)])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(
        "The client of the Python package mcp reads all tools, in both eras",
        .enabled(
            if: Python.withAssistantClient != nil,
            "No Python with mcp and jsonschema: Tools/setup brings them into .build/python."))
    func client() throws {
        let python = try #require(Python.withAssistantClient)
        for store in [try AnnasStore.shared.get().path, try Self.year.get().path] {
            let run = try run("client.py", [store], by: python)
            #expect(run.status == 0, "\(run.errors)")
        }
    }
}

/// A store of a simulated year.
private final class SimulatedYear: Sendable {
    private let folder: TemporaryFolder
    var path: String { folder.path + "/health.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        let export = folder.path + "/export.zip"
        for arguments in [
            ["simulate", "--out", export, "--time-zone", "Europe/Berlin", "--records", "100000"],
            ["import", export, "--time-zone", "Europe/Berlin"],
        ] {
            let run = try CommandRun(arguments, store: path)
            guard run.status == 0 else { throw AnnasStore.ImportFailed(errors: run.errors) }
        }
    }
}
