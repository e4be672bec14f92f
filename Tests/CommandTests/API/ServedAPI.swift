import Foundation
import HealthTesting
import Testing

/// A simulated person's store, for tests that don't change it.
enum APIStore {
    static let shared = Result { try SimulatedStore(["--records", "20000", "--seed", "11"]) }
}

/// A serving command, and requests to its API with a token.
struct ServedAPI {
    let serving: Serving
    let store: String
    let token: String

    /// Adds a token and starts the command.
    ///
    /// - Parameter options: The options of `tokens add`.
    init(_ store: String, _ options: [String] = []) throws {
        self.store = store
        token = try ServedAPI.addToken(store, options).token
        serving = try Serving(["serve"], store: store)
    }

    /// Uses a running command and a known token.
    init(_ serving: Serving, _ store: String, token: String) {
        self.serving = serving
        self.store = store
        self.token = token
    }

    static func addToken(
        _ store: String, _ options: [String] = []
    ) throws -> (id: String, token: String) {
        let run = try CommandRun(["tokens", "add", "a test", "--json"] + options, store: store)
        #expect(run.status == 0, "\(run.errors)")
        return (
            try #require(run.object?["id"] as? String),
            try #require(run.object?["token"] as? String)
        )
    }

    func stop() { serving.command.kill() }

    func get(_ target: String, token: String? = nil) async throws -> RawResponse {
        try await ServedAPI.get(target, port: serving.port, token: token ?? self.token)
    }

    static func get(_ target: String, port: Int, token: String) async throws -> RawResponse {
        let client = try RawClient(port: port, timeout: 300)
        await client.send(
            "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
                + "Authorization: Bearer \(token)\r\n\r\n")
        return RawResponse(await client.receiveAll())
    }

    /// Returns the JSON of an answer with status 200.
    func object(_ target: String, token: String? = nil) async throws -> [String: Any] {
        let answer = try await get(target, token: token)
        #expect(answer.status == 200, "\(target): \(answer.text.prefix(600))")
        return try #require(
            JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }
}
