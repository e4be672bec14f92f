import Foundation
import HealthTesting
import Testing

/// The last requests of phones, and the log of requests, with the real command.
@Suite(.inTestAll) struct PeopleContactsTests {
    @Test("phones are listed with their last request and why it was refused")
    func contacts() async throws {
        let server = try ServedPeople()
        let device = try #require(
            try server.people(["device", server.person, "Phone"])["token"] as? String)
        _ = try server.people(["device", server.person, "New phone"])
        let body = """
            {"data":{"metrics":[{"name":"weight_body_mass","units":"kg","data":[\
            {"date":"2024-03-10 09:00:00 +0000","qty":70,"source":"iPhone"}]}]}}
            """
        let path = "/v1/intake/health-auto-export"
        #expect(try await server.send("POST", path, token: device, body: body).status == 200)
        #expect(try await server.send("POST", path, token: device, body: "[").status == 400)
        for arguments in [["contacts"], ["contacts", server.person]] {
            let list = try #require(
                try server.people(arguments)["contacts"] as? [[String: Any]])
            #expect(list.map { $0["device"] as? String } == ["New phone", "Phone"])
            #expect(list[0]["requests"] as? Int == 0)
            #expect(list[0]["lastContact"] is NSNull && list[0]["format"] is NSNull)
            #expect(list[1]["person"] as? String == server.person)
            #expect(list[1]["format"] as? String == "health-auto-export")
            #expect(list[1]["requests"] as? Int == 2)
            #expect(list[1]["status"] as? Int == 400)
            #expect((list[1]["problem"] as? String)?.isEmpty == false)
            #expect(list[1]["latestSample"] as? String == "2024-03-10T09:00:00+00:00")
        }
        let text = try CommandRun(["people", "contacts", "--people", server.place])
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("Phone") && text.output.contains("never"))
        let unknown = try CommandRun(["people", "contacts", "x", "--people", server.place])
        #expect(unknown.status == 1 && unknown.errors.contains("openhealth people list"))
    }

    @Test("standard error has one line of JSON for each request, by default")
    func standardError() async throws {
        let server = try ServedPeople()
        for _ in 0..<3 {
            _ = try await server.send("GET", "/v1/types?x=secret", token: server.reading)
        }
        #expect(server.command.interrupt() == 0)
        let lines = server.command.errors.split(separator: "\n")
        #expect(lines.count == 3, "\(server.command.errors)")
        for line in lines {
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["path"] as? String == "/v1/types" && object["status"] as? Int == 400)
            #expect(!line.contains("secret"))
        }
    }

    @Test("a file gets the log, also after it was renamed; nothing gets it with “none”")
    func file() async throws {
        let server = try ServedPeople(["--log", "FOLDER/log"])
        let path = server.folder.path + "/log"
        func lines(_ name: String) -> Int {
            let text = try? String(contentsOfFile: server.folder.path + name, encoding: .utf8)
            return text?.split(separator: "\n").count ?? 0
        }
        _ = try await server.send("GET", "/live", token: nil)
        for _ in 0..<6000 where lines("/log") == 0 { try await Task.sleep(for: .milliseconds(10)) }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        _ = try await server.send("GET", "/live", token: nil)
        #expect(server.command.interrupt() == 0)
        #expect(lines("/log.1") == 1 && lines("/log") == 1)
        #expect(server.command.errors.isEmpty, "\(server.command.errors)")
        let silent = try ServedPeople(["--log", "none"])
        _ = try await silent.send("GET", "/live", token: nil)
        #expect(silent.command.interrupt() == 0 && silent.command.errors.isEmpty)
        let impossible = silent.place + "/people.sqlite/log"
        let failed = try CommandRun([
            "serve", "--people", silent.place, "--port", "0", "--log", impossible,
        ])
        #expect(failed.status == 1 && failed.errors.contains("can't be opened"))
    }
}
