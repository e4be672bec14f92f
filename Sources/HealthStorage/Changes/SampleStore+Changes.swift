import Foundation
import GRDB
import HealthEngine

extension SampleStore {
    /// Returns the samples saved, imported and deleted after a sequence number (Semantics §6).
    ///
    /// ```swift
    /// let steps = SampleRequest(try store.type(named: "stepCount"))
    /// var position: Int64 = 0
    /// repeat {
    ///     let page = try store.changes([steps], after: position, sampleLimit: 100)
    ///     position = page.sequence
    /// } while try position < store.lastSequence
    /// ```
    /// A sample that was saved and deleted since then is returned only as a deletion. One that was
    /// deleted and saved again is returned only as a sample. A deletion is returned if the sample
    /// matched a request and would be visible. Conditions on data that a tombstone doesn't keep,
    /// such as the value, count as fulfilled. A sample that became visible by a grant for single
    /// objects is returned at the sequence number of the grant (Semantics §8.12).
    ///
    /// - Parameters:
    ///   - requests: The samples to return.
    ///   - sequence: The last sequence number already read; 0 for all samples and all deletions
    ///     that the store still has.
    ///   - sampleLimit: The maximum number of samples; nil for no limit. If it is reached, the
    ///     result ends at the last sample.
    ///   - tombstoneLimit: The maximum number of deletions, likewise.
    ///   - changeLimit: The maximum number of samples and deletions together, likewise.
    ///   - visibility: What the caller may read.
    /// - Returns: Samples and deletions in order, and the sequence number to continue from.
    /// - Throws: ``StoreError`` of code `invalidArgument` for a sequence number that isn't assigned
    ///   yet or is negative.
    /// - Complexity: O(changes after the number). If there are more than 20,000 and samples are not
    ///   limited, they are read by type instead: O(log n + samples of the types + deletions).
    public func changes(
        _ requests: [SampleRequest], after sequence: Int64, sampleLimit: Int? = nil,
        tombstoneLimit: Int? = nil, changeLimit: Int? = nil, visibility: Visibility = .everything
    ) throws -> StoredChanges {
        try read { db in
            let head = try SampleStore.lastSequence(db)
            guard (0...head).contains(sequence) else {
                throw StoreError(.unknownChange(sequence))
            }
            let table = try sourceTable(db)
            let reader = ChangeReader(db, requests, table, visibility, after: sequence)
            let total = changeLimit ?? .max
            var rows = try reader.samples(limit: min(sampleLimit ?? .max, total), head: head)
            var end = Int64.max
            if rows.count >= min(sampleLimit ?? .max, total) {
                end = rows.last?.position ?? sequence
            }
            let maximumDeletions = min(tombstoneLimit ?? .max, total)
            var deleted = try reader.deletions(limit: maximumDeletions, before: end)
            if deleted.count >= maximumDeletions {
                end = min(end, deleted.last?.sequence ?? sequence)
                rows.removeAll { $0.position > end }
            }
            if rows.count + deleted.count >= total {
                let numbers = (rows.map(\.position) + deleted.map(\.sequence)).sorted()
                end = total > 0 ? numbers[total - 1] : sequence
                rows.removeAll { $0.position > end }
                deleted.removeAll { $0.sequence > end }
            }
            return StoredChanges(
                samples: try SampleAssembly(db, table, visibility).samples(rows.map(\.row)),
                deleted: deleted,
                sequence: end == .max ? head : end)
        }
    }

    /// Returns the types with changes after a sequence number, and the last sequence number.
    ///
    /// - Parameter sequence: The last sequence number already read.
    /// - Returns: Type codes, and the last sequence number of the store.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(1) if there are no changes; otherwise O(changes after the number).
    public func changedTypes(after sequence: Int64) throws -> (types: Set<Int32>, sequence: Int64) {
        let head = try peek { db in try SampleStore.lastSequence(cached: db) }
        if head == sequence { return ([], head) }
        return try read { db in
            let types = try Int32.readSet(
                db,
                sql: "SELECT type FROM sample WHERE sequence > ?1 "
                    + "UNION SELECT type FROM tombstone WHERE sequence > ?1 "
                    + "UNION SELECT type FROM object_authorization WHERE sequence > ?1",
                arguments: [sequence])
            return (types, try SampleStore.lastSequence(db))
        }
    }

    /// Returns SQLite's `data_version`, which changes only when another connection or process has
    /// written.
    ///
    /// - Returns: A number that has meaning only in comparison with an earlier one of this store
    ///   object.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(1).
    package func dataVersion() throws -> Int {
        try peek { db in
            try Int.readOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        }
    }

    /// Runs `body` without a transaction, which a single statement doesn't need.
    private func peek<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors { try database.unsafeReentrantRead(body) }
    }

    private static func lastSequence(cached db: Database) throws -> Int64 {
        try Int64.readOne(
            db.cachedStatement(
                sql: "SELECT CAST(value AS INTEGER) FROM store WHERE key = 'lastSequence'")) ?? 0
    }
}

/// A scan of the changes after a sequence number.
private struct ChangeReader {
    private let db: Database
    private let table: SourceTable
    private let after: Int64
    private let matchers: [Int32: [RequestMatcher]]

    init(
        _ db: Database, _ requests: [SampleRequest], _ table: SourceTable,
        _ visibility: Visibility, after: Int64
    ) {
        self.db = db
        self.table = table
        self.after = after
        let matchers = requests.map { RequestMatcher(db, $0, table, visibility) }
            .filter { !$0.isEmpty }
        self.matchers = Dictionary(grouping: matchers) { $0.request.type.code }
    }

    /// Above this number of changes, reading by type is faster than reading in sequence order.
    private static let fewChanges: Int64 = 20_000

    /// A sample and the sequence number at which it is part of the changes.
    struct PlacedRow {
        var row: MatchedRow
        var position: Int64
    }

    /// Returns the samples that match a request, in order of their position.
    func samples(limit: Int, head: Int64) throws -> [PlacedRow] {
        if matchers.isEmpty || limit <= 0 { return [] }
        let granted = try grantedSamples()
        // A sample that was granted after it was saved is part of the changes once, at its grant.
        let rows = try storedSamples(
            limit: limit, head: head, leavingOut: Set(granted.map(\.row.sample.sequence))
        ).map { PlacedRow(row: $0, position: $0.sample.sequence) }
        if granted.isEmpty { return rows }
        return Array((rows + granted).sorted { $0.position < $1.position }.prefix(limit))
    }

    /// Returns the samples that a grant for single objects made visible after they were saved, if
    /// the grant is among the changes.
    private func grantedSamples() throws -> [PlacedRow] {
        var granted: [Int64: PlacedRow] = [:]
        var found: StoredRows?
        for matcher in matchers.values.joined() {
            for (uuid, sequence) in matcher.grant.objects ?? [:] where sequence > after {
                let rows = try found ?? StoredRows(db)
                found = rows
                guard let place = try rows.find(uuid), place.sequence < sequence,
                    place.type == matcher.request.type.code,
                    let row = try matcher.row(place.sequence), try matcher.accepts(row)
                else { continue }
                let position = matcher.grant.position(
                    of: uuid, at: place.sequence, source: place.source)
                if position > place.sequence {
                    granted[place.sequence] = PlacedRow(row: row, position: position)
                }
            }
        }
        return Array(granted.values)
    }

    private func storedSamples(
        limit: Int, head: Int64, leavingOut granted: Set<Int64>
    ) throws -> [MatchedRow] {
        if limit == .max, head - after > ChangeReader.fewChanges {
            return try samplesByType().filter { !granted.contains($0.sample.sequence) }
        }
        let statement = try StoreStatement<SingleField, MatchedRow.Column>(
            db,
            "SELECT \(MatchedRow.Column.columns) FROM sample "
                + "WHERE sequence > \(SingleField.value) ORDER BY sequence")
        try statement.bind(after, to: .value)
        var rows: [MatchedRow] = []
        while rows.count < limit, try statement.step() {
            guard let matchers = matchers[Int32(truncatingIfNeeded: statement.int(.type))] else {
                continue
            }
            let row = try MatchedRow(statement, table)
            if granted.contains(row.sample.sequence) { continue }
            if try matchers.contains(where: { try $0.accepts(row) }) { rows.append(row) }
        }
        return rows
    }

    private func samplesByType() throws -> [MatchedRow] {
        var rows: [MatchedRow] = []
        var seen: Set<Int64> = []
        for (_, matchers) in matchers {
            for matcher in matchers {
                try matcher.forEach { row in
                    if row.sample.sequence > after,
                        matchers.count == 1 || seen.insert(row.sample.sequence).inserted
                    {
                        rows.append(row)
                    }
                    return .next
                }
            }
        }
        return rows.sorted { $0.sample.sequence < $1.sample.sequence }
    }

    private enum SequenceParameter: Int32, StatementField { case after, end }
    /// Columns that `tombstone` has and `sample` lacks.
    private enum TombstoneColumn: Int32, StatementField { case memberTypes }

    /// Returns the deletions that match a request, in order of sequence number.
    ///
    /// - Parameter end: The sequence number (exclusive) at which to stop.
    func deletions(limit: Int, before end: Int64) throws -> [DeletedSample] {
        if matchers.isEmpty || limit <= 0 { return [] }
        let rows = try StoredRows(db)
        let statement = try StoreStatement<
            SequenceParameter, JoinedFields<MatchedRow.Column, TombstoneColumn>
        >(
            db,
            "SELECT \(MatchedRow.Column.ofTombstone), \(TombstoneColumn.columns) FROM tombstone "
                + "WHERE sequence > \(SequenceParameter.after) "
                + "AND sequence < \(SequenceParameter.end) "
                + "ORDER BY sequence")
        try statement.bind(after, to: .after)
        try statement.bind(end, to: .end)
        var deleted: [DeletedSample] = []
        while deleted.count < limit, try statement.step() {
            let type = Int32(truncatingIfNeeded: statement.int(.first(.type)))
            guard let matchers = matchers[type] else { continue }
            let row = try MatchedRow(statement, table, of: .tombstone, as: JoinedFields.first)
            let types = try statement.text(.second(.memberTypes)).map {
                try StoredText.decoded($0, at: "tombstone.member_types") as [Int32]
            }
            guard try matchers.contains(where: { try $0.acceptsTombstone(row, memberTypes: types) })
            else { continue }
            // Saving a UUID again deletes its tombstone. An import can restore a sample and keep
            // the tombstone.
            if row.uuid.importedIdentity != nil, try rows.find(row.uuid) != nil { continue }
            deleted.append(try sample(deletedIn: row))
        }
        return deleted
    }

    /// Returns whether an import, its undo or a complete run has removed a sample, and no deletion of
    /// HealthKit's. Samples with derived UUIDs are from imports or from formats without UUIDs.
    private func isWithdrawn(_ row: MatchedRow) throws -> Bool {
        if IntakeUUID.isOfVersion8(row.uuid) { return true }
        let sample = row.sample
        return try Int.readOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM removed WHERE type = ? AND start_time = ? AND key = ?
                        AND removed_sequence = ? AND reason <> 'deleted'
                    """),
            arguments: [sample.type, sample.start, row.uuid.savedKey, sample.sequence]) != nil
    }

    private func sample(deletedIn row: MatchedRow) throws -> DeletedSample {
        var deleted = DeletedSample(
            uuid: row.uuid, sequence: row.sample.sequence, type: row.sample.type)
        deleted.isWithdrawn = try isWithdrawn(row)
        guard row.metadata != 0 else { return deleted }
        let metadata = try SampleStore.metadata(row.metadata, db)
        if case .string(let identifier) = metadata["HKMetadataKeySyncIdentifier"] {
            deleted.syncIdentifier = identifier
        }
        if case .number(let version) = metadata["HKMetadataKeySyncVersion"] {
            deleted.syncVersion = version
        }
        return deleted
    }
}
