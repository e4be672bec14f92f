import Foundation
import HealthTesting
import Testing

/// `openhealth hooks` and the notices that `openhealth serve` sends, as processes.
@Suite(.inTestAll, .withCertificates) struct HookCommandTests {
    private let folder: TemporaryFolder
    private let identity: SelfSignedCertificate
    private let receiver: HTTPSReceiver
    private let store: AnnasStore

    init() throws {
        folder = try TemporaryFolder()
        identity = try SelfSignedCertificate(in: folder)
        receiver = try HTTPSReceiver(identity)
        store = try AnnasStore()
    }

    private func add(_ path: String) throws -> (id: String, secret: String) {
        let run = try CommandRun(
            [
                "hooks", "add", "https://localhost:\(receiver.port)\(path)", "--allow-private",
                "--json",
            ], store: store.path)
        #expect(run.status == 0, "\(run.errors)")
        return (
            try #require(run.object?["id"] as? String),
            try #require(run.object?["secret"] as? String)
        )
    }

    /// The hooks of the list with the identifier, once a condition is true.
    private func hook(
        _ identifier: String, where condition: ([String: Any]) -> Bool
    ) async throws -> [String: Any] {
        var last: [String: Any] = [:]
        for _ in 0..<600 {
            let list = try CommandRun(["hooks", "--json"], store: store.path)
            let hooks = list.object?["hooks"] as? [[String: Any]] ?? []
            last = try #require(hooks.first { $0["id"] as? String == identifier })
            if condition(last) { break }
            try await Task.sleep(for: .milliseconds(200))
        }
        return last
    }

    private func logWeight() throws {
        let run = try CommandRun(["weight", "log", "82.4kg"], store: store.path)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("a change is notified to a hook with a signature that the documented program accepts")
    func notice() async throws {
        let hook = try add("/hook?a=%7B1%7D")
        let serving = try Serving(
            ["serve"], store: store.path, environment: ["CURL_CA_BUNDLE": identity.certificate])
        defer { serving.command.kill() }
        try logWeight()
        for _ in 0..<6000 where receiver.requests.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        let request = try #require(receiver.requests.first)
        #expect(request.path == "/hook?a=%7B1%7D")
        #expect(request.headers["content-type"] == "application/json")
        let body = try #require(
            JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: String])
        #expect(Set(body.keys) == ["event", "cursor", "sent"] && body["event"] == "change")
        let signature = try #require(request.headers["openhealth-signature"])
        for (secret, isGenuine) in [(hook.secret, "True"), (hook.secret + "0", "False")] {
            #expect(try documentedCheck(secret, signature, request.body) == isGenuine)
        }
        // The cursor is a position in /v1/changes.
        let token = try ServedAPI.addToken(store.path).token
        let changes = try await ServedAPI(serving, store.path, token: token)
            .object("/v1/changes?after=" + (body["cursor"] ?? ""))
        #expect((changes["samples"] as? [Any])?.isEmpty == true, "\(changes)")
        let listed = try await self.hook(hook.id) { $0["accepted"] is String }
        #expect(listed["failures"] as? Int == 0 && listed["accepted"] is String)
        #expect(!serving.command.errors.contains(hook.secret))
    }

    /// Runs the function of Documentation/Receiving.md.
    private func documentedCheck(
        _ secret: String, _ signature: String, _ body: String
    ) throws -> String {
        let text = try String(
            contentsOf: ProjectFiles.tests.deletingLastPathComponent()
                .appendingPathComponent("Documentation/Receiving.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```python\n").dropFirst()
        let program = try #require(blocks.first { $0.contains("import hashlib") })
            .components(separatedBy: "```")[0]
        return try Python.run(
            program + "\nimport sys\nprint(is_genuine(*sys.argv[1:3], sys.argv[3].encode()))",
            [secret, signature, body])
    }

    @Test("a redirect isn't followed, and the list says why a notice failed")
    func redirect() async throws {
        let hook = try add("/302")
        let serving = try Serving(
            ["serve"], store: store.path, environment: ["CURL_CA_BUNDLE": identity.certificate])
        defer { serving.command.kill() }
        try logWeight()
        let failing = try await self.hook(hook.id) { $0["failures"] as? Int == 1 }
        #expect(failing["reason"] as? String == "the answer was HTTP status 302")
        #expect(receiver.requests.map(\.path) == ["/302"])
        let list = try CommandRun(["hooks"], store: store.path)
        #expect(list.output.contains("HTTP status 302"), "\(list.output)")
        #expect(!list.output.contains(hook.secret))
    }

    @Test("nothing is sent to a server whose certificate isn't trusted")
    func untrusted() async throws {
        let hook = try add("/hook")
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        try logWeight()
        let failing = try await self.hook(hook.id) { $0["failures"] as? Int == 1 }
        #expect((failing["reason"] as? String)?.hasPrefix("TLS failed") == true)
        #expect(receiver.requests.isEmpty)
    }

    @Test("other addresses than public HTTPS ones are refused, and secrets aren't piped")
    func refusals() throws {
        // Apart from the hosts, which are names of no known site.
        let secure = "https:" + "//"
        for (url, word) in [
            ("http://example.com/", "https"), ("https://127.0.0.1/", "--allow-private"),
            ("https://localhost/", "--allow-private"), (secure + "2130706433/", "--allow-private"),
            ("https://[::1]/", "--allow-private"), (secure + "10.1.2.3/", "--allow-private"),
            (secure + "u:p@example.com/", "password"), ("example.com", "not a URL"),
        ] {
            let run = try CommandRun(["hooks", "add", url, "--json"], store: store.path)
            #expect(run.status == 64 && run.output.isEmpty, "\(url)")
            #expect(run.errors.contains(word), "\(url): \(run.errors)")
        }
        let pipe = try CommandRun(["hooks", "add", secure + "10.1.2.3/"], store: store.path)
        #expect(pipe.status == 64 && pipe.output.isEmpty && pipe.errors.contains("--json"))
        #expect(try CommandRun(["hooks"], store: store.path).output.contains("No hooks yet."))
    }

    @Test("a removed hook is no longer listed, and an unknown one is an error")
    func removal() throws {
        let hook = try add("/hook")
        #expect(try CommandRun(["hooks", "remove", hook.id], store: store.path).status == 0)
        let again = try CommandRun(["hooks", "remove", hook.id], store: store.path)
        #expect(again.status == 1 && again.errors.contains("no hook"), "\(again.errors)")
        #expect(try CommandRun(["hooks"], store: store.path).output.contains("No hooks yet."))
    }
}
