import Foundation
import HealthPeople
import HealthStorage
import HealthTesting

@testable import HealthServer

/// A server of two people in a folder. The read API answers with the person whose store it reads.
final class PeopleServer: Sendable {
    struct Credentials: Sendable {
        var person: String
        var reading: String
        var device: String
    }

    /// The paths of the API, with a type where they have a name.
    static let reads: [String] =
        DescribedOperation.all
        .filter { $0.method == "GET" && $0.kinds == [.reading] && $0.path != "/v1/accesses" }
        .map { $0.path.replacingOccurrences(of: "{type}", with: "stepCount") }.sorted()

    let folder: TemporaryFolder
    let people: People
    let site: PeopleSite
    let running: RunningServer
    let ada: Credentials
    let ben: Credentials
    let operatorToken: String

    /// - Parameter log: Gets a line for each request; nil for no log.
    init(log: RequestLog? = nil) async throws {
        folder = try TemporaryFolder()
        let people = try People.open(PeopleLocation(folder.path + "/study"))
        self.people = people
        let site = try PeopleSite(
            PeoplePlaces(home: people), cacheFolder: folder.path + "/cache"
        ) { path, person, places, writing in
            let resources = Self.reads.map { path in
                APIResource(
                    at: path.replacingOccurrences(of: "/stepCount", with: ""),
                    path.hasSuffix("/stepCount") ? .named : .unnamed
                ) { _ in person }
            }
            let server = try HealthServer(
                storeAt: path, audience: .person, limits: RunningServer.longTimeouts,
                api: ReadAPI(resources: resources) { try await places.readToken($0, of: person) },
                counting: .onRequest, writing: writing)
            return PersonServing(server) { _ in }
        }
        self.site = site
        (ada, ben) = (try Self.credentials(people, "Ada"), try Self.credentials(people, "Ben"))
        operatorToken = try people.directory.addToken(
            .operator, named: "operator", of: "", at: 0
        ).text
        running = try await RunningServer { _ in
            HealthServer(site, limits: RunningServer.longTimeouts, log: log)
        }
    }

    private static func credentials(_ people: People, _ name: String) throws -> Credentials {
        let (person, token) = try people.create(named: name, at: 0)
        let device = try people.directory.addToken(.device, named: "Phone", of: person, at: 0)
        return Credentials(person: person, reading: token.text, device: device.text)
    }

    func get(_ path: String, _ token: String?, _ method: String = "GET") async throws -> RawResponse
    {
        try await running.send(
            path, method, headers: token.map { ["Authorization: Bearer \($0)"] } ?? [])
    }

    func logIn(_ token: String) async throws -> RawResponse {
        try await running.send(
            "/login", "POST",
            headers: [
                "Content-Type: application/x-www-form-urlencoded",
                "Origin: http://\(running.host)",
            ], body: "token=" + token)
    }
}

/// An operation of the description of the HTTP interface.
struct DescribedOperation {
    var path: String
    var method: String
    /// The tokens of which it needs one; empty if it needs none.
    var kinds: Set<PersonToken.Kind>

    static let all: [DescribedOperation] = {
        let data = Data(OpenAPIDescription.json.utf8)
        let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        let paths = root?["paths"] as? [String: [String: [String: Any]]] ?? [:]
        return paths.flatMap { path, methods in
            methods.map { method, operation in
                DescribedOperation(
                    path: path, method: method.uppercased(), kinds: kinds(operation["security"]))
            }
        }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    }()

    private static func kinds(_ security: Any?) -> Set<PersonToken.Kind> {
        guard let schemes = security as? [[String: Any]] else { return [.reading] }
        return Set(
            schemes.flatMap(\.keys).map { name in
                name == "readToken" ? .reading : name == "operatorToken" ? .operator : .device
            })
    }
}
