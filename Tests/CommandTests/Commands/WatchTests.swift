import Foundation
import HealthTesting
import Testing

/// `openhealth watch`, together with other processes.
@Suite(.inTestAll) struct WatchTests {
    private let diary: Diary

    init() throws {
        diary = try Diary()
        _ = try diary.run("log", "83", "--at", "2024-03-09")
    }

    @Test("saves, changes and deletions are printed line by line; Ctrl-C exits with 0")
    func changes() throws {
        let watch = try RunningCommand(["watch", "bodyMass", "--json"], store: diary.path)
        defer { watch.kill() }
        try watch.waitForMessage("Watching bodyMass")
        let entry = try diary.entry("log", "82.4", "--at", "2024-03-10T07:30")
        let saved = try #require(try watch.nextObject())
        #expect(saved["type"] as? String == "HKQuantityTypeIdentifierBodyMass")
        #expect(saved["uuid"] as? String == entry["id"] as? String)
        #expect(saved["start"] as? String == "2024-03-10T07:30:00+00:00")
        #expect(saved["end"] as? String == "2024-03-10T07:30:00+00:00")
        #expect(saved["value"] as? Double == 82.4)
        #expect(saved["unit"] as? String == "kg")
        #expect(saved["source"] as? String == "openhealth weight")
        #expect(saved["deleted"] == nil)

        let edited = try diary.entry("edit", "1", "82.3")
        let pair = [try #require(try watch.nextObject()), try #require(try watch.nextObject())]
        let new = try #require(pair.first { $0["deleted"] == nil })
        let old = try #require(pair.first { $0["deleted"] as? Bool == true })
        #expect(new["uuid"] as? String == edited["id"] as? String)
        #expect(old["uuid"] as? String == entry["id"] as? String)
        #expect(old["type"] as? String == "HKQuantityTypeIdentifierBodyMass")
        #expect(old["value"] == nil)

        #expect(try diary.run("remove", "1").status == 0)
        let gone = try #require(try watch.nextObject())
        #expect(gone["uuid"] as? String == edited["id"] as? String)
        #expect(gone["deleted"] as? Bool == true)
        #expect(watch.interrupt() == 0)
        #expect(watch.output.split(separator: "\n").count == 4)
    }

    @Test("it resumes at the position of its name, or from the start with an option")
    func resumption() throws {
        func values(_ words: [String], _ count: Int) throws -> [Double] {
            let watch = try RunningCommand(
                ["watch", "bodyMass", "--json"] + words, store: diary.path)
            defer { watch.kill() }
            try watch.waitForMessage("Watching bodyMass")
            #expect(watch.interrupt() == 0)
            let lines = watch.output.split(separator: "\n")
            #expect(lines.count == count, "\(watch.output)")
            return try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require((object as? [String: Any])?["value"] as? Double)
            }
        }
        #expect(try values([], 0).isEmpty)
        _ = try diary.run("log", "82.4", "--at", "2024-03-10")
        #expect(try values([], 1) == [82.4])
        #expect(try values([], 0).isEmpty)
        #expect(try values(["--name", "other"], 0).isEmpty)
        _ = try diary.run("log", "82.2", "--at", "2024-03-11")
        #expect(try values(["--name", "other"], 1) == [82.2])
        #expect(try values([], 1) == [82.2])
        #expect(try values(["--from-start"], 3).sorted() == [82.2, 82.4, 83])
        #expect(try values([], 0).isEmpty)
        let mode = try FileManager.default.attributesOfItem(
            atPath: diary.folder.path + "/health.watch.sqlite")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("all types are watched unless some are named; a line fits a terminal")
    func text() throws {
        let store = try AnnasStore()
        let watch = try RunningCommand(["watch", "--from-start"], store: store.path)
        defer { watch.kill() }
        try watch.waitForMessage("Watching 2")
        #expect(watch.interrupt() == 0)
        let lines = watch.output.split(separator: "\n")
        #expect(
            lines.contains(
                "saved    2024-03-31 07:00             69.9 kg  bodyMass  Scale, \"Pro\""))
        #expect(lines.contains { $0.contains("asleepREM  sleepAnalysis") })
        #expect(lines.allSatisfy { $0.count <= 80 })
        let samples = try CommandRun(["types", "--json"], store: store.path)
        let types = try #require(samples.object?["types"] as? [[String: Any]])
        #expect(lines.count == types.compactMap { $0["samples"] as? Int }.reduce(0, +))
    }

    @Test(
        "wrong usage and a missing store end at once",
        arguments: [("watch nonsense", Int32(64)), ("watch --name=", 64), ("watch", 1)])
    func wrong(arguments: String, status: Int32) throws {
        let folder = try TemporaryFolder()
        let store = status == 1 ? folder.path + "/none.sqlite" : diary.path
        let run = try CommandRun(arguments.split(separator: " ").map(String.init), store: store)
        #expect(run.status == status)
        #expect(run.output.isEmpty)
        #expect(!run.errors.isEmpty)
    }
}

/// A command that runs until it is stopped.
final class RunningCommand {
    private let process = Process()
    private let folder: TemporaryFolder
    private var taken = 0

    var output: String {
        (try? String(contentsOfFile: folder.path + "/output", encoding: .utf8)) ?? ""
    }
    var errors: String {
        (try? String(contentsOfFile: folder.path + "/errors", encoding: .utf8)) ?? ""
    }

    var processIdentifier: Int32 { process.processIdentifier }

    struct TimeoutError: Error {
        var output: String
        var errors: String
    }

    init(_ arguments: [String], store: String, environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        for name in ["/output", "/errors"] {
            try Data().write(to: URL(fileURLWithPath: folder.path + name))
        }
        process.executableURL = CommandRun.executable
        process.arguments = arguments
        process.environment = [
            "TZ": "UTC", "LANG": "de_DE.UTF-8", "HOME": "/nonexistent", "OPENHEALTH_STORE": store,
        ].merging(environment) { _, new in new }
        process.standardOutput = FileHandle(forWritingAtPath: folder.path + "/output")
        process.standardError = FileHandle(forWritingAtPath: folder.path + "/errors")
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    func waitForMessage(_ text: String) throws {
        try wait { self.errors.contains(text) }
    }

    /// Waits for the next line and returns it as JSON.
    func nextObject() throws -> [String: Any]? {
        try wait { self.output.filter { $0 == "\n" }.count > self.taken }
        defer { taken += 1 }
        let line = output.split(separator: "\n")[taken]
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }

    /// Sends SIGINT, like Ctrl-C, and returns the exit status.
    func interrupt() -> Int32 {
        process.interrupt()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Kills the command. Returns its exit status if it had already ended.
    @discardableResult
    func kill() -> Int32? {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        return end()
    }

    /// Waits for the command to end. Returns its exit status, or nil if a signal ended it.
    func end() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    private func wait(_ condition: () -> Bool) throws {
        for _ in 0..<6000 {
            if condition() { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw TimeoutError(output: output, errors: errors)
    }
}
