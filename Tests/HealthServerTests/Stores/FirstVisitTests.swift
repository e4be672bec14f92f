import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// A server without a store, sample data, and the choice of a person.
@Suite struct FirstVisitTests {
    @Test("without a store, every page leads to the three steps")
    func steps() async throws {
        let server = try await ImportServer()
        let page = try await server.get("/")
        #expect(page.status == 200)
        let markup = try Markup(page.body)
        #expect(markup.all("ol").first?.attributes["class"] == "steps")
        #expect(markup.all("li").count { $0.text.contains("Export All Health Data") } == 1)
        #expect(markup.all("input").contains { $0.attributes["type"] == "file" })
        #expect(!page.body.contains("Explore sample data"))
        for path in ["/sleep", "/type/stepCount", "/data", "/why", "/none"] {
            let response = try await server.get(path)
            #expect(response.status == 303, "\(path)")
            #expect(response.headers["location"] == "/", "\(path)")
        }
        #expect(try await server.get("/sleep.json").status == 404)
        #expect(try await server.get("/v1/types").status == 503)
        #expect(try await server.get("/import.js").status == 200)
        #expect(!FileManager.default.fileExists(atPath: server.data))
    }

    @Test("without a session there is no page, and no word about the store")
    func noSession() async throws {
        let server = try await ImportServer()
        for path in ["/", "/import", "/import.json", "/persons", "/sleep"] {
            #expect(try await server.running.send(path).status == 401, "\(path)")
        }
    }

    @Test("a store that another program creates is shown without a restart")
    func otherProgram() async throws {
        let server = try await ImportServer()
        #expect(try await server.get("/sleep").status == 303)
        try SimulatedExports.importing(into: server.store)
        #expect(try await server.get("/sleep").status == 200)
    }

    @Test("sample data is in a store of its own, for the browser that asked, and can be removed")
    func sample() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/sample/sample.sqlite"
        let sample = SampleData(path: path) {
            try SimulatedExports.importing(into: path)
        } remove: {
            try FileManager.default.removeItem(atPath: folder.path + "/sample")
        }
        let server = try await ImportServer(sample: sample)
        #expect(try await server.get("/").body.contains("Explore sample data"))
        #expect(try await server.post("/sample").status == 303)
        #expect(try await server.get("/sleep").status == 200)
        #expect(!FileManager.default.fileExists(atPath: server.store))
        // Another browser still sees the first visit.
        let other = try await server.running.signIn()
        #expect(try await server.running.send("/sleep", cookie: other).status == 303)
        // An import goes into the person's own store, which is shown from then on.
        #expect(try await server.upload(SimulatedExports.bytes(seed: 2)).status == 202)
        _ = try await server.wait(for: .finished, .failed)
        #expect(FileManager.default.fileExists(atPath: server.store))
        #expect(try await server.post("/sample").status == 303)
        #expect(try await server.post("/sample/remove").status == 303)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await server.get("/data.json").text("file") == "health.sqlite")
    }

    @Test("a browser switches between persons, and to none that has no store")
    func persons() async throws {
        let folder = try TemporaryFolder()
        let anna = StorePerson(name: "Anna <b>", path: folder.path + "/health-Anna.sqlite")
        try SimulatedExports.importing(into: anna.path, seed: 2)
        let server = try await ImportServer(
            others: [anna], prepare: { try SimulatedExports.importing(into: $0) })
        let page = try await server.get("/persons")
        #expect(page.body.contains("<bdi>Anna &lt;b&gt;</bdi>"))
        #expect(try await server.get("/data.json").text("file") == "health.sqlite")
        #expect(try await server.post("/persons", "person=Ben").status == 404)
        #expect(try await server.post("/persons", "person=Anna+%3Cb%3E").status == 303)
        #expect(try await server.get("/data.json").text("file") == "health-Anna.sqlite")
        let other = try await server.running.signIn()
        let seen = try await server.running.send("/data.json", cookie: other)
        #expect(seen.text("file") == "health.sqlite")
        #expect(try await server.post("/persons", "person=").status == 303)
        #expect(try await server.get("/data.json").text("file") == "health.sqlite")
    }

    @Test("pages of sample data and of one of several persons say whose they are")
    func opening() throws {
        func opening(_ shown: PageAudience.Shown) -> String {
            PageAudience.owner(commandOptions: "", shown: shown).opening(formKey: "key").markup
        }
        #expect(opening(.onlyPerson) == "")
        #expect(PageAudience.person.opening(formKey: "key").markup == "")
        let sample = opening(.sampleData)
        #expect(sample.contains("Sample data: a simulated person."))
        let forms = try Markup(sample).all("form").compactMap { $0.attributes["action"] }
        #expect(forms == ["/persons", "/sample/remove"])
        #expect(opening(.person(named: "<i>")).contains("<bdi>&lt;i&gt;</bdi>"))
        #expect(opening(.person(named: nil)).contains("Store without a name"))
    }
}
