import GRDB
import HealthEngine

extension IdentityResolution {
    /// Detects renamed sources: a stored source that is absent from this file, and whose records
    /// are in the file under a name that is new to the store (Semantics §14.1).
    ///
    /// If an older export is imported after a newer one, the name that is new to the store is the
    /// older name. Some records may be missing, because people delete records. So it suffices if
    /// more than half of the records are found and have creation times. Otherwise all must be
    /// found.
    func resolveRenamedSources() throws {
        let importedSources = Set(
            try writer.originCounts.keys.map { try originCache.entry($0).source })
        let newSources = writer.interning.newSources
        let addedSources = newSources.filter { importedSources.contains($0) }
        if addedSources.isEmpty { return }
        let known = Set(newSources).union(importedSources)
        let absent = try Int64.readAll(
            db, sql: "SELECT id FROM source WHERE identity IS NOT NULL ORDER BY id"
        ).filter { !known.contains($0) }
        if absent.isEmpty { return }
        let extents = try extents(of: Set(absent).union(addedSources))
        let former = try writer.isLatest ? [:] : formerSources(of: addedSources, extents)
        var renamedSources: Set<Int64> = []
        for old in absent {
            try writer.stopIfCancelled()
            // Without stored rows, there is nothing to compare.
            guard let extent = extents[old] else { continue }
            let similarSources = try sources(like: sampledRows(of: old, extent), .inFile)
            let candidates = addedSources.filter { new in
                !renamedSources.contains(new)
                    && (similarSources.contains(new) || former[new]?.contains(old) == true)
            }
            for new in candidates.prefix(IdentityResolution.maximumCandidates) {
                let forward =
                    try similarSources.contains(new)
                    && oldRecords(of: old, extent, reappearUnder: new)
                let backward =
                    try !forward && former[new]?.contains(old) == true
                    && newRecords(of: new, extents[new], storedUnder: old)
                guard forward || backward else { continue }
                try rename(old, as: new, extents[new])
                renamedSources.insert(new)
                break
            }
        }
    }

    // MARK: - Candidates

    /// The maximum number of new names tried for one old source. Records that many sources have in
    /// common prove nothing.
    private static let maximumCandidates = 8

    /// The range of a source's rows in the table.
    struct SourceExtent {
        var first: StoredRow
        var last: Int64
    }

    private enum Side { case inFile, inStore }

    /// Returns the first imported row and its last sequence number for some sources, from one pass
    /// over the table. Sources without rows are left out.
    private func extents(of sources: Set<Int64>) throws -> [Int64: SourceExtent] {
        let rows = try StoreStatement<NoFields, StoredRow.Column>(
            db,
            "SELECT \(StoredRow.Column.columns) FROM sample WHERE uuid IS NULL ORDER BY sequence")
        var extents: [Int64: SourceExtent] = [:]
        var last: (origin: Int64, source: Int64)?
        while try rows.step() {
            try writer.checkCancellation()
            let origin = rows.int(.origin)
            if last?.origin != origin {
                last = (origin, try originCache.entry(origin).source)
            }
            guard let source = last?.source, sources.contains(source) else { continue }
            if extents[source] == nil {
                extents[source] = SourceExtent(first: StoredRow(rows), last: rows.int(.sequence))
            }
            extents[source]?.last = rows.int(.sequence)
        }
        return extents
    }

    private enum SampledParameter: Int32, StatementField { case first, last, source }

    /// Returns some of a source's imported rows, at most about 512, spread evenly over its sequence
    /// numbers.
    private func sampledRows(of source: Int64, _ extent: SourceExtent) throws -> [StoredRow] {
        let next = try StoreStatement<SampledParameter, StoredRow.Column>(
            db,
            "SELECT \(StoredRow.Column.columns) FROM sample "
                + "WHERE sequence BETWEEN \(SampledParameter.first) AND \(SampledParameter.last) "
                + "AND uuid IS NULL "
                + "AND origin IN (SELECT id FROM origin WHERE source = \(SampledParameter.source)) "
                + "ORDER BY sequence LIMIT 1")
        let stride = max(1, (extent.last - extent.first.sequence) / 256)
        var rows = [extent.first]
        while let last = rows.last, last.sequence + stride <= extent.last {
            try next.bind(last.sequence + stride, to: .first)
            try next.bind(extent.last, to: .last)
            try next.bind(source, to: .source)
            guard try next.step() else { break }
            rows.append(StoredRow(next))
            next.reset()
        }
        return rows
    }

    /// Returns the sources with a record, in this file or stored before, that has the type and the
    /// start, end and creation times of one of these rows.
    private func sources(like rows: [StoredRow], _ side: Side) throws -> Set<Int64> {
        let times = "type = ?1 AND start_time = ?2 AND end_time = ?3 AND created IS ?4"
        let sql: String
        switch side {
        case .inFile:
            sql = """
                SELECT origin FROM sample WHERE \(times) AND uuid IS NULL AND +sequence > ?5
                UNION SELECT origin FROM temp.nested WHERE \(times)
                """
        case .inStore:
            sql = """
                SELECT DISTINCT origin FROM sample
                WHERE \(times) AND uuid IS NULL AND +sequence <= ?5
                """
        }
        let statement = try db.makeStatement(sql: sql)
        var origins: Set<Int64> = []
        for row in rows {
            let created: Double? = row.created.isNaN ? nil : row.created
            origins.formUnion(
                try Int64.readAll(
                    statement, arguments: [row.type, row.start, row.end, created, mark]))
        }
        return Set(try origins.map { try originCache.entry($0).source })
    }

    /// Returns, for each new source, the sources that had a record with the type and times of one
    /// of its rows before. Only some rows are compared, see ``sampledRows(of:_:)``.
    private func formerSources(
        of addedSources: [Int64], _ extents: [Int64: SourceExtent]
    ) throws -> [Int64: Set<Int64>] {
        var former: [Int64: Set<Int64>] = [:]
        for new in addedSources {
            if let extent = extents[new] {
                former[new] = try sources(like: sampledRows(of: new, extent), .inStore)
            } else if let first = try firstNested(of: new) {
                former[new] = try sources(like: [first], .inStore)
            }
        }
        return former
    }

    private func firstNested(of source: Int64) throws -> StoredRow? {
        let rows = try StoreStatement<SingleField, StoredRow.Column>(
            db,
            "SELECT \(StoredRow.Column.ofNested) FROM temp.nested "
                + "WHERE origin IN (SELECT id FROM origin WHERE source = \(SingleField.value)) "
                + "ORDER BY rowid LIMIT 1")
        try rows.bind(source, to: .value)
        return try rows.step() ? StoredRow(rows) : nil
    }

    // MARK: - Evidence

    /// An SQL condition: row `b` belongs to the source in parameter 2 and has the type and the
    /// start, end and creation times of row `a`.
    private static let sameTimes = """
        b.type = a.type AND b.start_time = a.start_time AND b.end_time = a.end_time
        AND b.created IS a.created AND b.origin IN (SELECT id FROM origin WHERE source = ?2)
        """

    /// Returns whether enough stored records of one source are in this file under another source.
    private func oldRecords(
        of source: Int64, _ extent: SourceExtent, reappearUnder other: Int64
    ) throws -> Bool {
        try isSufficient(
            """
            SELECT a.created, EXISTS (SELECT 1 FROM sample b WHERE +b.sequence > ?3
                    AND b.uuid IS NULL AND \(sameTimes))
                OR EXISTS (SELECT 1 FROM temp.nested b WHERE \(sameTimes)) AS found
            FROM sample a
            WHERE a.sequence BETWEEN ?4 AND ?5 AND a.uuid IS NULL
                AND a.origin IN (SELECT id FROM origin WHERE source = ?1)
            """, [source, other, mark, extent.first.sequence, extent.last])
    }

    /// Returns whether enough records of one source in this file were stored under another source.
    private func newRecords(
        of source: Int64, _ extent: SourceExtent?, storedUnder other: Int64
    ) throws -> Bool {
        try isSufficient(
            """
            SELECT a.created, EXISTS (SELECT 1 FROM sample b WHERE +b.sequence <= ?3
                    AND b.uuid IS NULL AND \(sameTimes)) AS found
            FROM (
                SELECT type, start_time, end_time, created, origin FROM sample
                WHERE sequence BETWEEN ?4 AND ?5 AND uuid IS NULL
                UNION ALL SELECT type, start_time, end_time, created, origin FROM temp.nested
            ) a
            WHERE a.origin IN (SELECT id FROM origin WHERE source = ?1)
            """, [source, other, mark, extent?.first.sequence ?? 0, extent?.last ?? -1])
    }

    /// Returns whether all records are found, or more than half are found and have creation times.
    ///
    /// - Parameter records: A query with the columns `created` and `found`.
    private func isSufficient(_ records: String, _ arguments: StatementArguments) throws -> Bool {
        let row = try CheckedRow.readOne(
            db,
            sql: "SELECT count(*) AS stored, count(nullif(found, 0)) AS found, "
                + "count(iif(found, created, NULL)) AS saved FROM (\(records))",
            arguments: arguments)
        guard let row else { return false }
        let (all, found, saved): (Int, Int, Int) = (
            try row["stored"], try row["found"], try row["saved"]
        )
        return found == all || saved * 2 > all
    }

    private var sameTimes: String { IdentityResolution.sameTimes }

    // MARK: - Renaming

    /// Merges the new source `new` into the stored source `old`, because it is the same source
    /// under another name. This import's rows of `new` move to `old`, and `new` is deleted.
    ///
    /// The name of `new` becomes an alias of `old`. If this import is a snapshot, it also becomes
    /// the displayed name of `old`.
    ///
    /// - Parameter extent: The rows of `new` in `sample`; nil if it has none.
    private func rename(_ old: Int64, as new: Int64, _ extent: SourceExtent?) throws {
        let names = try [old, new].map {
            try String.readOne(db, sql: "SELECT name FROM source WHERE id = ?", arguments: [$0])
        }
        let number = try writer.interning.sourceNumber(old)
        let origins = try originsMoved(from: new, to: old)
        try moveNested(origins, number)
        if let extent { try rematch(origins, number, extent) }
        for (origin, target) in origins {
            guard let count = writer.originCounts.removeValue(forKey: origin) else { continue }
            writer.originCounts[target, default: SnapshotWriter.OriginCount()].add(count)
        }
        try db.execute(sql: "DELETE FROM origin WHERE source = ?", arguments: [new])
        try db.execute(
            sql: "UPDATE source_alias SET source = ? WHERE source = ?", arguments: [old, new])
        try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [new])
        if writer.outcome.kind == .snapshot, let name = names[1] {
            try db.execute(
                sql: "UPDATE source SET name = ? WHERE id = ?", arguments: [name, old])
        }
        for origin in origins.keys { originCache.remove(origin) }
        writer.outcome.renamed.append(.init(from: names[0] ?? "", to: names[1] ?? ""))
    }

    private enum OriginParameter: Int32, StatementField { case source, origin }

    /// Returns, for each origin of one source, the equal origin of the other source, creating it if
    /// needed.
    private func originsMoved(from new: Int64, to old: Int64) throws -> [Int64: Int64] {
        let like = try StoreStatement<OriginParameter, SingleField>(
            db,
            """
            SELECT b.id FROM origin a JOIN origin b
                ON ifnull(b.source, 0) = \(OriginParameter.source)
                AND ifnull(b.version, '') = ifnull(a.version, '')
                AND ifnull(b.device, 0) = ifnull(a.device, 0)
                AND ifnull(b.unit, 0) = ifnull(a.unit, 0)
            WHERE a.id = \(OriginParameter.origin)
            """)
        let insert = try StoreStatement<OriginParameter, NoFields>(
            db,
            "INSERT INTO origin (source, version, device, unit) "
                + "SELECT \(OriginParameter.source), version, device, unit "
                + "FROM origin WHERE id = \(OriginParameter.origin)")
        var moved: [Int64: Int64] = [:]
        for origin in try Int64.readAll(
            db, sql: "SELECT id FROM origin WHERE source = ? ORDER BY id", arguments: [new])
        {
            try like.bind(old, to: .source)
            try like.bind(origin, to: .origin)
            var target = try like.step() ? like.int(.value) : nil
            like.reset()
            if target == nil {
                try insert.bind(old, to: .source)
                try insert.bind(origin, to: .origin)
                try insert.run()
                target = db.lastInsertedRowID
            }
            moved[origin] = target
        }
        return moved
    }

    /// The number of rows in memory at a time.
    private static let pageSize = 4096

    private enum PageParameter: Int32, StatementField { case first, last }

    /// Matches this import's rows of a renamed source with the store again, with the keys that they
    /// have under the old source.
    private func rematch(
        _ origins: [Int64: Int64], _ number: UInt64, _ extent: SourceExtent
    ) throws {
        let rows = try StoreStatement<PageParameter, StoredRow.Column>(
            db,
            "SELECT \(StoredRow.Column.columns) FROM sample "
                + "WHERE sequence BETWEEN \(PageParameter.first) AND \(PageParameter.last) "
                + "AND uuid IS NULL ORDER BY sequence LIMIT \(IdentityResolution.pageSize)")
        var start = extent.first.sequence
        while true {
            try rows.bind(start, to: .first)
            try rows.bind(extent.last, to: .last)
            var page: [StoredRow] = []
            while try rows.step() { page.append(StoredRow(rows)) }
            rows.reset()
            guard let last = page.last else { return }
            start = last.sequence + 1
            for row in page {
                guard let origin = origins[row.origin] else { continue }
                try writer.checkCancellation()
                try rematch(row, origin: origin, number)
            }
        }
    }

    private func rematch(_ row: StoredRow, origin: Int64, _ number: UInt64) throws {
        var moved = row
        moved.origin = origin
        moved.detail = try writer.detail(of: row)
        moved.key = ImportedIdentity.key(
            end: row.end, created: row.created, source: number,
            content: try ClinicalIdentity.number(detail: moved.detail))
        if case .equal(let old) = try writer.match(moved) {
            let kind = writer.kind(row.type)
            writer.outcome[kind].new -= 1
            writer.outcome[kind].unchanged += 1
            try note(standIn: old, for: row.sequence)
        } else {
            try set(origin: origin, key: moved.key, of: row.sequence)
        }
    }

    private enum NestedColumn: Int32, StatementField { case rowid, endTime, created, origin }
    private enum NestedKeyParameter: Int32, StatementField { case origin, key, rowid }

    private func moveNested(_ origins: [Int64: Int64], _ number: UInt64) throws {
        let rows = try StoreStatement<SingleField, NestedColumn>(
            db,
            "SELECT \(NestedColumn.columns) FROM temp.nested WHERE rowid > \(SingleField.value) "
                + "ORDER BY rowid LIMIT \(IdentityResolution.pageSize)")
        let update = try StoreStatement<NestedKeyParameter, NoFields>(
            db,
            "UPDATE temp.nested SET origin = \(NestedKeyParameter.origin), "
                + "key = \(NestedKeyParameter.key) "
                + "WHERE rowid = \(NestedKeyParameter.rowid)")
        var last: Int64 = 0
        while true {
            try rows.bind(last, to: .value)
            var page: [(rowid: Int64, key: Int64, origin: Int64)] = []
            let before = last
            while try rows.step() {
                last = rows.int(.rowid)
                guard let origin = origins[rows.int(.origin)] else { continue }
                let key = ImportedIdentity.key(
                    end: rows.double(.endTime), created: rows.doubleOrNaN(.created),
                    source: number)
                page.append((last, key, origin))
            }
            rows.reset()
            if last == before { return }
            for row in page {
                try update.bind(row.origin, to: .origin)
                try update.bind(row.key, to: .key)
                try update.bind(row.rowid, to: .rowid)
                try update.run()
            }
        }
    }
}
