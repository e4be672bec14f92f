import Foundation
import HealthPeople
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// Requests of a server of many people without the right token.
@Suite struct WrongTokenTests {
    /// Tokens that give no access to a kind of operation, by what is wrong with them.
    private func wrongTokens(
        _ server: PeopleServer, _ kind: PersonToken.Kind
    ) throws -> [(why: String, token: String?)] {
        let directory = server.people.directory
        func added(_ person: String) throws -> String {
            let owner = kind == .operator ? "" : person
            return try directory.addToken(kind, named: "old \(kind)", of: owner, at: 0).text
        }
        let revoked = try added(server.ada.person)
        try directory.revokeToken(
            String(revoked.prefix { $0 != "_" }), of: kind == .operator ? "" : server.ada.person,
            at: 1)
        let removed = try server.people.create(named: "Cy", at: 0)
        let erased = kind == .operator ? removed.token.text : try added(removed.person)
        _ = try server.people.erase(removed.person, at: 1)
        let right: [PersonToken.Kind: [String]] = [
            .reading: [server.ada.reading, server.ben.reading],
            .device: [server.ada.device, server.ben.device],
            .operator: [server.operatorToken],
        ]
        let own = try #require(right[kind]?.first)
        let secret = (kind == .device ? server.ben.device : server.ben.reading).drop { $0 != "_" }
        var tokens: [(String, String?)] = [
            ("none", nil), ("revoked", revoked), ("of an erased person", erased),
            ("another secret", String(own.prefix { $0 != "_" }) + secret),
            ("a changed secret", String(own.dropLast()) + (own.last == "0" ? "1" : "0")),
            ("unknown", "r0000000000000000_" + String(repeating: "0", count: 64)),
            ("no token", "x"),
        ]
        for (other, texts) in right where other != kind {
            tokens += texts.map { ("of kind \(other)", $0) }
        }
        return tokens
    }

    @Test("every other token, and none, gets the same answer on every described path")
    func everyPath() async throws {
        let server = try await PeopleServer()
        let operations = DescribedOperation.all.filter { !$0.kinds.isEmpty }
        #expect(operations.count >= 26)
        for kind in [PersonToken.Kind.reading, .device, .operator] {
            let tokens = try wrongTokens(server, kind)
            for operation in operations where operation.kinds == [kind] {
                try await expectRefusals(of: tokens, operation, server)
            }
        }
    }

    private func expectRefusals(
        of tokens: [(why: String, token: String?)], _ operation: DescribedOperation,
        _ server: PeopleServer
    ) async throws {
        let names = ["type": "stepCount", "person": server.ada.person, "user": "me"]
        let path = names.reduce(operation.path) { path, name in
            path.replacingOccurrences(of: "{\(name.key)}", with: name.value)
        }
        // Metrics need no token on this computer, but they do through a proxy.
        let headers = path == "/metrics" ? ["X-Forwarded-For: 10.0.0.1"] : []
        var first: RawResponse?
        for (why, token) in tokens {
            let response = try await server.running.send(
                path, operation.method,
                headers: headers + (token.map { ["Authorization: Bearer \($0)"] } ?? []),
                body: operation.method == "POST" ? "{}" : "")
            let what = "\(operation.method) \(path), \(why)"
            #expect(response.status == 401, "\(what)")
            #expect(response.body == first?.body ?? response.body, "\(what)")
            for header in ["www-authenticate", "content-type", "retry-after"] {
                let expected = (first ?? response).headers[header]
                #expect(response.headers[header] == expected, "\(what)")
            }
            for data in [server.ada.person, server.ben.person, "Ada", "Ben"] {
                #expect(!response.body.contains(data), "\(what)")
            }
            first = first ?? response
        }
    }

    @Test("operations without a token are the description and what shows whether a node works")
    func openOperations() async throws {
        let open = DescribedOperation.all.filter(\.kinds.isEmpty)
        #expect(
            open.map(\.path).sorted() == ["/api/health", "/live", "/ready", "/v1/openapi.json"])
        let server = try await PeopleServer()
        for operation in open {
            let response = try await server.get(operation.path, nil)
            #expect(response.status == 200, "\(operation.path)")
            #expect(!response.body.contains(server.ada.person))
        }
        // An app checks its token there.
        #expect(try await server.get("/api/health", server.ada.device).status == 200)
        #expect(try await server.get("/api/health", "x").status == 401)
    }
}
