import Foundation
import HealthServer
import HealthStorage
import HealthTesting
import Testing

@testable import openhealth

/// `openhealth serve` and `openhealth open` in a folder without a store, as processes.
@Suite(.inTestAll) struct FirstVisitTests {
    /// A browser with a session.
    private struct Visitor {
        let serving: Serving
        let cookie: String

        init(_ arguments: [String], store: String) async throws {
            serving = try Serving(arguments, store: store)
            cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        }

        func get(_ target: String) async throws -> RawResponse {
            try await serving.send(target, cookie: cookie)
        }

        func post(
            _ target: String, _ type: String, _ body: [UInt8], _ headers: [String] = []
        ) async throws -> RawResponse {
            let lines =
                [
                    "POST \(target) HTTP/1.1", "Host: 127.0.0.1:\(serving.port)",
                    "Connection: close", "Cookie: \(cookie)", "Content-Type: \(type)",
                    "Content-Length: \(body.count)", "Sec-Fetch-Site: same-origin",
                ] + headers
            // Sample data takes a while on a busy machine.
            let client = try RawClient(port: serving.port, timeout: 1800)
            await client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
            return RawResponse(await client.receiveAll())
        }

        /// Sends a form of a page with the form key of the page Person.
        func form(_ target: String, _ fields: String = "") async throws -> RawResponse {
            let body = "csrf=\(try await formKey())&\(fields)"
            return try await post(
                target, "application/x-www-form-urlencoded", Array(body.utf8))
        }

        func formKey() async throws -> String {
            let page = try await get("/persons").body
            return String(
                try #require(page.firstMatch(of: #/name="csrf" value="([0-9a-f]{64})"/#)).1)
        }
    }

    @Test("without a store the pages start, and an upload fills them without a restart")
    func upload() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/data/health.sqlite"
        for command in ["serve", "open"] {
            let visitor = try await Visitor([command], store: store)
            defer { visitor.serving.command.kill() }
            #expect(try await visitor.get("/").body.contains("Export All Health Data"))
            #expect(try await visitor.get("/sleep").status == 303)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
            #expect(visitor.serving.command.interrupt() == 0)
        }
        let visitor = try await Visitor(["serve"], store: store)
        defer { visitor.serving.command.kill() }
        let export = Array(try Data(contentsOf: URL(fileURLWithPath: AnnasStore.export)))
        let key = try await visitor.formKey()
        let response = try await visitor.post(
            "/import", "application/zip", export,
            ["X-Form-Key: \(key)", "Accept: application/json"])
        #expect(response.status == 202, "\(response.text)")
        for _ in 0..<6000 {
            if try await visitor.get("/import.json").body.contains("\"percent\"") == false { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        let state = try await visitor.get("/import.json").body
        #expect(state.contains("\"phase\":\"finished\""), "\(state)")
        #expect(try await visitor.get("/sleep").status == 200)
        #expect(try await visitor.get("/data.json").body.contains("Europe/Berlin"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")
        #expect(!names.contains { $0.hasSuffix(".partial") })
        #expect(visitor.serving.command.interrupt() == 0)
        let imports = try CommandRun(["imports"], store: store)
        #expect(imports.output.contains("export.zip"), "\(imports.errors)")
    }

    @Test("sample data is a simulated year beside the store, and goes again")
    func sample() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        let visitor = try await Visitor(["serve"], store: store)
        defer { visitor.serving.command.kill() }
        #expect(try await visitor.form("/sample").status == 303)
        #expect(try await visitor.get("/sleep").status == 200)
        let path = folder.path + "/health.sample"
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).contains("sample.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: store))
        #expect(try await visitor.form("/sample/remove").status == 303)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await visitor.get("/").body.contains("Export All Health Data"))
    }

    @Test("persons of the folder can be chosen, unless the command names one or others can connect")
    func persons() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        for person in [[], ["--as", "Anna"]] {
            let run = try CommandRun(["import", AnnasStore.export] + person, store: store)
            #expect(run.status == 0, "\(run.errors)")
        }
        let visitor = try await Visitor(["serve"], store: store)
        defer { visitor.serving.command.kill() }
        #expect(try await visitor.get("/persons").body.contains("<bdi>Anna</bdi>"))
        #expect(try await visitor.form("/persons", "person=Anna").status == 303)
        let page = try await visitor.get("/check-up").body
        #expect(page.contains(" --as Anna</code>"))
        for options in [["--as", "Anna"], ["--listen", "127.0.0.1"]] {
            let other = try await Visitor(["serve"] + options, store: store)
            defer { other.serving.command.kill() }
            let persons = try await other.get("/persons.json").body
            #expect(persons.contains("\"isShown\":true"), "\(persons)")
            #expect(!persons.contains("\"isShown\":false"), "\(persons)")
        }
    }

    @Test("the persons of a folder are those with a store of their own")
    func list() throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        for name in ["health.sqlite", "health-Anna.sqlite", "health-Zoë K.sqlite"] {
            try SampleStore(at: folder.path + "/" + name, access: .creating).close()
        }
        try folder.write("health-plan.sqlite", "another program's")
        try folder.write("health-.sqlite", "nobody's")
        #expect(FolderPersons.list(beside: store).map(\.name) == ["Anna", "Zoë K"])
        #expect(FolderPersons.list(beside: folder.path + "/other.sqlite") == [])
        #expect(FolderPersons.list(beside: "/none/health.sqlite") == [])
    }
}
