import GRDB
import HealthEngine

extension IdentitySettlement {
    /// A source whose records reappear under one new name is the same source (house rule 7).
    ///
    /// In a newer export the old name is gone and the new one holds its records; an older export read
    /// later shows the same the other way round. Some may be missing, since people delete records in
    /// the month in which they rename a Watch: more than half must be there, with the instants at which
    /// they were saved, before the new name was ever seen; without those instants all must.
    func settleRenamedSources() throws {
        let met = Set(try writer.originCounts.keys.map { try facts.fact($0).source })
        let newSources = writer.interning.newSources
        let fresh = newSources.filter { met.contains($0) }
        if fresh.isEmpty { return }
        let known = Set(newSources).union(met)
        let absent = try Int64.readAll(
            db, sql: "SELECT id FROM source WHERE identity IS NOT NULL ORDER BY id"
        ).filter { !known.contains($0) }
        if absent.isEmpty { return }
        let extents = try extents(of: Set(absent).union(fresh))
        let former = try writer.isLatest ? [:] : formerSources(of: fresh, extents)
        var taken: Set<Int64> = []
        for old in absent {
            try writer.stopIfCancelled()
            // A source without live rows can't be told from another.
            guard let extent = extents[old] else { continue }
            let namesakes = try sources(like: spread(of: old, extent), .inFile)
            let candidates = fresh.filter { new in
                !taken.contains(new)
                    && (namesakes.contains(new) || former[new]?.contains(old) == true)
            }
            for new in candidates.prefix(IdentitySettlement.mostCandidates) {
                let forward =
                    try namesakes.contains(new)
                    && oldRecords(of: old, extent, reappearUnder: new)
                let backward =
                    try !forward && former[new]?.contains(old) == true
                    && newRecords(of: new, extents[new], stoodUnder: old)
                guard forward || backward else { continue }
                try rename(old, as: new, extents[new])
                taken.insert(new)
                break
            }
        }
    }

    // MARK: - Candidates

    /// New names that are tried for one old source; records that many sources have in common prove
    /// nothing.
    private static let mostCandidates = 8

    /// Where a source's rows lie in the table.
    struct SourceExtent {
        var first: StoredRow
        var last: Int64
    }

    private enum Side { case inFile, inStore }

    /// One pass over the table: the first and last row of some sources.
    private func extents(of sources: Set<Int64>) throws -> [Int64: SourceExtent] {
        let rows = try RawStatement(
            db, "SELECT \(StoredRow.columns) FROM sample WHERE uuid IS NULL ORDER BY sequence")
        var extents: [Int64: SourceExtent] = [:]
        var last: (origin: Int64, source: Int64)?
        while try rows.step() {
            try writer.pulse()
            let origin = rows.int(6)
            if last?.origin != origin {
                last = (origin, try facts.fact(origin).source)
            }
            guard let source = last?.source, sources.contains(source) else { continue }
            if extents[source] == nil {
                extents[source] = SourceExtent(first: StoredRow(rows), last: rows.int(0))
            }
            extents[source]?.last = rows.int(0)
        }
        return extents
    }

    /// Rows of a source from its first to its last: all of a small one, of a large one some hundreds.
    private func spread(of source: Int64, _ extent: SourceExtent) throws -> [StoredRow] {
        let next = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE sequence BETWEEN ? AND ? "
                + "AND uuid IS NULL AND origin IN (SELECT id FROM origin WHERE source = ?) "
                + "ORDER BY sequence LIMIT 1")
        let stride = max(1, (extent.last - extent.first.sequence) / 256)
        var rows = [extent.first]
        while let last = rows.last, last.sequence + stride <= extent.last {
            next.bind(last.sequence + stride, at: 1)
            next.bind(extent.last, at: 2)
            next.bind(source, at: 3)
            guard try next.step() else { break }
            rows.append(StoredRow(next))
            next.reset()
        }
        return rows
    }

    /// The sources that have a record with the type and times of one of these.
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
        return Set(try origins.map { try facts.fact($0).source })
    }

    /// For each new source those that had, before this import, a record like one of its own.
    private func formerSources(
        of fresh: [Int64], _ extents: [Int64: SourceExtent]
    ) throws -> [Int64: Set<Int64>] {
        var former: [Int64: Set<Int64>] = [:]
        for new in fresh {
            if let extent = extents[new] {
                former[new] = try sources(like: spread(of: new, extent), .inStore)
            } else if let first = try firstNested(of: new) {
                former[new] = try sources(like: [first], .inStore)
            }
        }
        return former
    }

    private func firstNested(of source: Int64) throws -> StoredRow? {
        let rows = try RawStatement(
            db,
            "SELECT rowid, type, start_time, key, end_time, created, origin, metadata, value "
                + "FROM temp.nested WHERE origin IN (SELECT id FROM origin WHERE source = ?) "
                + "ORDER BY rowid LIMIT 1")
        rows.bind(source, at: 1)
        return try rows.step() ? StoredRow(rows) : nil
    }

    // MARK: - Proof

    /// A row `b` of the other source (parameter 2) with the type and times of a row `a`.
    private static let sameTimes = """
        b.type = a.type AND b.start_time = a.start_time AND b.end_time = a.end_time
        AND b.created IS a.created AND b.origin IN (SELECT id FROM origin WHERE source = ?2)
        """

    /// Whether the stored records of one source stand in this file under another.
    private func oldRecords(
        of source: Int64, _ extent: SourceExtent, reappearUnder other: Int64
    ) throws -> Bool {
        try isProof(
            """
            SELECT a.created, EXISTS (SELECT 1 FROM sample b WHERE +b.sequence > ?3
                    AND b.uuid IS NULL AND \(sameTimes))
                OR EXISTS (SELECT 1 FROM temp.nested b WHERE \(sameTimes)) AS found
            FROM sample a
            WHERE a.sequence BETWEEN ?4 AND ?5 AND a.uuid IS NULL
                AND a.origin IN (SELECT id FROM origin WHERE source = ?1)
            """, [source, other, mark, extent.first.sequence, extent.last])
    }

    /// Whether the records that this file has of one source were stored before under another.
    private func newRecords(
        of source: Int64, _ extent: SourceExtent?, stoodUnder other: Int64
    ) throws -> Bool {
        try isProof(
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

    /// Whether so many of the records are found that both names are one source's.
    private func isProof(_ records: String, _ arguments: StatementArguments) throws -> Bool {
        let row = try CheckedRow.readOne(
            db,
            sql: "SELECT count(*), count(nullif(found, 0)), count(iif(found, created, NULL)) "
                + "FROM (\(records))", arguments: arguments)
        guard let row else { return false }
        let (all, found, saved): (Int, Int, Int) = (try row[0], try row[1], try row[2])
        return found == all || saved * 2 > all
    }

    private var sameTimes: String { IdentitySettlement.sameTimes }

    // MARK: - Renaming

    /// Gives this import's rows of `new` to `old`, whose identity stays; the name becomes an alias.
    private func rename(_ old: Int64, as new: Int64, _ extent: SourceExtent?) throws {
        let names = try [old, new].map {
            try String.readOne(db, sql: "SELECT name FROM source WHERE id = ?", arguments: [$0])
        }
        let number = try writer.interning.sourceNumber(old)
        let origins = try originsMoved(from: new, to: old)
        try moveNested(origins, number)
        if let extent { try retake(origins, number, extent) }
        for (origin, place) in origins {
            guard let count = writer.originCounts.removeValue(forKey: origin) else { continue }
            writer.originCounts[place, default: SnapshotWriter.OriginCount()].add(count)
        }
        try db.execute(sql: "DELETE FROM origin WHERE source = ?", arguments: [new])
        try db.execute(
            sql: "UPDATE source_alias SET source = ? WHERE source = ?", arguments: [old, new])
        try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [new])
        if writer.outcome.kind == .snapshot, let name = names[1] {
            try db.execute(
                sql: "UPDATE source SET name = ? WHERE id = ?", arguments: [name, old])
        }
        for origin in origins.keys { facts.forget(origin) }
        writer.outcome.renamed.append(.init(from: names[0] ?? "", to: names[1] ?? ""))
    }

    /// For each origin of one source the one that is like it but for its source.
    private func originsMoved(from new: Int64, to old: Int64) throws -> [Int64: Int64] {
        let like = try RawStatement(
            db,
            """
            SELECT b.id FROM origin a JOIN origin b ON ifnull(b.source, 0) = ?1
                AND ifnull(b.version, '') = ifnull(a.version, '')
                AND ifnull(b.device, 0) = ifnull(a.device, 0)
                AND ifnull(b.unit, 0) = ifnull(a.unit, 0)
            WHERE a.id = ?2
            """)
        let insert = try RawStatement(
            db,
            "INSERT INTO origin (source, version, device, unit) "
                + "SELECT ?1, version, device, unit FROM origin WHERE id = ?2")
        var moved: [Int64: Int64] = [:]
        for origin in try Int64.readAll(
            db, sql: "SELECT id FROM origin WHERE source = ? ORDER BY id", arguments: [new])
        {
            like.bind(old, at: 1)
            like.bind(origin, at: 2)
            var place = try like.step() ? like.int(0) : nil
            like.reset()
            if place == nil {
                insert.bind(old, at: 1)
                insert.bind(origin, at: 2)
                try insert.run()
                place = db.lastInsertedRowID
            }
            moved[origin] = place
        }
        return moved
    }

    /// How many rows are held at a time.
    private static let pageSize = 4096

    /// Takes this import's rows of a renamed source once more, under the identity it has had.
    private func retake(
        _ origins: [Int64: Int64], _ number: UInt64, _ extent: SourceExtent
    ) throws {
        let rows = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE sequence BETWEEN ? AND ? "
                + "AND uuid IS NULL ORDER BY sequence LIMIT \(IdentitySettlement.pageSize)")
        var start = extent.first.sequence
        while true {
            rows.bind(start, at: 1)
            rows.bind(extent.last, at: 2)
            var page: [StoredRow] = []
            while try rows.step() { page.append(StoredRow(rows)) }
            rows.reset()
            guard let last = page.last else { return }
            start = last.sequence + 1
            for row in page {
                guard let origin = origins[row.origin] else { continue }
                try writer.pulse()
                try retake(row, origin: origin, number)
            }
        }
    }

    private func retake(_ row: StoredRow, origin: Int64, _ number: UInt64) throws {
        var moved = row
        moved.origin = origin
        moved.key = ImportedIdentity.key(end: row.end, created: row.created, source: number)
        moved.detail = try writer.detail(of: row)
        if case .standsAlone(let old) = try writer.match(moved) {
            let kind = writer.kind(row.type)
            writer.outcome[kind].new -= 1
            writer.outcome[kind].unchanged += 1
            try note(standIn: old, for: row.sequence)
        } else {
            try set(origin: origin, key: moved.key, of: row.sequence)
        }
    }

    private func moveNested(_ origins: [Int64: Int64], _ number: UInt64) throws {
        let rows = try RawStatement(
            db,
            "SELECT rowid, end_time, created, origin FROM temp.nested WHERE rowid > ? "
                + "ORDER BY rowid LIMIT \(IdentitySettlement.pageSize)")
        let update = try RawStatement(
            db, "UPDATE temp.nested SET origin = ?, key = ? WHERE rowid = ?")
        var last: Int64 = 0
        while true {
            rows.bind(last, at: 1)
            var page: [(rowid: Int64, key: Int64, origin: Int64)] = []
            let before = last
            while try rows.step() {
                last = rows.int(0)
                guard let origin = origins[rows.int(3)] else { continue }
                let key = ImportedIdentity.key(
                    end: rows.double(1), created: rows.doubleOrNaN(2), source: number)
                page.append((last, key, origin))
            }
            rows.reset()
            if last == before { return }
            for row in page {
                update.bind(row.origin, at: 1)
                update.bind(row.key, at: 2)
                update.bind(row.rowid, at: 3)
                try update.run()
            }
        }
    }
}
