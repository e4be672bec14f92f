import Foundation
import GRDB

/// A decoder of entry rows, with a cache of types and origins. Use it within one transaction.
struct EntryReader {
    enum Column: Int, RowColumn {
        case uuid, type, start, end, kind, value, unit, category, origin, syncIdentifier
        case syncVersion, metadata, state

        var sql: String { self == .end ? #""end""# : name }
    }

    private let db: Database
    private var types: [Int64: String] = [:]
    private var origins: [Int64: (source: String, bundle: String, device: String?)] = [:]

    init(_ db: Database) { self.db = db }

    /// Returns the selected entries. `clauses` follows `FROM entry`: a WHERE clause, and possibly
    /// ORDER BY and LIMIT.
    mutating func all(_ clauses: String, _ arguments: StatementArguments) throws -> [MirrorEntry] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Column.columns) FROM entry \(clauses)")
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var entries: [MirrorEntry] = []
        while let row = try rows.next() { entries.append(try entry(row)) }
        return entries
    }

    /// Returns the entry in a row with the columns of ``Column``.
    mutating func entry(_ row: Row) throws -> MirrorEntry {
        let origin = try origin(row.value(Column.origin))
        let syncIdentifier: String? = try row.optional(Column.syncIdentifier)
        let syncVersion: Double? = try row.optional(Column.syncVersion)
        return MirrorEntry(
            id: try row.value(Column.uuid), type: try type(row.value(Column.type)),
            start: Date(timeIntervalSinceReferenceDate: try row.value(Column.start)),
            end: Date(timeIntervalSinceReferenceDate: try row.value(Column.end)),
            content: try content(row),
            sourceName: origin.source, bundleIdentifier: origin.bundle, device: origin.device,
            metadata: try metadata(row.optional(Column.metadata), syncIdentifier, syncVersion),
            syncIdentifier: syncIdentifier,
            syncVersion: syncVersion.flatMap { Int(exactly: $0.rounded(.towardZero)) },
            state: MirrorEntry.State(stored: try row.value(Column.state)))
    }

    private func content(_ row: Row) throws -> MirrorEntry.Content {
        switch EntryKind(rawValue: try row.value(Column.kind)) {
        case .quantity:
            let value: Double? = try row.optional(Column.value)
            return .quantity(value ?? .nan, unit: try row.optional(Column.unit) ?? "")
        case .category:
            let value: Int64? = try row.optional(Column.category)
            return .category(Int(clamping: value ?? 0))
        case .workout:
            let value: Int64? = try row.optional(Column.category)
            return .workout(activity: UInt(clamping: value ?? 0))
        case .some(.none), nil: return .none
        }
    }

    private func metadata(
        _ text: String?, _ syncIdentifier: String?, _ syncVersion: Double?
    ) throws -> [String: MirrorEntry.MetadataValue] {
        var metadata: [String: MirrorEntry.MetadataValue] = [:]
        if let text {
            do {
                metadata = try JSONDecoder().decode(
                    [String: MirrorEntry.MetadataValue].self, from: Data(text.utf8))
            } catch {
                throw MirrorError.corrupt("entry.metadata")
            }
        }
        if let syncIdentifier { metadata[HKMetadataKeySyncIdentifier] = .text(syncIdentifier) }
        if let syncVersion { metadata[HKMetadataKeySyncVersion] = .number(syncVersion) }
        return metadata
    }

    private mutating func type(_ id: Int64) throws -> String {
        if let type = types[id] { return type }
        let type = try String.fetchOne(
            db.cachedStatement(sql: "SELECT identifier FROM type WHERE id = ?"), arguments: [id])
        guard let type else { throw MirrorError.corrupt("entry.type") }
        types[id] = type
        return type
    }

    private mutating func origin(
        _ id: Int64
    ) throws -> (source: String, bundle: String, device: String?) {
        if let origin = origins[id] { return origin }
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(OriginColumn.columns) FROM origin WHERE id = ?"),
            arguments: [id])
        guard let row else { throw MirrorError.corrupt("entry.origin") }
        let origin: (String, String, String?) = (
            try row.value(OriginColumn.source), try row.value(OriginColumn.bundle),
            try row.optional(OriginColumn.device)
        )
        origins[id] = origin
        return origin
    }
}

/// The columns that identify an origin: the app or device that saved a sample, and the recording
/// device.
enum OriginColumn: Int, RowColumn { case source, bundle, device }

extension MirrorEntry.State {
    /// The number that is stored for the state.
    var stored: Int64 { self == .synced ? 0 : 1 }

    init(stored: Int64) { self = stored == 0 ? .synced : .notVisible }
}
