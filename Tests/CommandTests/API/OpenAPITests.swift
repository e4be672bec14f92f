import Foundation
import HealthEngine
import HealthServer
import HealthTesting
import Testing

/// The description of the HTTP interface, compared with the server.
@Suite(.inTestAll) struct OpenAPITests {
    private static let file = ProjectFiles.tests.deletingLastPathComponent()
        .appendingPathComponent("Documentation/openapi.yaml")

    private typealias Object = [String: Any]

    @Test("the served description was rendered from the YAML file")
    func rendered() throws {
        let text = try Data(contentsOf: OpenAPITests.file)
        #expect(
            SHA256.hexadecimal(text) == OpenAPIDescription.digest,
            "Run Tools/openapi: Documentation/openapi.yaml has changed.")
        #expect(try APIDescription.root()["openapi"] as? String == "3.1.0")
    }

    /// Whether Python has the modules that validate the description.
    private static let hasValidator =
        (try? Python.run("import openapi_spec_validator, yaml; print(1)")) == "1"

    @Test(
        "the description is valid OpenAPI 3.1, and the JSON is that of the YAML file",
        .enabled(if: hasValidator, "openapi-spec-validator is missing: pip install it"))
    func valid() throws {
        let folder = try TemporaryFolder()
        let json = folder.path + "/openapi.json"
        try Data(OpenAPIDescription.json.utf8).write(to: URL(fileURLWithPath: json))
        let program = """
            import json, sys, yaml
            from openapi_spec_validator import validate
            served, written = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
            validate(served)
            print(json.dumps(served, sort_keys=True)
                  == json.dumps(written, sort_keys=True, default=str))
            """
        #expect(try Python.run(program, [json, OpenAPITests.file.path]) == "True")
    }

    @Test("each example of an answer has the keys and types of a real answer")
    func examples() async throws {
        let store = try AnnasStore()
        let api = try ServedAPI(store.path)
        defer { api.stop() }
        let anonymous = try await api.get("/v1/openapi.json", token: "none")
        #expect(anonymous.status == 200 && anonymous.body == OpenAPIDescription.json)
        var requests = 0
        for (path, method, operation) in try APIDescription.operations()
        where method == "get" {
            guard let target = operation["x-example-request"] as? String else { continue }
            // A health check with a token that isn't a device's is refused.
            let answer =
                path == "/api/health"
                ? try await api.serving.send(target) : try await api.get(target)
            let example = try #require(try APIDescription.example(operation), "\(path)")
            #expect(answer.status == example.status, "\(path): \(answer.text)")
            let body = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
            #expect(Shape(example.body) == Shape(body), "\(path)")
            requests += 1
        }
        #expect(requests == 10)
    }

    @Test("each example of a request of a device is stored, and answered as described")
    func receiving() async throws {
        let store = try AnnasStore()
        let added = try CommandRun(["devices", "add", "phone", "--json"], store: store.path)
        let token = try #require(added.object?["token"] as? String)
        let serving = try Serving(["serve", "--receive"], store: store.path)
        defer { serving.command.kill() }
        var requests = 0
        for (path, method, operation) in try APIDescription.operations(of: "Receiving")
        where method == "post" {
            let request = try #require(operation["requestBody"] as? Object)
            let content = try #require(request["content"] as? [String: Object])
            let (type, media) = try #require(content.first)
            let example = try #require(media["example"])
            let body =
                try (example as? String)
                ?? String(decoding: JSONSerialization.data(withJSONObject: example), as: UTF8.self)
            let client = try RawClient(port: serving.port, timeout: 300)
            await client.send(
                "POST \(path.replacing("{user}", with: "me")) HTTP/1.1\r\n"
                    + "Host: 127.0.0.1:\(serving.port)\r\nConnection: close\r\n"
                    + "Authorization: Bearer \(token)\r\nContent-Type: \(type)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
            let answer = RawResponse(await client.receiveAll())
            let expected = try #require(try APIDescription.example(operation), "\(path)")
            #expect(answer.status == expected.status, "\(path): \(answer.text)")
            let found = try #require(
                JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? Object)
            #expect(Shape(found) == Shape(expected.body), "\(path): \(answer.body)")
            for name in ["received", "accepted", "totals", "rejected", "unknown"] {
                #expect(found[name] as? Int == expected.body[name] as? Int, "\(path) \(name)")
            }
            requests += 1
        }
        #expect(requests == 6)
    }

    @Test("every query item that a resource accepts is described, and no other")
    func parameters() async throws {
        let api = try ServedAPI(try AnnasStore.shared.get().path)
        defer { api.stop() }
        let components = try #require(try APIDescription.root()["components"] as? Object)
        let shared = try #require(components["parameters"] as? [String: Object])
        for (path, method, operation) in try APIDescription.operations(of: "Reading")
        where method == "get" && path.hasPrefix("/v1/") && path != "/v1/openapi.json" {
            let listed = try #require(operation["parameters"] as? [Object])
            let parameters = listed.map { parameter in
                (parameter["$ref"] as? String).flatMap { reference in
                    shared[String(reference.split(separator: "/").last ?? "")]
                } ?? parameter
            }
            let names = parameters.filter { $0["in"] as? String == "query" }
                .compactMap { $0["name"] as? String }
            let target = path.replacing("{type}", with: "stepCount")
            let refused = try await api.get(target + "?none=1").body
            let accepted = try #require(refused.split(separator: "Use ").last)
            #expect(
                accepted.prefix { $0 != "." }.split(separator: ", ").map(String.init).sorted()
                    == names.sorted(), "\(path)")
        }
    }
}
