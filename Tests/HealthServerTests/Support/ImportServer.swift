import Foundation
import HealthArchive
import HealthSimulator
import HealthStorage
import HealthTesting
import Testing

@testable import HealthServer

/// A server of a folder, at first without a store, and a browser with a session.
final class ImportServer: Sendable {
    let folder: TemporaryFolder
    let running: RunningServer
    let cookie: String
    /// The folder of the store, which doesn't exist at first.
    var data: String { folder.path + "/data" }
    var store: String { data + "/health.sqlite" }

    /// - Parameters:
    ///   - sample: A simulated person's data; nil for none.
    ///   - others: The other persons with a store.
    ///   - change: Changes the limits on uploads.
    ///   - prepare: Called with the store's path before the server begins.
    init(
        sample: SampleData? = nil, others: [StorePerson] = [],
        _ change: (inout UploadLimits) -> Void = { _ in },
        prepare: (String) throws -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        let store = folder.path + "/data/health.sqlite"
        try prepare(store)
        var surroundings = ServedStores.Surroundings(
            open: { person, shown in
                try HealthServer(
                    storeAt: person.path, timeZone: .gmt,
                    audience: .owner(commandOptions: "", shown: shown),
                    limits: RunningServer.longTimeouts)
            }, others: { others }, sample: sample)
        surroundings.limits.stallTimeout = .seconds(1800)
        change(&surroundings.limits)
        let stores = ServedStores(of: StorePerson(name: nil, path: store), surroundings)
        _ = try stores.open()
        let running = try await RunningServer { _ in
            HealthServer(stores, limits: RunningServer.longTimeouts)
        }
        self.running = running
        cookie = try await running.signIn()
    }

    // MARK: - Requests

    func get(_ target: String) async throws -> RawResponse {
        try await running.send(target, cookie: cookie)
    }

    /// Sends a form of a page with its form key.
    func post(_ target: String, _ fields: String = "") async throws -> RawResponse {
        try await running.send(
            target, "POST", cookie: cookie,
            headers: [
                "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
            ], body: "csrf=\(try await formKey())&\(fields)")
    }

    func formKey() async throws -> String {
        try #require(try await running.csrf("/persons", cookie))
    }

    /// Returns the head of an upload as the pages' script sends it.
    func uploadHead(_ count: Int, key: String, type: String = "application/zip") -> String {
        running.request(
            "/import", "POST", cookie: cookie,
            headers: [
                "Content-Type: \(type)", "Content-Length: \(count)", "X-Form-Key: \(key)",
                "Accept: application/json", "Sec-Fetch-Site: same-origin",
            ])
    }

    /// Uploads bytes as the pages' script does.
    func upload(_ bytes: [UInt8], key: String? = nil) async throws -> RawResponse {
        let key = if let key { key } else { try await formKey() }
        let client = try RawClient(port: running.port, timeout: 1800)
        await client.send(Array(uploadHead(bytes.count, key: key).utf8) + bytes)
        return RawResponse(await client.receiveAll())
    }

    /// The state of imports as a program reads it.
    func state() async throws -> RawResponse { try await get("/import.json") }

    /// Waits until the phase of imports is one of some, and returns the state.
    func wait(for phases: ImportPage.Phase...) async throws -> RawResponse {
        for _ in 0..<6000 {
            let state = try await state()
            if phases.contains(where: { $0.rawValue == state.text("phase") }) { return state }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("waited in vain for \(phases)")
        return try await state()
    }

    /// The files beside the store that uploads have left.
    var leftovers: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: data)) ?? [])
            .filter { $0.hasSuffix(".partial") }
    }

    /// Waits until no upload has a file.
    func waitForNoLeftovers() async throws {
        for _ in 0..<6000 where !leftovers.isEmpty {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(leftovers == [])
    }

    /// The number of samples in the store.
    func samples() throws -> Int {
        let store = try SampleStore(at: store, access: .reading)
        return try store.contents().types.reduce(0) { $0 + $1.samples }
    }
}

/// Exports of simulated persons.
enum SimulatedExports {
    /// A few days of a person.
    static func bytes(seed: UInt64 = 1) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/export.zip"
        try write(to: path, seed: seed)
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func write(to path: String, seed: UInt64 = 1) throws {
        let simulation = try Simulation(SimulatedPerson(seed: seed, records: 800).shortened())
        var archive = try ExportArchive(
            path: path,
            header: ExportHeader(
                locale: simulation.locale, exportDate: simulation.exportDate,
                offset: simulation.exportOffset, characteristics: simulation.characteristics))
        for batch in simulation.batches { try archive.write(batch) }
        _ = try archive.finish()
    }

    /// Imports a person's export into a store.
    static func importing(into store: String, seed: UInt64 = 1) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/export.zip"
        try write(to: path, seed: seed)
        _ = try ExportImporter(
            path: path, store: store, systemTimeZone: "America/New_York", now: 800_000_000
        ).run()
    }
}
