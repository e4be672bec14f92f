import Foundation
import HealthTesting
import Testing

/// The operations of a server of many people, compared with their description.
@Suite(.inTestAll) struct PeopleAPITests {
    /// The operations in an order in which all of them work: reading first, erasing last.
    private func operations() throws -> [(path: String, method: String, operation: [String: Any])] {
        let order = ["get": 0, "post": 1, "delete": 2]
        return try APIDescription.operations(of: "Many people").sorted {
            (order[$0.method] ?? 3, $0.path) < (order[$1.method] ?? 3, $1.path)
        }
    }

    @Test("each operation answers its example as described")
    func examples() async throws {
        let server = try ServedPeople()
        #expect(try await server.send("GET", "/v1/types", token: server.reading).status == 200)
        var count = 0
        for (path, method, operation) in try operations() {
            let answer = try await server.send(
                method.uppercased(), path.replacing("{person}", with: server.person),
                token: path == "/v1/accesses" ? server.reading : server.operatorToken,
                body: APIDescription.requestBody(operation))
            let what = "\(method) \(path): \(answer.text)"
            let responses = try #require(operation["responses"] as? [String: Any])
            #expect(responses[String(answer.status)] != nil, "\(what)")
            #expect(answer.status == 200, "\(what)")
            if let example = try APIDescription.example(operation) {
                let body = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
                #expect(Shape(body) == Shape(example.body), "\(what)")
            } else {
                #expect(answer.headers["content-type"]?.hasPrefix("text/plain") == true, "\(what)")
            }
            count += 1
        }
        #expect(count == 13)
        #expect(try server.people(["list"])["people"] as? [[String: Any]] != nil)
        // The erased person's token has no effect.
        #expect(try await server.send("GET", "/v1/types", token: server.reading).status == 401)
    }

    @Test("the operations of many people don't exist on a server of one store")
    func oneStore() async throws {
        let api = try ServedAPI(try AnnasStore.shared.get().path)
        defer { api.stop() }
        for (path, method, _) in try operations() where method == "get" {
            let answer = try await api.get(path)
            #expect(answer.status == (path.hasPrefix("/v1/") ? 404 : 401), "\(path)")
        }
    }
}
