import GRDB

extension Watcher {
    /// Keeps a mirror in step: each batch, its deletions and its position in one transaction.
    ///
    /// ```swift
    /// try await watcher.mirror(into: Mirror(at: file))
    /// await watcher.start()
    /// ```
    /// - Throws: ``LaneError/nameInUse(_:)`` if there is a mirror already.
    public func mirror(into mirror: Mirror) throws(LaneError) {
        try self.mirror(
            into: mirror, reconciling: nil,
            holdsAny: { type in
                try await mirror.read { db in
                    try Bool.fetchOne(
                        db,
                        sql: """
                            SELECT EXISTS (
                                SELECT 1 FROM entry WHERE type =
                                    (SELECT id FROM type WHERE identifier = ?))
                            """, arguments: [type.sampleType.identifier]) ?? false
                }
            })
    }
}
