import Foundation
import HealthArchive
import HealthTesting
import Testing

/// `openhealth import` of a zip that was imported already.
@Suite(.inTestAll) struct RepeatedImportTests {
    private let folder: TemporaryFolder
    private let store: String
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path + "/health.sqlite"
        path = folder.path + "/export.zip"
        let writer = try ZipWriter(
            path: path,
            modified: ZipTimestamp(year: 2024, month: 4, day: 1, hour: 0, minute: 0, second: 0))
        try writer.begin("apple_health_export/export.xml")
        try writer.write(String(contentsOfFile: AnnasStore.export, encoding: .utf8))
        try writer.finish()
        try #require(CommandRun(["import", path], store: store).status == 0)
    }

    private func run(_ words: String...) throws -> CommandRun {
        try CommandRun(words, store: store)
    }

    @Test("the text names the earlier import and how to read the zip again")
    func text() throws {
        let run = try run("import", path)
        #expect(run.status == 0)
        #expect(run.output.contains("nothing new. The same file was imported on"))
        #expect(run.output.replacing("\n", with: " ").contains("(import 1:"))
        #expect(run.output.contains("--again"))
        #expect(run.output.components(separatedBy: "\n").dropLast(2).allSatisfy { $0.count <= 80 })
    }

    @Test("the JSON is the earlier report, marked as a repetition; no import is added")
    func json() throws {
        let first = try #require(try imports().first)
        let report = try #require(run("import", path, "--json").object)
        #expect((report["repeats"] as? [String: Any])?["import"] as? Int == 1)
        let ledger = try #require(first["ledger"] as? [String: Any])
        for key in ["file", "bytes", "kind", "exportDate"] {
            #expect("\(report[key] ?? "")" == "\(ledger[key] ?? "")", "\(key)")
        }
        #expect(try imports().count == 1)
    }

    @Test("--again reads the zip and adds an import without changes")
    func again() throws {
        let report = try #require(run("import", path, "--again", "--json").object)
        #expect(report["repeats"] == nil)
        #expect((report["records"] as? [String: Any])?["new"] as? Int == 0)
        #expect(try imports().count == 2)
    }

    private func imports() throws -> [[String: Any]] {
        try #require(run("imports", "--json").object?["imports"] as? [[String: Any]])
    }
}
