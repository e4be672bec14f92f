import Foundation
import GRDB
import HealthEngine
import HealthStorage
import Testing

/// A temporary store with samples added one by one.
final class RecordedStore {
    let path: String
    private let folder: URL
    private var batch = SampleBatch()
    private var exports = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("HealthServerTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("health.sqlite").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The kind of a source in an export.
    enum Device { case watch, phone, app }

    func add(
        _ type: String, _ source: String, _ start: Double, _ end: Double, _ value: Double,
        _ device: Device = .app, unit: String? = nil, created: Double? = nil
    ) throws {
        let type = try #require(Catalogue.type(named: type))
        if !batch.sources.contains(where: { $0.name == source }) {
            batch.sources.append(Source(name: source, bundleIdentifier: ""))
        }
        let index = try #require(batch.sources.firstIndex { $0.name == source })
        let hardware: HealthEngine.Device? =
            switch device {
            case .watch:
                .init(name: "Apple Watch", hardwareVersion: "Watch6,1", softwareVersion: "8")
            case .phone: .init(name: "iPhone", hardwareVersion: "iPhone14,2", softwareVersion: "15")
            case .app: nil
            }
        let origin = Origin(
            source: Int32(index), version: hardware?.softwareVersion ?? "1", device: hardware,
            unit: unit ?? type.displayUnit)
        if !batch.origins.contains(origin) { batch.origins.append(origin) }
        batch.samples.append(
            Sample(
                type: type.code,
                origin: Int32(try #require(batch.origins.firstIndex(of: origin))),
                start: start, end: end, created: created ?? end, value: value))
    }

    /// Imports all added samples as one export.
    func write(ledger: String = "{}") throws {
        exports += 1
        let description = SnapshotDescription(
            file: "export.zip", bytes: 2_345_678, exportDate: 700_000_000 + Double(exports),
            importedAt: 700_000_100)
        try SampleStore.importSnapshot(into: path, description) { writer, _ in
            for code in Set(batch.samples.map(\.type)).sorted() {
                let type = try #require(Catalogue.type(code: code))
                _ = try writer.type(identifier: type.identifier)
            }
            try writer.write(batch)
            _ = try writer.finish(.complete)
            try writer.record(ledger: ledger)
        }
    }

    func open(_ access: SampleStore.Access = .writing) throws -> SampleStore {
        try SampleStore(at: path, access: access)
    }

    /// Returns a number from the file, by SQL written for the test.
    func number(_ sql: String) throws -> Double {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try #require(try queue.read { try Double.fetchOne($0, sql: sql) })
    }

    /// Returns SQL for the code of a type.
    static func code(_ name: String) -> String {
        "(SELECT code FROM type WHERE identifier LIKE '%Identifier\(name)')"
    }
}
