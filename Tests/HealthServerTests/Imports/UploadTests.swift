import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// Exports that a browser uploads.
@Suite struct UploadTests {
    @Test("an uploaded export becomes the store, with a report, and its import can be undone")
    func roundTrip() async throws {
        let server = try await ImportServer()
        #expect(try await server.upload(SimulatedExports.bytes()).status == 202)
        let state = try await server.wait(for: .finished, .failed)
        #expect(state.text("problem") == nil, "\(state.body)")
        let report = try #require(state.json["report"] as? [String: Any])
        #expect((report["sources"] as? [Any])?.isEmpty == false)
        #expect(try server.samples() > 0)
        try await server.waitForNoLeftovers()
        // The pages are those of the store, without a restart.
        #expect(try await server.get("/").body.contains("<title>Welcome") == false)
        #expect(try await server.get("/sleep").status == 200)
        let page = try await server.get("/import")
        let markup = try Markup(page.body)
        #expect(markup.all("h2").contains { $0.text == "Whose data" })
        let number = markup.all("input").first { $0.attributes["name"] == "number" }
        #expect(number?.attributes["value"] == "1")
        let store = try SampleStore(at: server.store, access: .reading)
        #expect(try store.imports().map(\.file) == ["export.zip"])
        #expect(try await server.post("/import/undo", "number=1").status == 303)
        let undone = try await server.wait(for: .undone, .failed)
        #expect(undone.text("problem") == nil, "\(undone.body)")
        #expect(try server.samples() == 0)
        #expect(try await server.get("/").status == 200)
    }

    @Test("a form without script uploads too")
    func form() async throws {
        let server = try await ImportServer()
        let key = try await server.formKey()
        let body =
            Array(
                """
                --x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\(key)\r\n--x\r\n\
                Content-Disposition: form-data; name="export"; filename="../../etc/passwd"\r\n\
                Content-Type: application/zip\r\n\r\n
                """.utf8) + (try SimulatedExports.bytes()) + Array("\r\n--x--\r\n".utf8)
        let head = server.running.request(
            "/import", "POST", cookie: server.cookie,
            headers: [
                "Content-Type: multipart/form-data; boundary=x", "Content-Length: \(body.count)",
                "Origin: http://\(server.running.host)",
            ])
        let client = try RawClient(port: server.running.port, timeout: 1800)
        await client.send(Array(head.utf8) + body)
        let response = RawResponse(await client.receiveAll())
        #expect(response.status == 303)
        #expect(response.headers["location"] == "/import")
        let state = try await server.wait(for: .finished, .failed)
        #expect(state.text("problem") == nil, "\(state.body)")
    }

    @Test("without a session, the form key or a length nothing is written")
    func refused() async throws {
        let server = try await ImportServer()
        let bytes = Array("PK".utf8)
        for key in ["", String(repeating: "0", count: 64)] {
            #expect(try await server.upload(bytes, key: key).status == 403)
        }
        let key = try await server.formKey()
        let own = "Sec-Fetch-Site: same-origin"
        let zip = "Content-Type: application/zip"
        for (headers, cookie, status) in [
            ([zip, own, "X-Form-Key: \(key)"], nil, 401),
            ([zip, "Sec-Fetch-Site: cross-site", "X-Form-Key: \(key)"], server.cookie, 403),
            (["Content-Type: text/plain", own, "X-Form-Key: \(key)"], server.cookie, 400),
            (["Content-Type: multipart/form-data", own], server.cookie, 400),
        ] as [([String], String?, Int)] {
            let response = try await server.running.send(
                "/import", "POST", cookie: cookie, headers: headers, body: "PK")
            #expect(response.status == status, "\(headers)")
        }
        let chunked = try await server.running.send(
            "/import", "POST", cookie: server.cookie,
            headers: [zip, own, "X-Form-Key: \(key)", "Transfer-Encoding: chunked"])
        #expect(chunked.status == 411)
        #expect(!FileManager.default.fileExists(atPath: server.data))
        #expect(try await server.state().text("phase") == "ready")
    }

    @Test("a file above the limit, or larger than the disk, is refused before it is sent")
    func limits() async throws {
        let large = try await ImportServer { $0.bytes = 1_000 }
        #expect(try await large.upload([UInt8](repeating: 1, count: 20_000)).status == 413)
        // What fits with the fields of a form is measured as it arrives.
        #expect(try await large.upload([UInt8](repeating: 1, count: 1_001)).status == 413)
        try await large.waitForNoLeftovers()
        let full = try await ImportServer { limits in
            limits.freeBytes = { _ in 1_000_000_500 }
        }
        let response = try await full.upload([UInt8](repeating: 1, count: 501))
        #expect(response.status == 507)
        #expect(response.text("error")?.contains("space") == true)
        #expect(try await full.state().text("problem") == response.text("error"))
        #expect(full.leftovers == [])
    }

    @Test("one import runs at a time, and none while another process imports")
    func oneAtATime() async throws {
        let server = try await ImportServer()
        let key = try await server.formKey()
        let first = try RawClient(port: server.running.port, timeout: 1800)
        await first.send(server.uploadHead(1_000, key: key) + "PK")
        _ = try await server.wait(for: .receiving)
        #expect(server.leftovers.count == 1)
        #expect(try await server.upload(Array("PK".utf8)).status == 409)
        #expect(try await server.post("/import/confirm").status == 409)
        await first.send([UInt8](repeating: 1, count: 998))
        #expect(RawResponse(await first.receiveAll()).status == 202)
        _ = try await server.wait(for: .failed)
        try await server.waitForNoLeftovers()
        let lock = open(server.store + ".lock", O_CREAT | O_RDWR, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let locked = try await server.upload(Array("PK".utf8))
        #expect(locked.status == 409)
        #expect(locked.text("error")?.contains("Another program is importing") == true)
    }

    @Test("a file is removed if its connection is lost or stalls, or someone cancels it")
    func lost() async throws {
        let server = try await ImportServer()
        let key = try await server.formKey()
        do {
            let client = try RawClient(port: server.running.port, timeout: 1800)
            await client.send(server.uploadHead(1_000, key: key) + "PK")
            _ = try await server.wait(for: .receiving)
            await client.finishSending()
            #expect(await client.isClosed())
        }
        let lost = try await server.wait(for: .failed)
        #expect(lost.text("problem")?.contains("before the file was complete") == true)
        try await server.waitForNoLeftovers()

        let stalling = try await ImportServer { $0.stallTimeout = .milliseconds(50) }
        let stalled = try RawClient(port: stalling.running.port, timeout: 1800)
        await stalled.send(stalling.uploadHead(1_000, key: try await stalling.formKey()) + "PK")
        #expect(await stalled.isClosed())
        _ = try await stalling.wait(for: .failed)
        try await stalling.waitForNoLeftovers()

        let cancelled = try RawClient(port: server.running.port, timeout: 1800)
        await cancelled.send(server.uploadHead(3 << 20, key: key) + "PK")
        _ = try await server.wait(for: .receiving)
        #expect(try await server.post("/import/cancel").status == 303)
        await cancelled.send([UInt8](repeating: 1, count: (3 << 20) - 2))
        #expect(RawResponse(await cancelled.receiveAll()).status == 409)
        try await server.waitForNoLeftovers()
    }

    @Test("files that a crash left beside the store are removed when the server begins")
    func crash() async throws {
        // No process has this ID: the kernel's are smaller.
        let name = "health.sqlite.upload.4194305-0.partial"
        let server = try await ImportServer(prepare: { store in
            let folder = String(store.dropLast("/health.sqlite".count))
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for file in [name, "notes.partial"] {
                FileManager.default.createFile(
                    atPath: folder + "/" + file, contents: Data("left".utf8),
                    attributes: [.posixPermissions: 0o600])
            }
        })
        #expect(server.leftovers == ["notes.partial"])
    }

    @Test("a file that isn't an export is one sentence, without a path of this computer")
    func notAnExport() async throws {
        let server = try await ImportServer()
        #expect(try await server.upload(Array("hello".utf8)).status == 202)
        let state = try await server.wait(for: .failed)
        let problem = try #require(state.text("problem"))
        #expect(problem.hasPrefix("export.zip: "))
        #expect(problem.contains("Choose the export.zip that the Health app made."))
        #expect(!state.body.contains(server.folder.path))
        #expect(!FileManager.default.fileExists(atPath: server.store))
        let page = try Markup(try await server.get("/import").body)
        #expect(page.elements.contains { $0.attributes["role"] == "alert" })
    }

    @Test("another person's export is imported only after a confirmation")
    func otherPerson() async throws {
        let server = try await ImportServer(prepare: { store in
            try SimulatedExports.importing(into: store)
        })
        let before = try server.samples()
        let other = try SimulatedExports.bytes(seed: 2)
        #expect(try await server.upload(other).status == 202)
        let asked = try await server.wait(for: .asking, .finished, .failed)
        #expect(asked.text("phase") == "asking")
        #expect(asked.text("sentence")?.contains("another person") == true)
        #expect(server.leftovers.count == 1)
        #expect(try await server.post("/import/cancel").status == 303)
        try await server.waitForNoLeftovers()
        #expect(try server.samples() == before)
        #expect(try await server.post("/import/confirm").status == 400)
        #expect(try await server.upload(other).status == 202)
        _ = try await server.wait(for: .asking)
        #expect(try await server.post("/import/confirm").status == 303)
        _ = try await server.wait(for: .finished, .failed)
        #expect(try server.samples() != before)
        try await server.waitForNoLeftovers()
    }

    @Test("an undo of an import that isn't the newest, or of none, is a sentence")
    func wrongUndo() async throws {
        let server = try await ImportServer()
        #expect(try await server.post("/import/undo", "number=7").status == 303)
        #expect(try await server.state().text("phase") == "failed")
        #expect(try await server.post("/import/undo", "number=x").status == 400)
        #expect(!FileManager.default.fileExists(atPath: server.store))
    }
}
