import Foundation
import HealthTesting
import Testing

@testable import openhealth

/// `openhealth devices` and `openhealth serve --receive`, as processes.
@Suite(.inTestAll) struct DeviceCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path + "/health.sqlite"
    }

    private func token(_ name: String) throws -> String {
        let run = try CommandRun(["devices", "add", name, "--json"], store: store)
        #expect(run.object?["device"] as? String == name, "\(run.errors)")
        return try #require(run.object?["token"] as? String)
    }

    private let body = """
        {"provider":"apple","sdkVersion":"0.6.0","syncTimestamp":"2026-03-01T08:20:00Z","data":{\
        "workouts":[],"records":[{"id":"AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA",\
        "type":"HKQuantityTypeIdentifierStepCount","startDate":"2026-03-01T08:00:00Z",\
        "endDate":"2026-03-01T08:10:00Z","zoneOffset":null,"source":{"appId":"com.apple.health",\
        "deviceName":"iPhone"},"value":420,"unit":"count","parentId":null,"metadata":null}],\
        "sleep":[]}}
        """

    private func post(_ serving: Serving, _ credential: String) async throws -> RawResponse {
        let client = try RawClient(port: serving.port)
        await client.send(
            "POST /api/v1/sdk/users/1/sync HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "\(credential)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return RawResponse(await client.receiveAll())
    }

    @Test("a phone is added, sends with each form of its token, is listed and removed")
    func wholeWay() async throws {
        let token = try token("iPhone")
        let serving = try Serving(["serve", "--receive", "--port", "0"], store: store)
        defer { serving.command.kill() }
        for form in [
            "Authorization: Bearer ", "Authorization: ", "X-API-Key: ", "api-key: ",
            "X-Open-Wearables-API-Key: ",
        ] {
            let answer = try await post(serving, form + token)
            #expect(answer.status == 202, "\(form) \(answer.text)")
        }
        let list = try CommandRun(["devices", "--json"], store: store)
        let devices = try #require(list.object?["devices"] as? [[String: Any]])
        #expect(devices.count == 1 && devices[0]["device"] as? String == "iPhone")
        let formats = try #require(devices[0]["formats"] as? [[String: Any]])
        #expect(formats.first?["requests"] as? Int == 5)
        #expect(devices[0]["lastSample"] as? String == "2026-03-01T08:10:00+00:00")
        #expect(!list.output.contains(token))
        let types = try CommandRun(["types", "--json"], store: store)
        #expect(types.output.contains("\"samples\":1"), "\(types.output)")
        let restored = try CommandRun(["devices", "restore", "iphone", "--json"], store: store)
        #expect(restored.object?["restored"] as? Int == 0, "\(restored.errors)")
        let removed = try CommandRun(["devices", "remove", "iphone"], store: store)
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try await post(serving, "X-API-Key: " + token).status == 401)
        #expect(!serving.command.output.contains(token))
        #expect(!serving.command.errors.contains(token))
    }

    @Test("names are unique, and a token is not printed to a pipe without --json")
    func names() throws {
        _ = try token("iPhone")
        let taken = try CommandRun(["devices", "add", "IPHONE", "--json"], store: store)
        #expect(taken.status == 1 && taken.errors.contains("“iPhone”"))
        for name in ["", " ", String(repeating: "x", count: 101), "a\nb"] {
            let invalid = try CommandRun(["devices", "add", name, "--json"], store: store)
            #expect(invalid.status == 64 && invalid.output.isEmpty, "\(name)")
        }
        let pipe = try CommandRun(["devices", "add", "iPad"], store: store)
        #expect(pipe.status == 64 && pipe.output.isEmpty && pipe.errors.contains("--json"))
        let unknown = try CommandRun(["devices", "remove", "iPad"], store: store)
        #expect(unknown.status == 1 && unknown.errors.contains("“iPad”"))
    }

    @Test("the list says what is missing, and is useful when it is empty")
    func list() throws {
        let empty = try CommandRun(["devices"], store: store)
        #expect(empty.status == 0 && empty.output.contains("devices add"))
        _ = try token("iPhone")
        let text = try CommandRun(["devices"], store: store)
        #expect(text.output.contains("iPhone: never contacted this server"), "\(text.output)")
    }

    @Test("unencrypted data from a network is refused without --insecure or a proxy")
    func encryption() throws {
        let plain = try CommandRun(
            ["serve", "--receive", "--listen", "0.0.0.0", "--port", "0"], store: store)
        #expect(plain.status == 64 && plain.errors.contains("--behind-proxy"))
        #expect(plain.output.isEmpty)
        for options in [["--behind-proxy", "proxy"], ["--insecure", "--behind-proxy", "::1"]] {
            let run = try CommandRun(["serve", "--receive"] + options, store: store)
            #expect(run.status == 64, "\(options)")
        }
    }

    @Test("devices test waits for a request and explains it")
    func waiting() async throws {
        let token = try token("iPhone")
        let serving = try Serving(["serve", "--receive", "--port", "0"], store: store)
        defer { serving.command.kill() }
        let waiting = try RunningCommand(["devices", "test", "iPhone"], store: store)
        defer { waiting.kill() }
        try waiting.waitForMessage("Waiting for a request")
        #expect(try await post(serving, "X-API-Key: " + token).status == 202)
        for _ in 0..<3000 where !waiting.output.contains("newest") {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(waiting.output.contains("a request in the format open-wearables was stored: 1"))
        #expect(waiting.output.contains("1 stored as new samples"))
    }

    @Test("a server that is killed after a commit finds the resent data stored")
    func killed() async throws {
        let token = try token("iPhone")
        let first = try Serving(["serve", "--receive", "--port", "0"], store: store)
        #expect(try await post(first, "api-key: " + token).status == 202)
        first.command.kill()
        let second = try Serving(["serve", "--receive", "--port", "0"], store: store)
        defer { second.command.kill() }
        let answer = try await post(second, "api-key: " + token)
        #expect(answer.status == 202 && answer.body.contains("\"duplicate\":1"))
    }
}

/// The links for Health Auto Export.
@Suite struct HealthAutoExportLinkTests {
    @Test("each link decodes to the address, the token and its automation")
    func links() throws {
        let token = "d0123456789abcdef_" + String(repeating: "a", count: 64)
        for automation in HealthAutoExportAutomation.allCases {
            let link = automation.link(address: "https://health.example.org", token: token)
            #expect(!link.contains("+") && !link.contains(" "))
            let parts = try #require(URLComponents(string: link))
            #expect(parts.scheme == "com.HealthExport" && parts.host == "automation")
            let items = try #require(parts.queryItems)
            let fields = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
            #expect(
                fields["url"] == "https://health.example.org/v1/intake/health-auto-export")
            #expect(fields["headers"] == "X-API-Key," + token)
            #expect(fields["format"] == "json" && fields["exportversion"] == "v2")
            switch automation {
            case .hourlyTotals:
                #expect(fields["aggregatedata"] == "true" && fields["interval"] == "hours")
                #expect(fields["period"] == "previous7days")
                #expect(fields["metrics"]?.contains("Walking + Running Distance") == true)
            case .points: #expect(fields["aggregatedata"] == "false")
            case .sleep:
                #expect(fields["metrics"] == "Sleep Analysis")
                #expect(fields["aggregatesleep"] == "false" && fields["aggregatedata"] == "false")
            case .workouts: #expect(fields["datatype"] == "workouts")
            }
        }
    }

    @Test("an address must be an HTTP URL without a query")
    func addresses() throws {
        #expect(try DeviceSetup.addresses("https://a.example/x/") == ["https://a.example/x"])
        for text in ["", "a.example", "ftp://a.example", "http://", "https://a.example?x=1"] {
            #expect(throws: UsageError.self, "\(text)") { try DeviceSetup.addresses(text) }
        }
    }
}
