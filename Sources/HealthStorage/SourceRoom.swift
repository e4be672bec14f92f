import GRDB
import HealthEngine

/// Which sources an export may bring into a store: those that are known, and new ones until there are
/// too many.
///
/// Merging takes time and memory for each source that is active at a moment, so that a file of a
/// hundred thousand names would never come to an end. People have some dozens.
public struct SourceRoom: Sendable {
    /// The most sources that exports may bring into one store.
    public static let most = 1000

    private var names: Set<String>
    private var left: Int

    /// The room of an empty store.
    public init() {
        names = []
        left = SourceRoom.most
    }

    init(_ db: Database) throws {
        names = try String.readSet(db, sql: "SELECT folded FROM source_alias")
        let known = try Int.readOne(
            db, sql: "SELECT count(*) FROM source WHERE identity IS NOT NULL")
        left = SourceRoom.most - (known ?? 0)
    }

    /// Whether there is room for a source of this name, which then has its place.
    public mutating func take(_ name: String) -> Bool {
        let folded = StoredText.folded(name)
        if names.contains(folded) { return true }
        // The Health app is one source under the names of all languages.
        guard left > 0 || Catalogue.isHealthAppName(folded) else { return false }
        names.insert(folded)
        left -= 1
        return true
    }
}

extension SnapshotWriter {
    /// The room for sources as it is now.
    public func sourceRoom() throws -> SourceRoom { try SourceRoom(db) }
}
