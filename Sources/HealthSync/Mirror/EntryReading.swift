import Foundation
import GRDB

/// Rows of the table to entries; knows each type and origin once it has met it.
struct EntryReading {
    static let columns = """
        uuid, type, start, "end", kind, value, unit, category, origin, sync_identifier,
        sync_version, metadata, state
        """

    private let db: Database
    private var types: [Int64: String] = [:]
    private var origins: [Int64: (source: String, bundle: String, device: String?)] = [:]

    init(_ db: Database) { self.db = db }

    /// The entries that a condition selects; `rest` may also order and limit them.
    mutating func all(_ rest: String, _ arguments: StatementArguments) throws -> [Entry] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.columns) FROM entry \(rest)")
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var entries: [Entry] = []
        while let row = try rows.next() { entries.append(try entry(row)) }
        return entries
    }

    /// An entry from a row of ``columns``.
    mutating func entry(_ row: Row) throws -> Entry {
        let origin = try origin(row.value(8))
        let syncIdentifier: String? = try row.optional(9)
        let syncVersion: Double? = try row.optional(10)
        return Entry(
            id: try row.value(0), type: try type(row.value(1)),
            start: Date(timeIntervalSinceReferenceDate: try row.value(2)),
            end: Date(timeIntervalSinceReferenceDate: try row.value(3)),
            content: try content(row),
            sourceName: origin.source, bundleIdentifier: origin.bundle, device: origin.device,
            metadata: try metadata(row.optional(11), syncIdentifier, syncVersion),
            syncIdentifier: syncIdentifier,
            syncVersion: syncVersion.flatMap { Int(exactly: $0.rounded(.towardZero)) },
            state: Entry.State(stored: try row.value(12)))
    }

    private func content(_ row: Row) throws -> Entry.Content {
        switch EntryKind(rawValue: try row.value(4)) {
        case .quantity:
            let value: Double? = try row.optional(5)
            return .quantity(value ?? .nan, unit: try row.optional(6) ?? "")
        case .category:
            let value: Int64? = try row.optional(7)
            return .category(Int(clamping: value ?? 0))
        case .workout:
            let value: Int64? = try row.optional(7)
            return .workout(activity: UInt(clamping: value ?? 0))
        case .some(.none), nil: return .none
        }
    }

    private func metadata(
        _ text: String?, _ syncIdentifier: String?, _ syncVersion: Double?
    ) throws -> [String: Entry.MetadataValue] {
        var metadata: [String: Entry.MetadataValue] = [:]
        if let text {
            do {
                metadata = try JSONDecoder().decode(
                    [String: Entry.MetadataValue].self, from: Data(text.utf8))
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
            db.cachedStatement(sql: "SELECT source, bundle, device FROM origin WHERE id = ?"),
            arguments: [id])
        guard let row else { throw MirrorError.corrupt("entry.origin") }
        let origin: (String, String, String?) = (
            try row.value(0), try row.value(1), try row.optional(2)
        )
        origins[id] = origin
        return origin
    }
}

extension Entry.State {
    /// Its number in the file.
    var stored: Int64 { self == .synced ? 0 : 1 }

    init(stored: Int64) { self = stored == 0 ? .synced : .notVisible }
}
