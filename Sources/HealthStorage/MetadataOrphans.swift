import GRDB

/// Texts and numbers that nothing in the store names any more.
enum MetadataOrphans {
    /// Takes out metadata that no sample, removed sample or tombstone has, and devices and units of no
    /// origin: what was removed is not to stay behind as a text without an owner.
    ///
    /// - Complexity: O(samples + metadata).
    static func forget(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM metadata WHERE id NOT IN (
                    SELECT metadata FROM sample WHERE metadata IS NOT NULL
                    UNION SELECT metadata FROM removed WHERE metadata IS NOT NULL
                    UNION SELECT metadata FROM tombstone WHERE metadata IS NOT NULL);
                DELETE FROM device WHERE id NOT IN (
                    SELECT device FROM origin WHERE device IS NOT NULL);
                DELETE FROM unit WHERE id NOT IN (
                    SELECT unit FROM origin WHERE unit IS NOT NULL);
                """)
    }
}
