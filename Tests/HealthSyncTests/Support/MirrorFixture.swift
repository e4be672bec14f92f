import Foundation
import GRDB
import Testing

@testable import HealthSync
@testable import OpenHealthKit

/// Samples with the properties of stored ones, created by hand.
struct TestSample: Hashable {
    static let mass = HKQuantityType(.bodyMass)
    static let steps = HKQuantityType(.stepCount)
    static let noon = Date(timeIntervalSinceReferenceDate: 700_000_000)

    var uuid = UUID()
    var type = HKQuantityTypeIdentifier.bodyMass
    var value = 80.0
    var start = Self.noon
    var end: Date?
    var bundle = "com.example.scale"
    var sync: String?
    var version = 1
    var device: String?
    var extra: [String: String] = [:]

    var sample: HKSample {
        let quantityType = HKQuantityType(type)
        var metadata: [String: Any] = extra
        if let sync {
            metadata[HKMetadataKeySyncIdentifier] = sync
            metadata[HKMetadataKeySyncVersion] = NSNumber(value: version)
        }
        let revision = HKSourceRevision(
            source: HKSource(_name: "Scale", bundleIdentifier: bundle), version: "1")
        let device = device.map {
            HKDevice(
                name: $0, manufacturer: nil, model: nil, hardwareVersion: nil,
                firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
                udiDeviceIdentifier: nil)
        }
        return HKQuantitySample(
            _record: SampleRecord(
                uuid: uuid, sampleType: quantityType,
                start: start.timeIntervalSinceReferenceDate,
                end: (end ?? start).timeIntervalSinceReferenceDate,
                origin: SampleOrigin(sourceRevision: revision, device: device),
                metadata: metadata.isEmpty ? nil : SampleMetadata(values: metadata)),
            value: value, unit: type == .bodyMass ? .gramUnit(with: .kilo) : .count())
    }

    var tombstone: HKDeletedObject {
        HKDeletedObject(
            _uuid: uuid, syncIdentifier: sync, syncVersion: sync == nil ? nil : Double(version))
    }
}

/// Batches of one key, each continuing at the end of the previous one.
struct TestBatches {
    let key: PositionKey
    let type: HKSampleType
    private(set) var position: SyncPosition?
    private var number = 0

    init(_ type: HKSampleType = TestSample.mass, filter: String = "") {
        self.type = type
        key = PositionKey(subscriber: "mirror", type: type.identifier, filter: filter)
    }

    mutating func next(
        _ added: [TestSample] = [], deleted: [TestSample] = []
    ) -> ChangeBatch {
        number += 1
        let to = SyncPosition(
            anchor: Data("anchor \(number)".utf8), phase: .changes,
            caughtUp: TestSample.noon.addingTimeInterval(Double(number)))
        defer { position = to }
        return ChangeBatch(
            key: key, sampleType: type, origin: .changes, added: added.map(\.sample),
            deleted: deleted.map(\.tombstone), from: position, to: to)
    }
}

/// A temporary folder with a mirror's file, removed when the value is released.
final class MirrorFolder: Sendable {
    let url: URL
    var file: URL { url.appendingPathComponent("mirror.sqlite") }

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("HealthSyncTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func mirror(_ probe: SyncProbe = .none) throws -> Mirror {
        try Mirror(at: file, probe: probe)
    }
}

/// The error that a probe throws to simulate the end of the process.
struct Killed: Error {}

extension SyncProbe {
    static func killing(at step: SyncStep) -> SyncProbe {
        SyncProbe { if $0 == step { throw Killed() } }
    }
}

extension Mirror {
    func receive(_ samples: [TestSample]) async throws {
        var batches = TestBatches(filter: UUID().uuidString)
        try await receive(batches.next(samples))
    }

    func values() async throws -> [UUID: Double] {
        try await entries(EntryRequest()).reduce(into: [:]) { values, entry in
            if case .quantity(let value, _) = entry.content { values[entry.id] = value }
        }
    }

    func tombstoneUUIDs() async throws -> Set<UUID> {
        try await read { try Set(UUID.fetchAll($0, sql: "SELECT uuid FROM gone")) }
    }
}

extension Array where Element == UUID {
    /// Returns the UUIDs in a fixed order, for comparisons of unordered results.
    func sorted() -> [UUID] { sorted { $0.uuidString < $1.uuidString } }
}
