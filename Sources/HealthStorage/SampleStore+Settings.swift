import GRDB

extension SampleStore {
    /// What every answer depends on beside samples: the sources as they are known, their order and
    /// exclusions by type, what a program was granted, the home zone. Equal fingerprints, equal
    /// settings.
    ///
    /// - Parameter client: The program that asks; nil for one that may see everything.
    /// - Complexity: O(sources + settings + grants of the program), well under a millisecond.
    public func settingsFingerprint(for client: String? = nil) throws -> UInt64 {
        try read { db in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            func add(_ text: String) {
                for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                hash = (hash ^ 0xff) &* 0x100_0000_01b3
            }
            for sql in Self.settings {
                let statement = try RawStatement(db, sql)
                while try statement.step() { add(statement.text(0) ?? "") }
                add("")
            }
            if let client {
                let rows = try String.readAll(
                    db,
                    sql: "SELECT type || ' ' || share || ' ' || read || ' ' || ifnull(earliest, '')"
                        + " FROM authorization WHERE client = ? ORDER BY type",
                    arguments: [client])
                rows.forEach(add)
            }
            return hash
        }
    }

    /// Each answers rows of one text, in an order that is always the same.
    private static let settings = [
        "SELECT key || ' ' || value FROM store WHERE key IN ('identifier', 'homeZone') ORDER BY key",
        """
        SELECT id || ' ' || name || ' ' || bundle_identifier || ' ' || kind || ' '
            || ifnull(first_seen, '') FROM source ORDER BY id
        """,
        """
        SELECT type || ' ' || source || ' ' || ifnull(rank, '') || ' ' || ifnull(excluded, '')
            || ' ' || ifnull(reason, '') FROM source_setting ORDER BY type, source
        """,
    ]
}
