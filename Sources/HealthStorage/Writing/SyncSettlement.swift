import GRDB
import HealthEngine

/// What a sync identifier is unique in: one source and one type (Semantics §9.1).
struct SyncVersion: Hashable {
    var source: Int64
    var type: Int32
    var identifier: String
    var version: Double

    /// The identifier and version that metadata name; nil unless they name both.
    static func named(in metadata: Metadata) -> (identifier: String, version: Double)? {
        guard case .string(let identifier) = metadata["HKMetadataKeySyncIdentifier"],
            case .number(let version) = metadata["HKMetadataKeySyncVersion"], !version.isNaN
        else { return nil }
        return (identifier, version)
    }
}

/// The stored versions of samples with sync identifiers.
final class SyncVersionTable {
    private let findRow: RawStatement
    private let insertRow: RawStatement

    init(_ db: Database) throws {
        findRow = try RawStatement(
            db,
            "SELECT sample, version FROM sync_identifier "
                + "WHERE source = ? AND type = ? AND identifier = ?")
        insertRow = try RawStatement(
            db,
            "INSERT INTO sync_identifier (source, type, identifier, version, sample) "
                + "VALUES (?, ?, ?, ?, ?)")
    }

    func find(_ version: SyncVersion) throws -> (sample: Int64, version: Double)? {
        findRow.bind(version.source, at: 1)
        findRow.bind(version.type, at: 2)
        try findRow.bind(version.identifier, at: 3)
        defer { findRow.reset() }
        return try findRow.step() ? (findRow.int(0), findRow.double(1)) : nil
    }

    func insert(_ version: SyncVersion, sample: Int64) throws {
        insertRow.bind(version.source, at: 1)
        insertRow.bind(version.type, at: 2)
        try insertRow.bind(version.identifier, at: 3)
        insertRow.bind(version.version, at: 4)
        insertRow.bind(sample, at: 5)
        try insertRow.run()
    }
}

/// Which samples of a batch are left out for another version of theirs.
struct SyncSettlement {
    private(set) var ignored: Set<Int> = []
    /// The versions that samples of the batch name, by index.
    private(set) var versions: [Int: SyncVersion] = [:]

    init() {}

    init(
        _ batch: SampleBatch, _ table: SyncVersionTable, source: (Int32) throws -> Int64
    ) throws {
        let named = batch.metadata.map(SyncVersion.named)
        if named.allSatisfy({ $0 == nil }) { return }
        var highest: [SyncVersion: Int] = [:]
        for (index, sample) in batch.samples.enumerated() {
            guard sample.metadata >= 0, let name = named[Int(sample.metadata)] else { continue }
            let version = SyncVersion(
                source: try source(sample.origin), type: sample.type, identifier: name.identifier,
                version: name.version)
            versions[index] = version
            var place = version
            place.version = 0
            guard let rival = highest[place] else {
                highest[place] = index
                continue
            }
            let wins = version.version > versions[rival]?.version ?? -.infinity
            ignored.insert(wins ? rival : index)
            if wins { highest[place] = index }
        }
        for index in highest.values {
            guard let version = versions[index], let stored = try table.find(version) else {
                continue
            }
            if stored.version >= version.version { ignored.insert(index) }
        }
        for (child, parent) in batch.parents where ignored.contains(parent) {
            ignored.insert(child)
        }
    }
}
