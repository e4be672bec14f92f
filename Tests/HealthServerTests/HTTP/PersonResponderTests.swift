import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Synchronization
import Testing

@testable import HealthServer

@Suite("A server that doesn't listen, behind one that has checked the requests")
struct PersonResponderTests {
    private static let session = Sessions.Session(
        key: Secret(text: "key"), formKey: Secret(text: "form key"))
    private static let token = ReadToken(
        identifier: "r1", name: "program", scope: ReadScope(isAggregatedOnly: true), createdAt: 0)

    private func store() throws -> RecordedStore {
        let file = try RecordedStore()
        try file.add("stepCount", "Watch", 86_400, 87_000, 600, .watch)
        try file.add("stepCount", "Phone", 86_700, 87_300, 1201, .phone)
        try file.write()
        return file
    }

    private func server(
        _ file: RecordedStore, api: ReadAPI? = nil, writing: StoreWriting? = nil
    ) throws -> HealthServer {
        var limits = RunningServer.longTimeouts
        limits.pollingInterval = .milliseconds(20)
        return try HealthServer(
            storeAt: file.path, timeZone: .gmt, limits: limits, api: api, counting: .onRequest,
            writing: writing)
    }

    @Test("a request with a session gets pages and files, and one without gets only files")
    func pages() async throws {
        let file = try store()
        let server = try server(file)
        let known = try await FrontServer(of: server, session: Self.session)
        for page in ["/", "/type", "/why", "/data", "/check-up", "/data.json", Stylesheet.path] {
            #expect(try await known.send(page).status == 200, "\(page)")
        }
        #expect(try await known.send("/none").status == 404)
        #expect(try await known.send("/v1/types").status == 404)
        let unknown = try await FrontServer(of: server)
        #expect(try await unknown.send("/").status == 401)
        #expect(try await unknown.send("/events").status == 401)
        #expect(try await unknown.send(Stylesheet.path).status == 200)
    }

    @Test("a token in an address is not redeemed")
    func tokenInAddress() async throws {
        let file = try store()
        let server = try server(file)
        let front = try await FrontServer(of: server, session: Self.session)
        let token = server.sessions.token
        let response = try await front.send("/data?token=" + token)
        #expect(response.status == 200 && response.cookie == nil)
        #expect(server.sessions.token == token)
    }

    @Test("a token in the context is not looked up again, except after waiting")
    func api() async throws {
        let lookups = Mutex(0)
        let api = ReadAPI(
            resources: [
                APIResource(at: "/v1/numbers", parameters: [.once("wait")]) { _ in "[1]\n" },
                APIResource(at: "/v1/single", .unnamed, .samples) { _ in "[]\n" },
            ]
        ) { text in
            lookups.withLock { $0 += 1 }
            return text == "good" ? Self.token : nil
        }
        let file = try store()
        let front = try await FrontServer(of: server(file, api: api), token: Self.token)
        #expect(try await front.send("/v1/numbers").body == "[1]\n")
        #expect(try await front.send("/v1/single").status == 403)
        #expect(lookups.withLock { $0 } == 0)
        for (token, status) in [("good", 200), ("removed", 401)] {
            let answer = try await front.send(
                "/v1/numbers?wait=1", headers: ["Authorization: Bearer \(token)"])
            #expect(answer.status == status)
        }
        #expect(lookups.withLock { $0 } == 2)
        // A token opens no page.
        #expect(try await front.send("/data").status == 401)
    }

    @Test("the events of a session that is stored elsewhere report a change after its last page")
    func events() async throws {
        let file = try store()
        let server = try server(file)
        let front = try await FrontServer(of: server, session: Self.session)
        _ = try await front.send("/data")
        let before = try await front.open("/events")
        #expect(!(await before.receive(until: ": here\n\n")).contains("event: change"))
        try SampleStore(at: file.path, access: .writing)
            .setHomeZone(HomeZone(identifier: "Europe/Rome", reason: .specified))
        #expect(await before.receive(until: "data: ").contains("event: change"))
        let after = try await front.open("/events")
        #expect(await after.receive(until: "data: ").contains("event: change"))
        #expect(server.streamCount == 2)
        server.end()
        #expect(await before.isClosed())
        #expect(await after.isClosed())
    }

    @Test("forms are written by the given function, whose errors are those of the store")
    func writing() async throws {
        let file = try store()
        let path = file.path
        let isBusy = Mutex(false)
        let front = try await FrontServer(
            of: server(file) { body in
                if isBusy.withLock({ $0 }) { throw StoreError(.busy(file: path)) }
                try body(SampleStore(at: path, access: .writing))
            }, session: Self.session)
        func save(_ source: String) async throws -> RawResponse {
            try await front.send(
                "/why", "POST", headers: ["Content-Type: application/x-www-form-urlencoded"],
                body: "csrf=form+key&metric=stepCount&out=\(source)")
        }
        #expect(try await save("Watch").status == 303)
        #expect(try await front.send("/why").body.contains("<b>1,201</b> steps"))
        isBusy.withLock { $0 = true }
        let refused = try await save("Phone")
        #expect(refused.status == 503 && refused.body.contains("Nothing was saved"))
    }

    @Test("a server with few open files closes them when it is released")
    func release() async throws {
        let file = try store()
        weak var released: HealthServer?
        do {
            let server = try server(file)
            released = server
            #expect((1...8).contains(openFiles(of: file.path)))
            let front = try await FrontServer(of: server, session: Self.session)
            for page in ["/", "/type", "/sleep", "/workouts", "/weight", "/why", "/data"] {
                #expect(try await front.send(page).status == 200)
            }
            let events = try await front.open("/events")
            #expect(await events.receive(until: ": here\n\n").hasPrefix("HTTP/1.1 200"))
        }
        // Files are closed after the server is released, by the last task that reads them.
        for _ in 0..<3000 where released != nil || openFiles(of: file.path) > 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(released == nil)
        #expect(openFiles(of: file.path) == 0)
    }

    /// The number of this process's descriptors of a store's files.
    private func openFiles(of path: String) -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.count { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/" + number)
            return target?.hasPrefix(path) == true
        }
    }
}
