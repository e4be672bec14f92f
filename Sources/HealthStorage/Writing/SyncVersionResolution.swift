import GRDB
import HealthEngine

/// A sync identifier with its version. An identifier is unique within a source and a type
/// (Semantics §9.1).
struct SyncVersion: Hashable {
    var source: Int64
    var type: Int32
    var identifier: String
    var version: Double

    /// Returns the sync identifier and version in metadata; nil unless both are present, as a
    /// string and a number.
    static func identifierAndVersion(
        in metadata: Metadata
    ) -> (identifier: String, version: Double)? {
        guard case .string(let identifier) = metadata["HKMetadataKeySyncIdentifier"],
            case .number(let version) = metadata["HKMetadataKeySyncVersion"], !version.isNaN
        else { return nil }
        return (identifier, version)
    }
}

/// The table of stored sync identifiers, each with its version and sample.
final class SyncVersionTable {
    private enum Parameter: Int32, StatementField { case source, type, identifier }
    private enum VersionColumn: Int32, StatementField { case sample, version }
    private enum Column: Int32, StatementField {
        case source, type, identifier, version, sample
    }

    private let findRow: StoreStatement<Parameter, VersionColumn>
    private let insertRow: StoreStatement<Column, NoFields>

    init(_ db: Database) throws {
        findRow = try StoreStatement(
            db,
            "SELECT \(VersionColumn.columns) FROM sync_identifier "
                + "WHERE source = \(Parameter.source) "
                + "AND type = \(Parameter.type) AND identifier = \(Parameter.identifier)")
        insertRow = try StoreStatement(db, "INSERT INTO sync_identifier \(Column.inserted)")
    }

    func find(_ version: SyncVersion) throws -> (sample: Int64, version: Double)? {
        try findRow.bind(version.source, to: .source)
        try findRow.bind(version.type, to: .type)
        try findRow.bind(version.identifier, to: .identifier)
        defer { findRow.reset() }
        return try findRow.step() ? (findRow.int(.sample), findRow.double(.version)) : nil
    }

    func insert(_ version: SyncVersion, sample: Int64) throws {
        try insertRow.bind(version.source, to: .source)
        try insertRow.bind(version.type, to: .type)
        try insertRow.bind(version.identifier, to: .identifier)
        try insertRow.bind(version.version, to: .version)
        try insertRow.bind(sample, to: .sample)
        try insertRow.run()
    }
}

/// The samples of a batch that are ignored because an equal or higher version of the same sync
/// identifier is stored or in the batch, and the members of ignored correlations.
struct SyncVersionResolution {
    private(set) var ignored: Set<Int> = []
    /// The sync identifier and version of each sample that has them, by index in the batch.
    private(set) var versions: [Int: SyncVersion] = [:]

    init() {}

    init(
        _ batch: SampleBatch, _ table: SyncVersionTable, source: (Int32) throws -> Int64
    ) throws {
        let identified = batch.metadata.map(SyncVersion.identifierAndVersion)
        if identified.allSatisfy({ $0 == nil }) { return }
        var highest: [SyncVersion: Int] = [:]
        for (index, sample) in batch.samples.enumerated() {
            guard sample.metadata >= 0, let name = identified[Int(sample.metadata)] else {
                continue
            }
            let version = SyncVersion(
                source: try source(sample.origin), type: sample.type, identifier: name.identifier,
                version: name.version)
            versions[index] = version
            var key = version
            key.version = 0
            guard let other = highest[key] else {
                highest[key] = index
                continue
            }
            let isHigher = version.version > versions[other]?.version ?? -.infinity
            ignored.insert(isHigher ? other : index)
            if isHigher { highest[key] = index }
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
