import GRDB
import HealthEngine

/// A limit on the number of sources that imports may add to a store. Known names and the Health
/// app's names are always accepted.
///
/// A merge takes time and memory for each source that is active at an instant. A file with a
/// hundred thousand names would make it unusably slow. People have some dozens.
package struct SourceQuota: Sendable {
    /// The maximum number of imported sources in a store. Names of the Health app may exceed it.
    package static let maximum = 1000

    private var names: Set<String>
    private var remaining: Int

    /// Creates the limit of an empty store.
    package init() {
        names = []
        remaining = SourceQuota.maximum
    }

    init(_ db: Database) throws {
        names = try String.readSet(db, sql: "SELECT folded FROM source_alias")
        let known = try Int.readOne(
            db, sql: "SELECT count(*) FROM source WHERE identity IS NOT NULL")
        remaining = SourceQuota.maximum - (known ?? 0)
    }

    /// Accepts a source if its name is known or the limit isn't reached, and then counts it as
    /// known.
    ///
    /// - Parameter name: The name of the source.
    /// - Returns: Whether the source is accepted. Names of the Health app always are.
    /// - Complexity: O(length of the name).
    package mutating func accept(_ name: String) -> Bool {
        let folded = StoredText.folded(name)
        if names.contains(folded) { return true }
        // The Health app is one source with a name in each language.
        guard remaining > 0 || Catalogue.isHealthAppName(folded) else { return false }
        names.insert(folded)
        remaining -= 1
        return true
    }
}

extension SnapshotWriter {
    /// Returns the current limit of the store.
    ///
    /// - Returns: The limit, with the sources of the store as known ones.
    /// - Throws: An error if the file can't be read.
    /// - Complexity: O(sources).
    package func sourceQuota() throws -> SourceQuota { try SourceQuota(db) }
}
