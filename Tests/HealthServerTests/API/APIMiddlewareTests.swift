import Foundation
import HealthServer
import HealthStorage
import HealthTesting
import Synchronization
import Testing

/// The HTTP side of the read API, with resources made for the tests.
@Suite struct APIMiddlewareTests {
    struct LeakingError: Error, CustomStringConvertible {
        var description: String { "8214 steps are in the error" }
    }

    private static let api = ReadAPI(
        resources: [
            APIResource(
                at: "/v1/numbers", parameters: [.once("from"), .repeated("source")]
            ) { request in
                JSONText.array(request.query.map { .string($0.name + "=" + $0.value) }).text + "\n"
            },
            APIResource(at: "/v1/types", .named) { "\"\($0.name)\"\n" },
            APIResource(at: "/v1/single", .unnamed, .samples) { _ in "[]\n" },
            APIResource(at: "/v1/broken") { _ in throw LeakingError() },
            APIResource(at: "/v1/busy") { _ in throw StoreError(.busy(file: "x")) },
            APIResource(at: "/v1/wait") { request in
                for await _ in request.changes() { return "\"changed\"\n" }
                return "\"ended\"\n"
            },
        ]
    ) { text in
        guard ["all", "statistics"].contains(text) else { return nil }
        return ReadToken(
            identifier: text, name: text, scope: ReadScope(isAggregatedOnly: text == "statistics"),
            createdAt: 0)
    }

    private func server() async throws -> RunningServer {
        try await RunningServer(api: APIMiddlewareTests.api)
    }

    private func get(
        _ server: RunningServer, _ target: String, _ method: String = "GET",
        authorization: String? = "Bearer all", headers: [String] = []
    ) async throws -> RawResponse {
        try await server.send(
            target, method,
            headers: (authorization.map { ["Authorization: " + $0] } ?? []) + headers)
    }

    @Test("a resource answers to a bearer of a token, without a cookie")
    func answers() async throws {
        let server = try await server()
        let answer = try await get(server, "/v1/numbers?from=1&source=a&source=b+c&from=")
        #expect(answer.status == 400)
        let good = try await get(server, "/v1/numbers?from=1&source=a%2Bd&source=b+c&source=")
        #expect(good.status == 200)
        #expect(good.body == "[\"from=1\",\"source=a+d\",\"source=b c\"]\n")
        #expect(good.headers["content-type"] == "application/json; charset=utf-8")
        #expect(good.headers["cache-control"] == "no-store" && good.cookie == nil)
        let named = try await get(server, "/v1/types/a%20b.c", authorization: "bearer  all")
        #expect(named.status == 200 && named.body == "\"a b.c\"\n")
        let head = try await get(server, "/v1/types/x", "HEAD")
        #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "4")
    }

    @Test(
        "a request without a valid token gets 401 and the name of the scheme",
        arguments: [
            nil, "Bearer", "Bearer ", "Bearer none", "Basic all", "all", "Bearer all all",
            "Bearer \u{E9}", "Bearer " + String(repeating: "x", count: 9_000),
        ])
    func unauthorized(authorization: String?) async throws {
        let server = try await server()
        for target in ["/v1/numbers", "/v1/none", "/v1/numbers?x=1"] {
            let answer = try await get(server, target, authorization: authorization)
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer realm=") == true)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.body.contains("urn:openhealth:problem:invalid-token"))
        }
        let twice = try await get(server, "/v1/numbers", headers: ["Authorization: Bearer all"])
        #expect(twice.status == 401)
    }

    @Test("a browser's session is no token, and a token is no session")
    func sessions() async throws {
        let server = try await server()
        let cookie = try await server.signIn()
        #expect(try await server.send("/v1/numbers", cookie: cookie).status == 401)
        #expect(try await get(server, "/").status == 401)
        #expect(try await server.send("/v1/numbers?token=all").status == 401)
    }

    @Test(
        "errors are problems without values",
        arguments: [
            ("/v1/none", 404, "unknown-address"), ("/v1/types", 404, "unknown-address"),
            ("/v1/types/", 404, "unknown-address"), ("/v1/types/a/b", 404, "unknown-address"),
            ("/v1/numbers/x", 404, "unknown-address"),
            ("/v1/numbers?x=1", 400, "invalid-request"),
            ("/v1/types/x?from=1", 400, "invalid-request"),
            ("/v1/numbers?from=" + String(repeating: "x", count: 1_001), 400, "invalid-request"),
            ("/v1/broken", 500, "failed"), ("/v1/busy", 503, "unavailable"),
        ])
    func problems(target: String, status: Int, kind: String) async throws {
        let server = try await server()
        let answer = try await get(server, target)
        #expect(answer.status == status, "\(answer.text)")
        let problem = try #require(
            JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        #expect(problem["type"] as? String == "urn:openhealth:problem:" + kind)
        #expect(problem["status"] as? Int == status)
        #expect(Set(problem.keys) == ["type", "title", "status", "detail"])
        #expect(!answer.text.contains("8214"))
        #expect((answer.headers["retry-after"] != nil) == (status == 503))
        // The address has a random token, which can contain any digits.
        let notices = server.recorded.notices.withLock { notices in
            "\(notices.filter { if case .listening = $0 { false } else { true } })"
        }
        #expect(!notices.contains("8214"))
        #expect(notices.contains("/v1/broken") == (status == 500))
    }

    @Test("a token for statistics gets 403 for single samples")
    func statistics() async throws {
        let server = try await server()
        #expect(try await get(server, "/v1/single").status == 200)
        let answer = try await get(server, "/v1/single", authorization: "Bearer statistics")
        #expect(answer.status == 403 && answer.body.contains("not-permitted"))
        let numbers = try await get(server, "/v1/numbers", authorization: "Bearer statistics")
        #expect(numbers.status == 200)
    }

    @Test("a request with a body, of another method or for another host is rejected as a problem")
    func otherRequests() async throws {
        let server = try await server()
        let body = try await server.send(
            "/v1/numbers", headers: ["Authorization: Bearer all"], body: "x")
        #expect(body.status == 400)
        let method = try await get(server, "/v1/numbers", "DELETE")
        #expect(method.status == 405)
        let host = try await server.send(
            "/v1/numbers", host: "example.com", headers: ["Authorization: Bearer all"])
        #expect(host.status == 421)
        for answer in [body, method, host] {
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
    }

    @Test("a waiting request ends with a change, and with the server")
    func waiting() async throws {
        let server = try await server()
        async let first = get(server, "/v1/wait")
        for _ in 0..<3000 where server.server.streamCount == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(server.server.streamCount == 1)
        server.recorded.revision.withLock { $0 += 1 }
        #expect(try await first.body == "\"changed\"\n")
        for _ in 0..<3000 where server.server.streamCount > 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(server.server.streamCount == 0)
        async let second = get(server, "/v1/wait")
        for _ in 0..<3000 where server.server.streamCount == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        server.server.end()
        #expect(try await second.body == "\"ended\"\n")
    }

    @Test("a server without the API has no page under /v1")
    func without() async throws {
        let server = try await RunningServer()
        #expect(try await get(server, "/v1/numbers").status == 401)
        let cookie = try await server.signIn()
        #expect(try await server.send("/v1/numbers", cookie: cookie).status == 404)
        #expect(try await server.send("/v1/openapi.json").status == 401)
    }
}
