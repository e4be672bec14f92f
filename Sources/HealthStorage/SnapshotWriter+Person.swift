import GRDB

extension SnapshotWriter {
    /// Whether a source of this file was known before the import, a renamed one included; true also
    /// where either side has none.
    ///
    /// To be asked after ``finish(_:)``, which finds what was renamed.
    public func sharesSources() throws -> Bool {
        let met = Set(try originCounts.keys.map { try facts.fact($0).source }).subtracting([0])
        let new = Set(interning.newSources)
        let known = try Int64.readSet(
            db,
            sql: """
                SELECT id FROM source WHERE identity IS NOT NULL
                    AND EXISTS (SELECT 1 FROM origin WHERE source = source.id)
                """
        ).subtracting(new)
        return met.isEmpty || known.isEmpty || !met.isDisjoint(with: known)
    }
}
