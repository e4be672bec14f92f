import Foundation
import Testing

@Suite("the GitHub action", .enabled(if: BuiltCommand.file != nil))
struct ActionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private struct Run {
        var status: Int32
        var log: String
        var outputs: [String: String]
    }

    private func run(_ inputs: [String: String], in tree: TemporaryTree) throws -> Run {
        let outputs = tree.path + "/outputs"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", Self.folder.appending(path: "action.sh").path()]
        process.currentDirectoryURL = URL(filePath: tree.path)
        let own = [
            "REVIEW_TOOL": BuiltCommand.file?.path() ?? "", "RUNNER_TEMP": tree.path,
            "GITHUB_OUTPUT": outputs, "NO_COLOR": "1",
        ]
        let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
        process.environment = environment.merging(own) { $1 }.merging(inputs) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let log = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = ((try? String(contentsOfFile: outputs, encoding: .utf8)) ?? "")
            .split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Run(
            status: process.terminationStatus, log: log,
            outputs: Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 })
    }

    @Test("reports findings as SARIF with their status, and shows them in the log")
    func findings() throws {
        let tree = try TemporaryTree([
            "App/a.swift": #"import HealthKit; let unit = HKUnit(from: "bpm")"#,
            "Kit/b.swift": "let b = 1\n", "c.swift": #"let unit = HKUnit(from: "steps")"#,
        ])
        let run = try run(["REVIEW_PATH": "App Kit"], in: tree)
        #expect(run.status == 0)
        #expect(run.outputs["status"] == "3")
        #expect(run.log.contains("App/a.swift:1:"))
        #expect(!run.log.contains("c.swift"))
        let sarif = try Data(contentsOf: URL(filePath: try #require(run.outputs["sarif"])))
        let log = try JSONSerialization.jsonObject(with: sarif) as? [String: Any]
        let results = ((log?["runs"] as? [[String: Any]])?.first?["results"] as? [Any]) ?? []
        #expect(results.count == 1)
    }

    @Test("passes with nothing found, and fails for what can't be reviewed")
    func ends() throws {
        let tree = try TemporaryTree(["a.swift": "let a = 1\n"])
        #expect(try run([:], in: tree).outputs["status"] == "0")
        #expect(try run(["REVIEW_PATH": "nowhere"], in: tree).status == 1)
        #expect(try run(["REVIEW_CHANGED_SINCE": "none"], in: tree).status == 1)
        #expect(try run(["REVIEW_PATH": "--rules"], in: tree).status == 1)
    }

    @Test("gives the script every input that it reads")
    func inputs() throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: "action.yml"), encoding: .utf8)
        let script = try String(
            contentsOf: Self.folder.appending(path: "action.sh"), encoding: .utf8)
        let read = Set(script.matches(of: #/REVIEW_[A-Z_]+/#).map { String($0.output) })
        let given = Set(text.matches(of: #/(REVIEW_[A-Z_]+): /#).map { String($0.output.1) })
        #expect(read.subtracting(given).isEmpty)
        #expect(given.subtracting(read) == ["REVIEW_STATUS"])
    }
}
