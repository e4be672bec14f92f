import Foundation
import HealthStorage
import HealthTesting
import Testing

/// `openhealth serve` and `openhealth open`, as processes.
@Suite(.inTestAll) struct ServeTests {
    @Test("the address stands alone on the first line, leads in once, and Ctrl-C ends it")
    func firstLine() async throws {
        let store = try AnnasStore.shared.get()
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let line = try #require(serving.command.output.split(separator: "\n").first)
        #expect(line.hasPrefix("http://127.0.0.1:\(serving.port)/?token="))
        #expect(serving.command.output == line + "\n")
        #expect(serving.command.errors.isEmpty)
        let redirect = try await serving.send("/?token=" + serving.token)
        #expect(redirect.status == 303)
        let cookie = try #require(redirect.cookie)
        #expect(try await serving.send("/?token=" + serving.token).status == 401)
        try serving.command.waitForMessage("For another browser: http://127.0.0.1:")
        let events = try RawClient(port: serving.port)
        await events.send(serving.request("/events", cookie: cookie, connection: "keep-alive"))
        _ = await events.receive(until: ": here")
        // The open event stream would last for hours.
        #expect(serving.command.interrupt() == 0)
        #expect(serving.command.output == line + "\n")
    }

    // Runs in make test-all.
    @Test("an idle server uses no processor, also with a page open that waits for changes")
    func idle() async throws {
        let store = try AnnasStore()
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        _ = try await serving.send("/", cookie: cookie)
        // Waits until earlier connections have timed out.
        try await Task.sleep(for: .seconds(12))
        let process = serving.command.processIdentifier
        var before = try ProcessUsage(of: process)
        try await Task.sleep(for: .seconds(3))
        let alone = try ProcessUsage(of: process) - before
        // Hummingbird updates its Date header every second, with about five thread wake-ups.
        #expect(alone.contextSwitches <= 30 && alone.seconds <= 0.02, "\(alone)")
        let events = try RawClient(port: serving.port)
        await events.send(serving.request("/events", cookie: cookie, connection: "keep-alive"))
        #expect(!(await events.receive(until: ": here")).contains("event:"))
        try await Task.sleep(for: .seconds(3))
        before = try ProcessUsage(of: process)
        try await Task.sleep(for: .seconds(3))
        let watched = try ProcessUsage(of: process) - before
        // The file is checked every five seconds. A poll every 250 ms would add 40 wake-ups.
        #expect(watched.contextSwitches <= 40 && watched.seconds <= 0.02, "\(watched)")
    }

    @Test("a change by another process comes as an event")
    func otherProcess() async throws {
        let store = try AnnasStore()
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        let events = try RawClient(port: serving.port)
        await events.send(serving.request("/events", cookie: cookie, connection: "keep-alive"))
        #expect(!(await events.receive(until: ": here")).contains("event:"))
        let log = try CommandRun(["weight", "log", "82.4"], store: store.path)
        #expect(log.status == 0)
        #expect(await events.receive(until: "data:").contains("event: change"))
    }

    @Test("notes and tags beside weights are on the page, and a new one is told as an event")
    func weightNotes() async throws {
        let store = try AnnasStore()
        let log = try CommandRun(
            ["weight", "log", "82.4", "--note", "<b>after</b> \u{202E}lunch", "--tag", "fasted"],
            store: store.path)
        #expect(log.status == 0, "\(log.errors)")
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        let page = try await serving.send("/weight", cookie: cookie).body
        #expect(page.contains("&lt;b&gt;after&lt;/b&gt;") && !page.contains("<b>after"))
        #expect(page.contains("class=\"noted\"") && page.contains("<bdi>fasted</bdi>"))
        let events = try RawClient(port: serving.port)
        await events.send(serving.request("/events", cookie: cookie, connection: "keep-alive"))
        #expect(!(await events.receive(until: ": here")).contains("event:"))
        // Only the mirror changes.
        let edit = try CommandRun(
            ["weight", "edit", "1", "--tag", "travel"], store: store.path)
        #expect(edit.status == 0, "\(edit.errors)")
        #expect(await events.receive(until: "data:").contains("event: change"))
        #expect(
            try await serving.send("/weight", cookie: cookie).body.contains("<bdi>travel</bdi>"))
        let mirror = store.path.replacing(".sqlite", with: ".weight-mirror.sqlite")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: mirror + suffix)
        }
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: mirror))
        let damaged = try await serving.send("/weight", cookie: cookie)
        #expect(damaged.status == 200)
        #expect(damaged.body.contains("can’t be shown") && damaged.body.contains("82.4"))
    }

    @Test("the goal of steps is an option or the environment's, the same for every command")
    func stepGoal() async throws {
        let store = try AnnasStore.shared.get()
        let variable = ["OPENHEALTH_STEP_GOAL": "7654"]
        for (words, environment, goal) in [
            (["--step-goal", "9876"], variable, "9876"), ([], variable, "7654"), ([], [:], nil),
        ] {
            let summary = try CommandRun(
                ["summary", "--json"] + words, store: store.path, environment: environment)
            let serving = try Serving(
                ["serve"] + words, store: store.path, environment: environment)
            defer { serving.command.kill() }
            let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
            let page = try await serving.send("/?format", cookie: cookie).body
            let json = try await serving.send("/.json", cookie: cookie).body
            if let goal {
                #expect(summary.output.contains("\"stepGoal\":\(goal)"), "\(summary.output)")
                #expect(json.contains("\"stepGoal\":\(goal)"))
                #expect(page.contains(goal.prefix(1) + "," + goal.dropFirst()))
            } else {
                #expect(!summary.output.contains("stepGoal") && !json.contains("stepGoal"))
            }
        }
        for text in ["0", "-5", "nan", "inf", "many", "1e300"] {
            for command in [["summary"], ["serve"], ["open", store.path]] {
                let option = try CommandRun(
                    command + ["--step-goal", text], store: command[0] == "open" ? nil : store.path)
                #expect(option.status == 64, "\(command) \(text)")
                let named = try CommandRun(
                    command, store: command[0] == "open" ? nil : store.path,
                    environment: ["OPENHEALTH_STEP_GOAL": text])
                #expect(named.status != 0 && named.output.isEmpty, "\(command) \(text)")
                #expect(named.errors.contains("OPENHEALTH_STEP_GOAL"))
            }
        }
    }

    @Test("a port in use is one sentence")
    func portInUse() async throws {
        let store = try AnnasStore.shared.get()
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let second = try CommandRun(["serve", "--port", "\(serving.port)"], store: store.path)
        #expect(second.status == 1)
        #expect(second.output.isEmpty)
        #expect(
            second.errors == "openhealth: Port \(serving.port) is in use. Choose another port, or "
                + "omit --port.\n")
        #expect(serving.command.interrupt() == 0)
    }

    @Test("another file and another program's are one sentence, and no address")
    func notAStore() async throws {
        let folder = try TemporaryFolder()
        let text = folder.path + "/text.sqlite"
        try Data("not a store at all".utf8).write(to: URL(fileURLWithPath: text))
        for (path, words) in [
            (text, "is not a health store"),
            (folder.path, "is a folder"),
        ] {
            let run = try CommandRun(["serve"], store: path)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains(words))
            #expect(run.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test("a store that an import is creating is reported as such")
    func importRunning() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/health.sqlite"
        let lock = open(path + ".lock", O_CREAT | O_RDWR, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        for arguments in [["serve"], ["summary"], ["stats", "stepCount"], ["types"]] {
            let run = try CommandRun(arguments, store: path)
            #expect(run.status == 1)
            #expect(run.errors.contains("The first import into"), "\(arguments)")
        }
    }

    @Test("an address of another computer and invalid ports are rejected")
    func wrongAddress() async throws {
        let store = try AnnasStore.shared.get()
        let far = try CommandRun(["serve", "--listen", "203.0.113.1"], store: store.path)
        #expect(far.status == 1)
        #expect(far.errors.contains("“203.0.113.1” is not an address of this computer"))
        #expect(far.errors.contains("unencrypted HTTP"))
        for words in [["--port", "65536"], ["--port", "-1"], ["--port", "x"], ["--host", "a"]] {
            let run = try CommandRun(["serve"] + words, store: store.path)
            #expect(run.status == 64, "\(words)")
            #expect(run.output.isEmpty)
        }
    }

    @Test("open imports an export once, and shows a store as it is")
    func openPages() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/health.sqlite"
        for round in 1...2 {
            let serving = try Serving(["open", AnnasStore.export], store: path)
            defer { serving.command.kill() }
            let isKnown = serving.command.errors.contains("was already imported")
            #expect(isKnown == (round == 2))
            try serving.command.waitForMessage("No browser could be started. Open this address")
            #expect(serving.command.interrupt() == 0)
        }
        let serving = try Serving(["open", path], store: folder.path + "/other.sqlite")
        defer { serving.command.kill() }
        #expect(serving.command.interrupt() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/other.sqlite"))
        let none = try CommandRun(["open", folder.path + "/none.zip"], store: path)
        #expect(none.status == 1)
        #expect(none.output.isEmpty)
    }

    @Test("an empty store has pages")
    func emptyStore() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/health.sqlite"
        try SampleStore(at: path, access: .creating).close()
        let serving = try Serving(["serve"], store: path)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        for page in Serving.pages {
            #expect(try await serving.send(page, cookie: cookie).status == 200, "\(page)")
        }
        #expect(serving.command.interrupt() == 0)
    }
}

/// A serving command, and requests to it.
struct Serving {
    static let pages = [
        "/", "/type", "/sleep", "/workouts", "/weight", "/why", "/data", "/check-up",
    ]

    let command: RunningCommand
    let port: Int
    let token: String

    struct NoAddress: Error {
        var errors: String
    }

    init(_ arguments: [String], store: String, environment: [String: String] = [:]) throws {
        command = try RunningCommand(arguments, store: store, environment: environment)
        for _ in 0..<6000 where !command.output.hasSuffix("\n") {
            Thread.sleep(forTimeInterval: 0.02)
        }
        guard let url = URLComponents(string: command.output.trimmingCharacters(in: .newlines)),
            let port = url.port, let token = url.queryItems?.first?.value
        else {
            command.kill()
            throw NoAddress(errors: command.errors)
        }
        self.port = port
        self.token = token
    }

    func request(_ target: String, cookie: String? = nil, connection: String = "close") -> String {
        "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: \(connection)\r\n"
            + (cookie.map { "Cookie: \($0)\r\n" } ?? "") + "\r\n"
    }

    func send(_ target: String, cookie: String? = nil) async throws -> RawResponse {
        let client = try RawClient(port: port)
        await client.send(request(target, cookie: cookie))
        return RawResponse(await client.receiveAll())
    }
}
