import Foundation
import HealthTesting
import Testing

@testable import HealthServer

/// The log of requests of a server of many people.
@Suite struct PeopleLogTests {
    private let recorded = RecordedLines()

    /// Returns the lines when there are as many as requests: a line can come after its answer.
    private func objects(_ count: Int) async throws -> [[String: Any]] {
        for _ in 0..<6000 where recorded.lines.count < count {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(recorded.lines.count == count)
        return recorded.objects
    }

    private func identifier(_ token: String) -> String { String(token.prefix { $0 != "_" }) }

    @Test("a line has the template of the path, the status, the bytes and the token’s identifier")
    func lines() async throws {
        let server = try await PeopleServer(log: recorded.log())
        let answer = try await server.get("/v1/stats/stepCount", server.ada.reading)
        let body = "{}"
        let refused = try await server.running.send(
            "/v1/intake/health-auto-export", "POST",
            headers: ["Authorization: Bearer \(server.ada.device)", "Content-Type: text/plain"],
            body: body)
        _ = try await server.get("/v1/people", server.operatorToken)
        _ = try await server.running.send("/data")
        let objects = try await objects(4)
        #expect(
            objects.map { $0["path"] as? String } == [
                "/v1/stats/{type}", "/v1/intake/health-auto-export", "/v1/people", "/data",
            ])
        #expect(objects.map { $0["method"] as? String } == ["GET", "POST", "GET", "GET"])
        #expect(objects.map { $0["status"] as? Int } == [200, refused.status, 200, 303])
        #expect(
            objects.map { $0["actor"] as? String } == [
                identifier(server.ada.reading), identifier(server.ada.device),
                identifier(server.operatorToken), nil,
            ])
        #expect(objects[0]["bytesOut"] as? Int == answer.body.utf8.count)
        #expect(objects[0]["bytesIn"] as? Int == 0)
        #expect(objects[1]["bytesIn"] as? Int == body.utf8.count)
        for object in objects {
            #expect(Set(object.keys) == RequestLogTests.keys)
            #expect(object["node"] as? String == "node:\(server.running.port)")
            #expect((object["ms"] as? Double ?? -1) >= 0)
        }
    }

    @Test("the session of a page is the token that opened it")
    func pages() async throws {
        let server = try await PeopleServer(log: recorded.log())
        let cookie = try #require(try await server.logIn(server.ada.reading).cookie)
        let page = try await server.running.send("/data", cookie: cookie)
        let objects = try await objects(2)
        #expect(objects.map { $0["path"] as? String } == ["/login", "/data"])
        for object in objects {
            #expect(object["actor"] as? String == identifier(server.ada.reading))
        }
        #expect(objects[1]["bytesOut"] as? Int == page.body.utf8.count)
    }

    @Test("no line has a part of a query, a header, a body, a token or a person")
    func markers() async throws {
        let server = try await PeopleServer(log: recorded.log())
        let marker = "Marker7291"
        let (reading, device) = (server.ada.reading, server.ada.device)
        let requests: [(path: String, method: String, token: String)] = [
            ("/\(marker)", "GET", reading), ("/\(marker)?x=\(marker)", "GET", marker),
            ("/v1/\(marker)", "GET", reading),
            ("/v1/stats/\(marker)?from=\(marker)", "GET", reading),
            ("/v1/types?\(marker)=1", "GET", reading), ("/workouts/\(marker)", "GET", marker),
            ("/login", "POST", marker), ("/v1/people", "POST", server.operatorToken),
            ("/v1/people/\(server.ben.person)/quota", "POST", server.operatorToken),
            ("/v1/intake/health-auto-export/\(marker)", "POST", device),
            ("/v1/intake/health-auto-export/\(device)", "POST", marker),
            ("/api/v1/sdk/users/\(marker)/sync", "POST", device), ("/data", "PROPFIND", marker),
            ("/%ZZ\(marker)", "GET", marker), ("/metrics?\(marker)", "GET", marker),
        ]
        for request in requests {
            _ = try await server.running.send(
                request.path, request.method, cookie: "openhealth-session=\(marker)",
                headers: [
                    "Authorization: Bearer \(request.token)", "X-Forwarded-For: \(marker)",
                    "User-Agent: \(marker)", "Referer: http://\(marker)/",
                    "Content-Type: application/json", "Idempotency-Key: \(marker)",
                ], body: request.method == "POST" ? "{\"name\":\"\(marker)\"}" : "")
        }
        let objects = try await objects(requests.count)
        #expect(objects.allSatisfy { Set($0.keys) == RequestLogTests.keys })
        #expect(objects.contains { $0["method"] as? String == "other" })
        let secrets = [reading, device, server.operatorToken].map { $0.drop { $0 != "_" } }
        for line in recorded.lines {
            for word in [marker, "7291", server.ada.person, server.ben.person, "127.0.0.1"] {
                #expect(!line.contains(word), "\(line)")
            }
            for secret in secrets { #expect(!line.contains(secret), "\(line)") }
        }
        let metrics = try await server.running.send("/metrics")
        #expect(metrics.body.contains("openhealth_log_lines_dropped_total 0"))
    }
}
