import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// Bodies that are damaged, too large or hostile: a typed answer, and nothing half-stored.
@Suite(.serialized) struct BadBodyTests {
    @Test("a type or character set other than JSON in UTF-8 is 415")
    func contentTypes() async throws {
        let running = try await ReceivingServer()
        let types = [
            ("application/json", 200), ("application/json; charset=UTF-8", 200),
            ("application/json;charset=\"utf-8\"", 200), ("text/plain", 200),
            ("application/json; charset=iso-8859-1", 415), ("multipart/form-data; boundary=x", 415),
            ("text/csv", 415), ("application/x-www-form-urlencoded", 415),
        ]
        for (type, status) in types {
            let answer = try await running.post(
                AppBody.autoExport, "{\"data\":{}}", headers: ["Content-Type: " + type])
            #expect(answer.status == status, "\(type)")
        }
        let coding = try await running.post(
            AppBody.autoExport, "{\"data\":{}}", headers: ["Content-Encoding: br"])
        #expect(coding.status == 415 && coding.text("error") == "content_encoding")
    }

    /// Returns gzip data that Python made.
    private func gzip(_ expression: String) throws -> [UInt8] {
        let text = try Python.run(
            "import gzip,base64; print(base64.b64encode(gzip.compress(\(expression))).decode())")
        return [UInt8](try #require(Data(base64Encoded: text)))
    }

    @Test("gzip is decoded; truncated or damaged gzip is 400 and a bomb 413", .comparedWithPython)
    func gzipBodies() async throws {
        let running = try await ReceivingServer()
        let header = ["Content-Encoding: gzip"]
        let body = AppBody.sync(50)
        let packed = try gzip("'''\(body)'''.encode()")
        #expect(packed.count < body.utf8.count)
        for cut in [0, 1, 10, packed.count / 2, packed.count - 1] {
            let answer = try await running.post(
                AppBody.openWearables, Array(packed[..<cut]), headers: header)
            #expect(answer.status == 400 && answer.text("error") == "gzip", "\(cut)")
        }
        for place in [0, packed.count - 6] {
            var damaged = packed
            damaged[place] ^= 0xFF
            let answer = try await running.post(AppBody.openWearables, damaged, headers: header)
            #expect(answer.status == 400 && answer.text("error") == "gzip", "\(place)")
        }
        let bomb = try await running.post(
            AppBody.openWearables, try gzip("b' ' * 8000000"), headers: header)
        #expect(bomb.status == 413 && bomb.text("error") == "too_large")
        #expect(try running.steps().count == 0)
        let answer = try await running.post(AppBody.openWearables, packed, headers: header)
        #expect(answer.status == 202 && answer.number("accepted") == 50)
    }

    @Test("a body above the limit is 413, whether or not its length is stated")
    func largeBodies() async throws {
        let running = try await ReceivingServer { $0.body.encodedBytes = 2_000 }
        let body = AppBody.sync(20)
        #expect(try await running.post(AppBody.openWearables, body).status == 413)
        let length = String(body.utf8.count, radix: 16)
        let chunked = try await running.post(
            AppBody.openWearables, "\(length)\r\n\(body)\r\n0\r\n\r\n",
            headers: ["Transfer-Encoding: chunked"])
        #expect(chunked.status == 413 && chunked.text("error") == "too_large")
        #expect(try await running.post(AppBody.openWearables, AppBody.sync(1)).status == 202)
        #expect(try running.steps().count == 1)
    }

    @Test("text that isn’t the format’s JSON is 400, and too deep JSON 413")
    func otherTexts() async throws {
        let running = try await ReceivingServer()
        let bodies: [(String, Int, String)] = [
            ("", 400, "json"), ("hello", 400, "format"), ("{", 400, "json"),
            (String(AppBody.sync(2).dropLast(3)), 400, "json"), ("[]", 400, "format"),
            ("{\"a\":1}", 400, "format"),
            ("{\"data\":{\"records\":[{\"value\":NaN}]}}", 400, "json"),
            (AppBody.sync(1).replacing("\"apple\"", with: "\"google\""), 400, "provider"),
            (
                "{\"data\":" + String(repeating: "[", count: 10_000)
                    + String(repeating: "]", count: 10_000) + "}", 413, "too_large"
            ),
        ]
        for (body, status, error) in bodies {
            let answer = try await running.post(AppBody.openWearables, body)
            #expect(answer.status == status, "\(body.prefix(40)) \(answer.body)")
            #expect(answer.text("error") == error, "\(body.prefix(40))")
        }
        #expect(try running.steps().count == 0)
    }

    @Test("bytes that aren’t UTF-8 are refused, and no answer repeats a value of the body")
    func otherBytes() async throws {
        let running = try await ReceivingServer()
        var bytes = Array(AppBody.sync(1).replacing("iPhone", with: "Secret8214").utf8)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "S")))
        bytes[place] = 0xFF
        let answer = try await running.post(AppBody.openWearables, bytes)
        #expect(answer.status == 400 || answer.number("rejected") == 1)
        #expect(!answer.text.contains("ecret8214"))
        let huge = AppBody.sync(2).replacing("\"value\":10", with: "\"value\":1e400")
        let number = try await running.post(AppBody.openWearables, huge)
        #expect(number.status == 202 && number.number("rejected") == 2, "\(number.body)")
        #expect(try running.steps().count == 0)
    }

    @Test("a body that ends before its stated length is not stored, also if its lines are whole")
    func cutBodies() async throws {
        let running = try await ReceivingServer()
        let lines = AppBody.line(0, steps: 7) + AppBody.line(1, steps: 8)
        let client = try RawClient(port: running.port)
        await client.send(
            "POST \(AppBody.exporter) HTTP/1.1\r\nHost: x\r\nX-API-Key: \(running.token)\r\n"
                + "Idempotency-Key: k\r\nContent-Length: \(lines.utf8.count)\r\n\r\n"
                + AppBody.line(0, steps: 7))
        await client.finishSending()
        _ = await client.receiveAll()
        #expect(try running.steps().count == 0)
        let whole = try await running.post(
            AppBody.exporter, lines, headers: ["Idempotency-Key: k"])
        #expect(whole.status == 200 && whole.number("accepted") == 2)
    }

    @Test("a full queue is 503 with a time to retry")
    func fullQueue() async throws {
        let running = try await ReceivingServer { $0.requests = 0 }
        let answer = try await running.post(AppBody.openWearables, AppBody.sync(1))
        #expect(answer.status == 503 && answer.text("error") == "queue_full")
        #expect(answer.headers["retry-after"] == "10")
        let devices = try AccessDirectory.open(besideStore: running.store).devices()
        #expect(devices.first?.contacts.first?.status == 503)
    }

    @Test("a busy store is 503, and the same body is stored later", .inTestAll)
    func busyStore() async throws {
        let running = try await ReceivingServer { $0.busyPeriod = 0.2 }
        let lock = try WriteLock(on: running.store)
        let busy = try await running.post(AppBody.openWearables, AppBody.sync(1))
        #expect(busy.status == 503 && busy.text("error") == "busy")
        #expect(busy.headers["retry-after"] == "30")
        try lock.release()
        try await Task.sleep(for: .milliseconds(300))
        let answer = try await running.post(AppBody.openWearables, AppBody.sync(1))
        #expect(answer.status == 202 && answer.number("accepted") == 1)
    }

    @Test("bodies leave no file behind, and the device’s list says what came")
    func noFiles() async throws {
        let running = try await ReceivingServer()
        _ = try await running.post(AppBody.openWearables, "{")
        _ = try await running.post(AppBody.openWearables, AppBody.sync(2))
        let names = try FileManager.default.contentsOfDirectory(atPath: running.folder.path)
        #expect(!names.contains { $0.contains("body") }, "\(names)")
        let device = try #require(
            try AccessDirectory.open(besideStore: running.store).devices().first)
        let contact = try #require(device.contacts.first)
        #expect(contact.dialect == "open-wearables" && contact.requests == 2)
        #expect(contact.outcome.counts == ["accepted": 2] && contact.outcome.problem == nil)
        let end: Double? = 793_000_920
        #expect(device.lastSampleEnd == end)
    }
}
