import Foundation
import GRDB
import HealthEngine
import HealthTesting

@testable import HealthStorage

/// A temporary store, filled by imports of handwritten batches.
final class TemporaryStore {
    let folder: URL
    let path: String
    var url: URL { URL(fileURLWithPath: path) }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("health.sqlite").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Imports a recording. Each later one is a newer export.
    @discardableResult
    func add(_ recording: Recording) throws -> SnapshotOutcome {
        try add(recording.batch, recording.types)
    }

    /// Imports a recording as an older or damaged export, which only adds samples.
    @discardableResult
    func add(
        _ recording: Recording, as kind: SnapshotOutcome.Kind
    ) throws -> SnapshotOutcome {
        try add(
            recording.batch, recording.types, kind == .partial ? .damaged : .complete,
            date: kind == .addition ? 700_000_000 : nil)
    }

    @discardableResult
    func add(
        _ batch: SampleBatch, _ types: Set<String>,
        _ completeness: SnapshotCompleteness = .complete,
        date: Double? = nil, while reading: () throws -> Void = {}
    ) throws -> SnapshotOutcome {
        exports += 1
        let description = SnapshotDescription(
            file: "export.zip", bytes: 1, exportDate: date ?? 800_000_000 + Double(exports),
            importedAt: 800_000_000)
        let outcome = try SampleStore.importSnapshot(into: path, description) { writer, _ in
            for type in types.sorted() { _ = try writer.type(identifier: type) }
            try writer.write(batch)
            try reading()
            let outcome = try writer.finish(completeness)
            try writer.record(ledger: #"{"records":{"read":0}}"#)
            return outcome
        }
        if Self.isRebuilding { try rebuild() }
        return outcome
    }

    /// Whether each store is rebuilt after an import, as from the log of a server of many people:
    /// `OPENHEALTH_STORES=rebuilt`. Everything must be as without.
    private static let isRebuilding =
        ProcessInfo.processInfo.environment["OPENHEALTH_STORES"] == "rebuilt"

    /// Replaces the file by a copy from its log. A file that the test has open stays.
    private func rebuild() throws {
        var isOpen = true
        OpenFiles.unlessOpen(at: path) { isOpen = false }
        if isOpen { return }
        let copy = path + ".copy"
        let store = try open(.reading)
        _ = try store.copyForLog(to: copy)
        try store.close()
        try SampleStore.completeLogCopy(at: copy)
        let rebuilt = try SampleStore(at: copy, access: .writing)
        try rebuilt.buildSegments()
        try rebuilt.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try FileManager.default.moveItem(atPath: copy, toPath: path)
    }

    private var exports = 0

    func open(_ access: SampleStore.Access = .writing) throws -> SampleStore {
        try SampleStore(at: path, access: access)
    }

    /// Changes the file directly, without the store.
    func damage(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}

/// Samples added one by one, as an import would receive them.
struct Recording {
    var batch = SampleBatch()
    private(set) var types: Set<String> = []

    /// The kind of a source in an export.
    enum Device {
        case watch, phone, app
    }

    /// Adds a sample. Equal sources share an origin.
    @discardableResult
    mutating func add(
        _ type: SampleType, _ source: String, _ start: Double, _ end: Double, _ value: Double,
        unit: String? = nil, device: Device = .app, created: Double? = nil
    ) -> Int {
        types.insert(type.identifier)
        let unit = unit ?? type.displayUnit
        if !batch.sources.contains(where: { $0.name == source }) {
            batch.sources.append(Source(name: source, bundleIdentifier: ""))
        }
        let index = batch.sources.firstIndex { $0.name == source } ?? 0
        let hardware: HealthEngine.Device? =
            switch device {
            case .watch:
                .init(name: "Apple Watch", hardwareVersion: "Watch6,1", softwareVersion: "8")
            case .phone: .init(name: "iPhone", hardwareVersion: "iPhone14,2", softwareVersion: "15")
            case .app: nil
            }
        let origin = Origin(
            source: Int32(index), version: hardware?.softwareVersion ?? "1", device: hardware,
            unit: unit)
        if !batch.origins.contains(origin) { batch.origins.append(origin) }
        batch.samples.append(
            Sample(
                type: type.code, origin: Int32(batch.origins.firstIndex(of: origin) ?? 0),
                start: start, end: end, created: created ?? end, value: value))
        return batch.samples.count - 1
    }
}

extension SampleType {
    /// Returns a type of the catalogue. A wrong name yields an unknown type, so that the test
    /// fails.
    static func named(_ name: String) -> SampleType {
        Catalogue.type(named: name)
            ?? SampleType(code: 1, identifier: name, name: name, kind: .other)
    }

    static let steps = named("stepCount")
    static let heartRate = named("heartRate")
    static let bodyMass = named("bodyMass")
    static let sound = named("environmentalAudioExposure")
    static let sleep = named("sleepAnalysis")
}
