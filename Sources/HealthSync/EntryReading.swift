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
        let origin = try origin(row[8])
        let syncIdentifier: String? = row[9]
        let syncVersion: Double? = row[10]
        let metadata: String? = row[11]
        return Entry(
            id: row[0], type: try type(row[1]),
            start: Date(timeIntervalSinceReferenceDate: row[2]),
            end: Date(timeIntervalSinceReferenceDate: row[3]),
            content: content(row),
            sourceName: origin.source, bundleIdentifier: origin.bundle, device: origin.device,
            metadata: try self.metadata(metadata, syncIdentifier, syncVersion),
            syncIdentifier: syncIdentifier,
            syncVersion: syncVersion.flatMap { Int(exactly: $0.rounded(.towardZero)) },
            state: Entry.State(stored: row[12]))
    }

    private func content(_ row: Row) -> Entry.Content {
        switch EntryKind(rawValue: row[4]) {
        case .quantity:
            let value: Double? = row[5]
            return .quantity(value ?? .nan, unit: row[6] ?? "")
        case .category: return .category(Int(clamping: row[7] as Int64? ?? 0))
        case .workout: return .workout(activity: UInt(clamping: row[7] as Int64? ?? 0))
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
        origins[id] = (row[0], row[1], row[2])
        return (row[0], row[1], row[2])
    }
}

extension Entry.State {
    /// Its number in the file.
    var stored: Int64 { self == .synced ? 0 : 1 }

    init(stored: Int64) { self = stored == 0 ? .synced : .notVisible }
}
