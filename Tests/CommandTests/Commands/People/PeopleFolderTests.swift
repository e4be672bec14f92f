import Foundation
import HealthTesting
import Testing

/// Folders and quotas of people, with the real command.
@Suite(.inTestAll) struct PeopleFolderTests {
    @Test("a folder without people is refused and not created, except to add the first one")
    func misspelt() throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/typo"
        for words in [["list"], ["usage"], ["accesses", "x"], ["erase", "x", "--yes"]] {
            let run = try CommandRun(["people"] + words + ["--people", place])
            #expect(run.status == 64 && run.errors.contains("people create NAME"), "\(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: place))
        let created = try CommandRun(["people", "create", "Ada", "--people", place, "--json"])
        #expect(created.status == 0, "\(created.errors)")
        #expect(try CommandRun(["people", "list", "--people", place]).status == 0)
    }

    @Test("usage shows the quota of one person; an unknown person is said")
    func usage() throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/study"
        let created = try CommandRun(["people", "create", "Ada", "--people", place, "--json"])
        let person = try #require(created.object?["person"] as? String)
        func run(_ words: String...) throws -> CommandRun {
            try CommandRun(["people"] + words + ["--people", place])
        }
        #expect(try run("usage", person).output == "0 MB in the log, no quota\n")
        #expect(try run("usage", person, "--quota", "50").status == 0)
        #expect(try run("usage", person).output == "0 MB in the log, quota 50 MB\n")
        #expect(try run("usage", "--quota", "50").status == 64)
        let move = ["move", "x", "--to", folder.path + "/b"]
        for words in [["usage", "x"], ["accesses", "x"], move] {
            let unknown = try CommandRun(["people"] + words + ["--people", place])
            #expect(unknown.status == 1 && unknown.errors.contains("There is no such person"))
        }
    }

    @Test("an operator's call can't set a negative quota")
    func negativeQuota() async throws {
        let server = try ServedPeople()
        let body = #"{"name":"Op","quota":-1}"#
        let answer = try await server.send(
            "POST", "/v1/people", token: server.operatorToken, body: body)
        #expect(answer.status == 400)
        let list = try server.people(["list"])["people"] as? [[String: Any]]
        #expect(list?.count == 1)
    }
}
