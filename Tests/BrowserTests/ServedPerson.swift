import Foundation
import HealthArchive
import HealthServer
import HealthSimulator
import HealthStorage
import Synchronization

/// A simulated person, imported into a store and served on a free port.
final class ServedPerson: Sendable {
    /// The address with the sign-in token, which works once.
    let signInAddress: String
    let store: String
    private let server: HealthServer
    private let folder: URL

    init(_ person: SimulatedPerson) async throws {
        let simulation = try Simulation(person)
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("BrowserTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = folder.appendingPathComponent("health.sqlite").path
        let export = folder.appendingPathComponent("export.zip").path
        var archive = try ExportArchive(
            path: export,
            header: ExportHeader(
                locale: simulation.locale, exportDate: simulation.exportDate,
                offset: simulation.exportOffset, characteristics: simulation.characteristics))
        for batch in simulation.batches { try archive.write(batch) }
        _ = try archive.finish()
        _ = try ExportImporter(
            path: export, store: store, systemTimeZone: person.homeTimeZone,
            now: simulation.exportDate
        ).run()
        let server = try HealthServer(storeAt: store)
        self.server = server
        signInAddress = try await ServedPerson.run(server)
    }

    deinit {
        server.end()
        try? FileManager.default.removeItem(at: folder)
    }

    var base: String { "http://127.0.0.1:\(server.port ?? 0)" }

    /// Returns an address with a new token, for another browser.
    func handover() -> String { server.handover(lasting: .seconds(600)) { _ in } }

    /// Runs a server until it is stopped. Returns its address as soon as it listens.
    private static func run(_ server: HealthServer) async throws -> String {
        let (urls, told) = AsyncThrowingStream.makeStream(of: String.self)
        Task {
            do {
                try await server.run { notice in
                    if case .listening(let url) = notice { told.yield(url) }
                }
                told.finish()
            } catch {
                told.finish(throwing: error)
            }
        }
        for try await url in urls { return url }
        throw DevTools.Failed(description: "the server ended before it listened")
    }
}

extension SimulatedPerson {
    /// Five weeks of a person with a phone and a Watch.
    static let watchWearer = SimulatedPerson(seed: 1, days: 35, records: 5_000)
}
