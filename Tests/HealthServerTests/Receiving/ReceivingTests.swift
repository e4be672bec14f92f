import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// What devices post, and the answers.
@Suite(.serialized) struct ReceivingTests {
    @Test("every header form of a token is accepted")
    func headerForms() async throws {
        let running = try await ReceivingServer()
        let forms = [
            "Authorization: Bearer ", "authorization: bearer ", "Authorization: ", "X-API-Key: ",
            "api-key: ", "X-Open-Wearables-API-Key: ",
        ]
        for (number, form) in forms.enumerated() {
            let answer = try await running.post(
                AppBody.openWearables, AppBody.sync(1, from: number),
                credential: form + running.token)
            #expect(answer.status == 202, "\(form) \(answer.text)")
            #expect(answer.number("accepted") == 1)
        }
        #expect(try running.steps() == (count: forms.count, sum: 10 * Double(forms.count)))
    }

    @Test("a missing, wrong or revoked token is 401 and stores nothing")
    func badTokens() async throws {
        let running = try await ReceivingServer()
        let directory = try AccessDirectory.open(besideStore: running.store)
        let reading = try directory.addToken("Grafana", ReadScope(), at: 0).text
        let other = String(running.token.dropLast()) + (running.token.hasSuffix("0") ? "1" : "0")
        for credential in [
            "", "Authorization: Bearer", "X-API-Key: \(other)", "X-API-Key: \(reading)",
            "Authorization: Bearer \(String(repeating: "x", count: 5000))",
        ] {
            let answer = try await running.post(
                AppBody.openWearables, AppBody.sync(1), credential: credential)
            #expect(answer.status == 401, "\(credential)")
            #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
            #expect(!answer.text.contains(running.token))
        }
        try directory.removeDevice("IPHONE", at: 1)
        let revoked = try await running.post(AppBody.openWearables, AppBody.sync(1))
        #expect(revoked.status == 401)
        #expect(try running.steps().count == 0)
    }

    @Test("Open Wearables gets 202 with its fields, and a resend is counted as duplicates")
    func openWearables() async throws {
        let running = try await ReceivingServer()
        let first = try await running.post(AppBody.openWearables, AppBody.sync(3))
        #expect(first.status == 202)
        #expect(first.number("status_code") == 202 && first.text("user_id") == "7")
        #expect(first.text("response") != nil && first.text("receipt") == "r-000001")
        #expect(first.number("received") == 3 && first.number("accepted") == 3)
        let path = "/api/v1/sdk/users/anna%20b/sync/apple"
        let second = try await running.post(path, AppBody.sync(3))
        #expect(second.status == 202)
        #expect(second.number("received") == 3 && second.number("duplicate") == 3)
        #expect(second.text("user_id") == "anna b")
        #expect(second.number("accepted") == 0 && second.text("receipt") == "r-000002")
        #expect(try running.steps() == (count: 3, sum: 30))
        let logs = try await running.post("/api/v1/sdk/users/7/logs", "{\"events\":[]}")
        #expect(logs.status == 202 && logs.number("status_code") == 202)
    }

    @Test("the counts of a receipt add up to what was received")
    func receiptCounts() async throws {
        let running = try await ReceivingServer()
        let body = AppBody.sync(3).replacing(
            "\"value\":10,\"unit\":\"count\",\"parentId\":null,\"metadata\":null}]",
            with: "\"value\":10,\"unit\":\"furlongs\",\"parentId\":null,\"metadata\":null}]")
        let answer = try await running.post(AppBody.openWearables, body)
        let names = [
            "accepted", "duplicate", "changed", "deleted", "rejected", "totals", "provisional",
            "unknown",
        ]
        let counts = names.compactMap { answer.number($0) }
        #expect(answer.status == 202 && counts.count == names.count)
        #expect(counts.reduce(0, +) == 3 && answer.number("received") == 3)
        #expect(answer.number("rejected") == 1 && answer.number("records_omitted") == 0)
        let records = try #require(answer.json["records"] as? [[String: Any]])
        #expect(records.count == 1)
        #expect(records[0]["index"] as? Int == 2 && records[0]["reason"] as? String == "unit")
        #expect(records[0]["result"] as? String == "rejected")
    }

    @Test("Health Auto Export is accepted with a header or with the token in the path")
    func healthAutoExport() async throws {
        let running = try await ReceivingServer()
        let body = """
            {"data":{"metrics":[{"name":"step_count","units":"count","data":[
            {"date":"2026-03-01 08:00:00 +0100","qty":120,"source":"iPhone|Watch"},
            {"date":"2026-03-01 09:00:00 +0100","qty":80,"source":"iPhone|Watch"}]}]}}
            """
        let header = try await running.post(
            AppBody.autoExport, body, headers: ["automation-aggregation: Hours"])
        #expect(header.status == 200 && header.number("totals") == 2)
        #expect(header.number("received") == 2 && header.number("accepted") == 0)
        let path = try await running.post(
            AppBody.autoExport + "/" + running.token, body, credential: "")
        #expect(path.status == 200, "\(path.text)")
        let wrong = try await running.post(AppBody.autoExport + "/d1_2", body, credential: "")
        #expect(wrong.status == 401)
        let empty = try await running.post(AppBody.autoExport, "{\"data\":{}}")
        #expect(empty.status == 200 && empty.number("received") == 0)
    }

    @Test("Open Health Exporter gets its receipt, and the same key gives the same answer")
    func idempotency() async throws {
        let running = try await ReceivingServer()
        let key = ["Idempotency-Key: 0196-a", "Content-Type: application/x-ndjson"]
        let first = try await running.post(
            AppBody.exporter, AppBody.line(0, steps: 7), headers: key)
        #expect(first.status == 200 && first.text("spec") == "ohe.wire/1")
        #expect(first.text("batchId") == "0196-a" && first.number("accepted") == 1)
        #expect((first.json["rejects"] as? [Any])?.isEmpty == true)
        let again = try await running.post(
            AppBody.exporter, AppBody.line(0, steps: 7), headers: key)
        #expect(again.status == 200 && again.body == first.body)
        let other = try await running.post(
            AppBody.exporter, AppBody.line(0, steps: 8), headers: key)
        #expect(other.status == 409)
        #expect(other.text("error") == "idempotency_key_payload_mismatch")
        #expect(try running.steps() == (count: 1, sum: 7))
    }

    @Test("a key whose body could not be read is free for the whole body")
    func keyAfterRefusal() async throws {
        let running = try await ReceivingServer()
        let key = ["Idempotency-Key: 0196-b"]
        let whole = AppBody.line(0, steps: 7)
        let damaged = try await running.post(
            AppBody.exporter, String(whole.dropLast(20)), headers: key)
        #expect(damaged.status == 400 && damaged.text("error") == "json")
        let resent = try await running.post(AppBody.exporter, whole, headers: key)
        #expect(resent.status == 200 && resent.number("accepted") == 1, "\(resent.text)")
    }

    @Test("a key is ignored where a person could have typed it")
    func keysOfOthers() async throws {
        let running = try await ReceivingServer()
        let key = ["Idempotency-Key: mine"]
        for number in 0..<2 {
            let answer = try await running.post(
                AppBody.openWearables, AppBody.sync(1, from: number), headers: key)
            #expect(answer.status == 202 && answer.number("accepted") == 1)
        }
    }

    @Test("HealthSave gets its receipt, and 422 for an unknown unit after the rest is stored")
    func healthSave() async throws {
        let running = try await ReceivingServer()
        let headers = [
            "Idempotency-Key: k1", "X-HealthSave-Sync-Run-ID: run-1",
            "X-HealthSave-Sample-Max-Time: 2026-03-01T08:00:00Z",
        ]
        let stored = try await running.post(
            AppBody.healthSave, AppBody.batch(units: ["count", "count"]), headers: headers)
        #expect(stored.status == 200 && stored.text("receipt_id") == "r-000001")
        #expect(stored.text("sync_run_id") == "run-1" && stored.text("idempotency_key") == "k1")
        #expect(stored.number("records_received") == 2 && stored.number("inserted") == 2)
        #expect(stored.number("records_accepted") == 2 && stored.number("skipped") == 0)
        #expect(stored.text("verification_level") == "delivery_receipt")
        #expect(stored.text("latest_sample_time") == "2026-03-01T08:00:00Z")
        let unit = try await running.post(
            "/api/apple/batch", AppBody.batch(units: ["count", "count", "furlong/fortnight"]))
        #expect(unit.status == 422 && unit.number("rejected") == 1)
        #expect(unit.number("duplicate") == 2)
        #expect((unit.json["detail"] as? [[String: Any]])?.count == 1)
        let status = try await running.get("/api/apple/status")
        let quantities = status.json["quantity_samples"] as? [String: Any]
        #expect(status.status == 200 && quantities?["count"] as? Int == 2)
        #expect(try await running.get("/api/apple/status", credential: "").status == 401)
    }

    @Test("liveness needs no token, and reports a wrong one")
    func health() async throws {
        let running = try await ReceivingServer()
        for path in ["/api/health", "/health"] {
            let alive = try await running.get(path, credential: "")
            #expect(alive.status == 200 && alive.text("status") == "ok")
            #expect(try await running.get(path).status == 200)
            #expect(try await running.get(path, credential: "X-API-Key: d1_2").status == 401)
        }
        let method = try await running.get(AppBody.autoExport)
        #expect(method.status == 405 && method.headers["allow"] == "POST")
    }

    @Test("a server that doesn’t receive asks to try again, since some apps drop data after 4xx")
    func notReceiving() async throws {
        let running = try await RunningServer()
        let answer = try await running.send(
            AppBody.openWearables, "POST", headers: ["X-API-Key: d1_2"], body: "{}")
        #expect(answer.status == 503 && answer.headers["retry-after"] == "600")
    }

    @Test("a stored request wakes the event stream of a page")
    func events() async throws {
        let running = try await ReceivingServer()
        let url = try #require(URLComponents(string: running.server.url))
        let host = "127.0.0.1:\(running.port)"
        let login = try RawClient(port: running.port)
        await login.send(
            "GET /?\(url.query ?? "") HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        let cookie = try #require(RawResponse(await login.receiveAll()).cookie)
        let events = try RawClient(port: running.port)
        await events.send("GET /events HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\r\n")
        _ = await events.receive(until: ": here")
        #expect(try await running.post(AppBody.openWearables, AppBody.sync(1)).status == 202)
        #expect(await events.receive(until: "data:").contains("event: change"))
    }

    @Test("a store that was replaced while the server runs gets the next data")
    func replacedStore() async throws {
        let running = try await ReceivingServer()
        #expect(try await running.post(AppBody.openWearables, AppBody.sync(2)).status == 202)
        let other = running.folder.path + "/other.sqlite"
        try SampleStore(at: other, access: .creating).close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: running.store + suffix)
        }
        let missing = try await running.post(AppBody.openWearables, AppBody.sync(1))
        #expect(missing.status == 503 && missing.headers["retry-after"] != nil)
        try FileManager.default.moveItem(atPath: other, toPath: running.store)
        let answer = try await running.post(AppBody.openWearables, AppBody.sync(1))
        #expect(answer.status == 202 && answer.number("accepted") == 1)
        #expect(try running.steps().count == 1)
    }

    @Test("two hundred devices at once are all stored", .inTestAll)
    func manyDevices() async throws {
        let running = try await ReceivingServer()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await running.post(
                        AppBody.openWearables, AppBody.sync(5, from: 5 * number)
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 202, count: 200))
        #expect(try running.steps() == (count: 1000, sum: 10_000))
    }
}
