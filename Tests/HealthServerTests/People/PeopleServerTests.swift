import Foundation
import HealthEngine
import HealthPeople
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

@Suite("A server of many people")
struct PeopleServerTests {
    @Test("a token reads its own person's data on every path of the API")
    func reading() async throws {
        let server = try await PeopleServer()
        #expect(PeopleServer.reads.count >= 9)
        for path in PeopleServer.reads {
            for person in [server.ada, server.ben] {
                let response = try await server.get(path, person.reading)
                #expect(response.status == 200, "\(path)")
                #expect(response.body == person.person, "\(path)")
            }
        }
    }

    @Test("the operator's API needs an operator's token")
    func operatorCalls() async throws {
        let server = try await PeopleServer()
        let calls = [
            ("GET", "/v1/people"), ("POST", "/v1/people"), ("DELETE", "/v1/people/x"),
            ("POST", "/v1/people/x/disable"), ("POST", "/v1/people/\(server.ada.person)/tokens"),
        ]
        for (method, path) in calls {
            for token in [server.ada.reading, server.ada.device, nil] {
                #expect(try await server.get(path, token, method).status == 401, "\(path)")
            }
        }
        let list = try await server.get("/v1/people", server.operatorToken)
        #expect(list.status == 200)
        #expect(list.body.contains(server.ben.person))
        #expect(
            try await server.get("/v1/people/x/disable", server.operatorToken, "POST").status == 404
        )
    }

    @Test("pages need a session, which a token for everything opens")
    func pages() async throws {
        let server = try await PeopleServer()
        #expect(try await server.running.send("/data").status == 303)
        #expect(try await server.running.send("/data.json").status == 401)
        for token in [server.ada.device, server.operatorToken, "x"] {
            let refused = try await server.logIn(token)
            #expect(refused.status == 403)
            #expect(refused.cookie == nil)
        }
        let statistics = try server.people.directory.addToken(
            .reading, named: "Grafana", of: server.ada.person, ReadScope(isAggregatedOnly: true),
            at: 0)
        #expect(try await server.logIn(statistics.text).status == 403)
        let cookie = try #require(try await server.logIn(server.ada.reading).cookie)
        for page in ["/", "/data", "/type", "/accesses", "/accesses.json"] {
            #expect(try await server.running.send(page, cookie: cookie).status == 200, "\(page)")
        }
        try server.people.directory.revokeToken(
            String(server.ada.reading.prefix { $0 != "_" }), of: server.ada.person, at: 1)
        #expect(try await server.running.send("/data.json", cookie: cookie).status == 401)
    }

    @Test("each read is in the person's log of accesses before the answer")
    func accesses() async throws {
        let server = try await PeopleServer()
        _ = try await server.get("/v1/stats/stepCount?from=2024-01-01", server.ada.reading)
        let lines = try server.people.accesses(to: server.ada.person, limit: 9)
        #expect(lines.map(\.subject) == ["/v1/stats/stepCount"])
        #expect(lines.first?.days == "from=2024-01-01")
        #expect(lines.first?.origin == "127.0.0.1")
        #expect(try server.people.accesses(to: server.ben.person, limit: 9) == [])
    }

    @Test("a line of the log has the types and days of a query, and none of its other fields")
    func accessSubject() throws {
        let target = try #require(
            RequestTarget(
                "/compare.json?metric=stepCount&other=heartRate&from=2024-01-01&to=2024-02-01"
                    + "&from2=2023-01-01&to2=2023-02-01&goal=61.5&metric=a%0Ab"))
        let subject = AccessSubject(target)
        #expect(
            subject.resource == "/compare metric=stepCount other=heartRate metric=a\u{FFFD}b")
        #expect(
            subject.days == "from=2024-01-01 to=2024-02-01 from2=2023-01-01 to2=2023-02-01")
        let plain = try #require(RequestTarget("/" + String(repeating: "a", count: 500)))
        #expect(AccessSubject(plain).resource.count == 100)
        #expect(AccessSubject(plain).days == nil)
    }

    @Test("the status that a phone reads is in the log of accesses")
    func status() async throws {
        let server = try await PeopleServer()
        let answer = try await server.running.send(
            "/api/apple/status", headers: ["Authorization: Bearer \(server.ada.device)"])
        #expect(answer.status == 200)
        let line = try #require(server.people.accesses(to: server.ada.person, limit: 9).first)
        #expect(line.subject == "status" && line.action == .read && line.origin == "127.0.0.1")
        #expect(line.actor == String(server.ada.device.prefix { $0 != "_" }))
    }

    @Test("a node whose cache was removed isn't ready, until it has created it again")
    func removedCache() async throws {
        let server = try await PeopleServer()
        #expect(try await server.running.send("/ready").status == 200)
        try FileManager.default.removeItem(atPath: server.folder.path + "/cache")
        #expect(try await server.running.send("/ready").status == 503)
        await server.site.cache.refresh()
        #expect(try await server.running.send("/ready").status == 200)
        #expect(throws: PeopleError.cacheInUse(server.folder.path + "/cache")) {
            try StoreCache(server.site.places, folder: server.folder.path + "/cache") { _, _ in 0 }
        }
    }

    @Test("a phone's data is in its person's store, and a repeated request has the same receipt")
    func receiving() async throws {
        let server = try await PeopleServer()
        let body = """
            {"data":{"metrics":[{"name":"weight_body_mass","units":"kg","data":[\
            {"date":"2024-03-10 09:00:00 +0000","qty":70,"source":"iPhone"}]}]}}
            """
        func push(_ token: String) async throws -> RawResponse {
            try await server.running.send(
                "/v1/intake/health-auto-export", "POST",
                headers: ["Authorization: Bearer \(token)", "Content-Type: application/json"],
                body: body)
        }
        #expect(try await push(server.ada.reading).status == 401)
        #expect(try await push(server.ada.device).status == 200)
        let line = try server.people.accesses(to: server.ada.person, limit: 1).first
        #expect(line?.subject == "health-auto-export bodyMass")
        #expect(line?.days == "from=2024-03-10 to=2024-03-10")
        #expect(line?.origin == "127.0.0.1")
        #expect(line?.actor == String(server.ada.device.prefix { $0 != "_" }))
        let counts = try await [server.ada, server.ben].asyncMap { person in
            try await server.site.cache.reading(person.person) { try $0.lastSequence }
        }
        #expect(counts[0] > 0)
        #expect(counts[1] == 0)
        try server.people.setDisabled(server.ada.person, at: 1)
        let refused = try await push(server.ada.device)
        #expect(refused.status == 503)
        #expect(refused.body.contains("suspended"))
    }

    @Test("whether it lives and is ready needs no token, and it isn't ready while it ends")
    func operation() async throws {
        let server = try await PeopleServer()
        #expect(try await server.running.send("/live").status == 200)
        #expect(try await server.running.send("/ready").status == 200)
        let metrics = try await server.running.send("/metrics")
        #expect(metrics.body.contains("openhealth_open_stores 0"))
        let forwarded = try await server.running.send(
            "/metrics", headers: ["X-Forwarded-For: 1.2.3.4"])
        #expect(forwarded.status == 401)
        server.site.beginEnding()
        #expect(try await server.running.send("/ready").status == 503)
        #expect(try await server.running.send("/live").status == 200)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(
        _ body: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
