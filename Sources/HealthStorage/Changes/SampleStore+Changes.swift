import Foundation
import GRDB
import HealthEngine

extension SampleStore {
    /// What was saved and deleted after a number of a change (Semantics §6).
    ///
    /// ```swift
    /// var last: Int64 = 0
    /// repeat {
    ///     let page = try store.changes(requests, after: last, sampleLimit: 100)
    ///     last = page.sequence
    /// } while …
    /// ```
    /// Saved and deleted in between: only the deletion comes. Deleted and saved again: only the sample
    /// does. A deletion comes if the sample was one the requests are about and could be seen; of what
    /// a tombstone has lost (value, members) the request is taken to be fulfilled.
    ///
    /// - Parameters:
    ///   - sequence: The number to begin behind; 0 for everything.
    ///   - sampleLimit: The most samples; nil for all. The answer ends with the last one.
    ///   - tombstoneLimit: The most deletions, likewise.
    ///   - changeLimit: The most samples and deletions together, likewise.
    /// - Throws: ``StoreError`` of code `invalidArgument` for a number the store has not given yet.
    /// - Complexity: O(changes after the number); O(log n + samples of the types) where there are many
    ///   and no limit.
    public func changes(
        _ requests: [SampleRequest], after sequence: Int64, sampleLimit: Int? = nil,
        tombstoneLimit: Int? = nil, changeLimit: Int? = nil, visibility: Visibility = .everything
    ) throws -> StoredChanges {
        try read { db in
            let head = try SampleStore.lastSequence(db)
            guard (0...head).contains(sequence) else {
                throw StoreError(
                    .invalidArgument, "The store has not come to the change \(sequence) yet.")
            }
            let table = try sourceTable(db)
            let walk = ChangeWalk(db, requests, table, visibility, after: sequence)
            let total = changeLimit ?? .max
            var rows = try walk.samples(limit: min(sampleLimit ?? .max, total), head: head)
            var end = Int64.max
            if rows.count >= min(sampleLimit ?? .max, total) {
                end = rows.last?.sample.sequence ?? sequence
            }
            let most = min(tombstoneLimit ?? .max, total)
            var deleted = try walk.deletions(limit: most, before: end)
            if deleted.count >= most {
                end = min(end, deleted.last?.sequence ?? sequence)
                rows.removeAll { $0.sample.sequence > end }
            }
            if rows.count + deleted.count >= total {
                let numbers = (rows.map(\.sample.sequence) + deleted.map(\.sequence)).sorted()
                end = total > 0 ? numbers[total - 1] : sequence
                rows.removeAll { $0.sample.sequence > end }
                deleted.removeAll { $0.sequence > end }
            }
            return StoredChanges(
                samples: try SampleAssembly(db, table, visibility).samples(rows), deleted: deleted,
                sequence: end == .max ? head : end)
        }
    }

    /// The types of which something was saved or deleted after a number, and the last number given.
    ///
    /// - Complexity: O(1) if nothing was, in microseconds; else O(changes after the number).
    public func changedTypes(after sequence: Int64) throws -> (types: Set<Int32>, sequence: Int64) {
        let head = try peek { db in try SampleStore.lastSequence(cached: db) }
        if head == sequence { return ([], head) }
        return try read { db in
            let types = try Int32.readSet(
                db,
                sql: "SELECT type FROM sample WHERE sequence > ?1 "
                    + "UNION SELECT type FROM tombstone WHERE sequence > ?1",
                arguments: [sequence])
            return (types, try SampleStore.lastSequence(db))
        }
    }

    /// A number that changes when another connection or process has written the file, and only then.
    ///
    /// - Complexity: O(1), in microseconds.
    public func dataVersion() throws -> Int {
        try peek { db in
            try Int.readOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        }
    }

    /// One look by a single statement, for which no transaction is needed.
    private func peek<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors { try database.unsafeRead(body) }
    }

    private static func lastSequence(cached db: Database) throws -> Int64 {
        try Int64.readOne(
            db.cachedStatement(
                sql: "SELECT CAST(value AS INTEGER) FROM store WHERE key = 'lastSequence'")) ?? 0
    }
}

/// One pass over what came after a number of a change.
private struct ChangeWalk {
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

    /// So many changes are read faster by type than in their order.
    private static let fewChanges: Int64 = 20_000

    func samples(limit: Int, head: Int64) throws -> [MatchedRow] {
        if matchers.isEmpty || limit <= 0 { return [] }
        if limit == .max, head - after > ChangeWalk.fewChanges { return try samplesByType() }
        let statement = try RawStatement(
            db, "SELECT \(MatchedRow.columns) FROM sample WHERE sequence > ? ORDER BY sequence")
        statement.bind(after, at: 1)
        var rows: [MatchedRow] = []
        while rows.count < limit, try statement.step() {
            guard let matchers = matchers[Int32(truncatingIfNeeded: statement.int(1))] else {
                continue
            }
            let row = try MatchedRow(statement, table)
            if try matchers.contains(where: { try $0.accepts(row) }) { rows.append(row) }
        }
        return rows
    }

    private func samplesByType() throws -> [MatchedRow] {
        var rows: [MatchedRow] = []
        var met: Set<Int64> = []
        for (_, matchers) in matchers {
            for matcher in matchers {
                try matcher.forEach { row in
                    if row.sample.sequence > after,
                        matchers.count == 1 || met.insert(row.sample.sequence).inserted
                    {
                        rows.append(row)
                    }
                    return .next
                }
            }
        }
        return rows.sorted { $0.sample.sequence < $1.sample.sequence }
    }

    /// - Parameter end: Deletions from this number on are left for the next page.
    func deletions(limit: Int, before end: Int64) throws -> [DeletedSample] {
        if matchers.isEmpty || limit <= 0 { return [] }
        let rows = try StoredRows(db)
        let statement = try RawStatement(
            db,
            "SELECT \(MatchedRow.tombstoneColumns), member_types FROM tombstone "
                + "WHERE sequence > ? AND sequence < ? ORDER BY sequence")
        statement.bind(after, at: 1)
        statement.bind(end, at: 2)
        var deleted: [DeletedSample] = []
        while deleted.count < limit, try statement.step() {
            guard let matchers = matchers[Int32(truncatingIfNeeded: statement.int(1))] else {
                continue
            }
            let row = try MatchedRow(statement, table, of: .tombstone)
            let types = try statement.text(10).map {
                try StoredText.decoded($0, at: "tombstone.member_types") as [Int32]
            }
            guard try matchers.contains(where: { try $0.acceptsTombstone(row, memberTypes: types) })
            else { continue }
            // Saving a UUID again retires its tombstone; an import may bring one back as well.
            if row.uuid.importedPlace != nil, try rows.find(row.uuid) != nil { continue }
            deleted.append(try sample(deletedIn: row))
        }
        return deleted
    }

    private func sample(deletedIn row: MatchedRow) throws -> DeletedSample {
        var deleted = DeletedSample(
            uuid: row.uuid, sequence: row.sample.sequence, type: row.sample.type)
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
