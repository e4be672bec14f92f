import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// A server that receives data into an empty store, with one device. It is stopped when the value
/// is released.
final class ReceivingServer: Sendable {
    let folder: TemporaryFolder
    let store: String
    let token: String
    let server: HealthServer
    var port: Int { server.port ?? 0 }

    /// - Parameter change: Changes the limits on requests.
    init(_ change: (inout Receiver.Limits) -> Void = { _ in }) async throws {
        folder = try TemporaryFolder()
        store = folder.path + "/health.sqlite"
        try SampleStore(at: store, access: .creating).close()
        let directory = try AccessDirectory.open(besideStore: store)
        token = try directory.addDevice("iPhone", at: 0).text
        var limits = Receiver.Limits()
        change(&limits)
        var connections = HealthServer.Limits.receiving
        (connections.idleTimeout, connections.stallTimeout) = (.seconds(1800), .seconds(1800))
        connections.pollingInterval = .milliseconds(20)
        server = try HealthServer(
            storeAt: store, timeZone: .gmt, limits: connections,
            receiver: try Receiver(storeAt: store, limits: limits))
        let server = server
        Task {
            do { try await server.run() } catch { Issue.record("\(error)") }
        }
        for _ in 0..<6000 where server.port == nil {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    deinit { server.end() }

    /// Posts a body with the device's token.
    func post(
        _ path: String, _ body: String, headers: [String] = [],
        credential: String? = nil
    ) async throws -> RawResponse {
        try await post(path, Array(body.utf8), headers: headers, credential: credential)
    }

    /// Posts bytes. The default credential is the device's token as a bearer token.
    func post(
        _ path: String, _ body: [UInt8], headers: [String] = [], credential: String? = nil
    ) async throws -> RawResponse {
        try await send("POST", path, body, headers: headers, credential: credential)
    }

    func get(_ path: String, credential: String? = nil) async throws -> RawResponse {
        try await send("GET", path, nil, headers: [], credential: credential)
    }

    private func send(
        _ method: String, _ path: String, _ body: [UInt8]?, headers: [String],
        credential: String?
    ) async throws -> RawResponse {
        let client = try RawClient(port: port, timeout: 1800)
        var lines = [
            "\(method) \(path) HTTP/1.1", "Host: phone.example", "Connection: close",
            credential ?? "Authorization: Bearer \(token)",
        ]
        if let body, !headers.contains("Transfer-Encoding: chunked") {
            lines.append("Content-Length: \(body.count)")
        }
        let head = (lines + headers).filter { !$0.isEmpty }.joined(separator: "\r\n") + "\r\n\r\n"
        await client.send(Array(head.utf8) + (body ?? []))
        return RawResponse(await client.receiveAll())
    }

    /// The number of step samples and their sum, read by another connection.
    func steps() throws -> (count: Int, sum: Double) {
        let store = try SampleStore(at: store, access: .reading)
        let batch = try store.samples(SampleQuery(try store.type(named: "stepCount")))
        return (batch.samples.count, batch.samples.reduce(0) { $0 + $1.value })
    }
}

/// Bodies of the apps, with step counts of one minute each.
enum AppBody {
    static let openWearables = "/api/v1/sdk/users/7/sync"
    static let autoExport = "/v1/intake/health-auto-export"
    static let exporter = "/v1/intake/open-health-exporter"
    static let healthSave = "/api/v2/apple/batch"

    private static func uuid(_ number: Int) -> String {
        let digits = String(number)
        return "AAAAAAAA-AAAA-4AAA-8AAA-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    private static func time(_ minute: Int) -> String {
        Date(timeIntervalSinceReferenceDate: 793_000_800 + Double(minute) * 60)
            .formatted(.iso8601)
    }

    /// Open Wearables: `count` samples, each of 10 steps.
    static func sync(_ count: Int, from first: Int = 0) -> String {
        let records = (first..<first + count).map { number in
            """
            {"id":"\(uuid(number))","type":"HKQuantityTypeIdentifierStepCount",\
            "startDate":"\(time(number))","endDate":"\(time(number + 1))","zoneOffset":null,\
            "source":{"appId":"com.apple.health.1","name":"iPhone","deviceName":"iPhone"},\
            "value":10,"unit":"count","parentId":null,"metadata":null}
            """
        }
        return """
            {"provider":"apple","sdkVersion":"0.13.0","syncTimestamp":"2026-03-01T08:20:00Z",\
            "data":{"workouts":[],"records":[\(records.joined(separator: ","))],"sleep":[]}}
            """
    }

    /// Open Health Exporter: one sample, as one line without header and footer.
    static func line(_ number: Int, steps: Int) -> String {
        """
        {"batchSeq":1,"end":"\(time(number + 1))",\
        "hkIdentifier":"HKQuantityTypeIdentifierStepCount","kind":"sample.quantity",\
        "metricId":"step_count","observedAt":"\(time(number + 2))","semantics":"curated",\
        "start":"\(time(number))","tzOffsetMinutes":0,"tzSource":"unknown","unit":"count",\
        "uuid":"\(uuid(number).lowercased())","v":1,"value":\(steps)}

        """
    }

    /// HealthSave: samples with a unit each.
    static func batch(units: [String]) -> String {
        let samples = units.enumerated().map { number, unit in
            """
            {"uuid":"\(uuid(number))","startDate":"\(time(number))",\
            "endDate":"\(time(number + 1))","qty":10,"unit":"\(unit)","source":"iPhone"}
            """
        }
        return """
            {"schema_version":2,"metric":"step_count","batch_index":0,"total_batches":1,\
            "samples":[\(samples.joined(separator: ","))],"deletions":[]}
            """
    }
}

extension RawResponse {
    /// The body as a JSON object.
    var json: [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8))
        return object as? [String: Any] ?? [:]
    }

    func number(_ name: String) -> Int? { json[name] as? Int }
    func text(_ name: String) -> String? { json[name] as? String }
}
