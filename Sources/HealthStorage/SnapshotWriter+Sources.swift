import Foundation
import GRDB
import HealthEngine

extension SnapshotWriter {
    // MARK: - Renamed sources

    /// A source whose records all reappear under one new name is the same source (house rule 7).
    ///
    /// In a newer export the old name is gone and the new one holds all its records; an older export
    /// read later shows the same the other way round.
    func settleRenamedSources() throws {
        let met = Set(try originCounts.keys.map { try facts.fact($0).source })
        let fresh = interning.newSources.filter { met.contains($0) }
        if fresh.isEmpty { return }
        let absent = try Int64.fetchAll(
            db,
            sql: "SELECT id FROM source WHERE identity IS NOT NULL AND id IN "
                + "(SELECT source FROM origin) ORDER BY id"
        ).filter { !met.contains($0) && !interning.newSources.contains($0) }
        var taken: Set<Int64> = []
        for old in absent {
            for new in fresh where !taken.contains(new) {
                let forward = try allOldRecords(of: old, reappearUnder: new)
                let backward =
                    !forward && !isLatest
                    ? try allNewRecords(of: new, stoodUnder: old) : false
                if forward || backward {
                    try rename(old, as: new)
                    taken.insert(new)
                    break
                }
            }
        }
    }

    /// A row `b` of the other source (parameter 2) with the type and times of a row `a`.
    private static let sameTimes = """
        b.type = a.type AND b.start_time = a.start_time AND b.end_time = a.end_time
        AND b.created IS a.created AND b.origin IN (SELECT id FROM origin WHERE source = ?2)
        """

    /// Whether each stored record of one source stands in this file under another, with the same type
    /// and times.
    private func allOldRecords(of source: Int64, reappearUnder other: Int64) throws -> Bool {
        try isNoneMissing(
            """
            SELECT count(*) AS records, ifnull(sum(
                NOT EXISTS (SELECT 1 FROM sample b WHERE b.sequence > ?3 AND b.uuid IS NULL
                            AND \(SnapshotWriter.sameTimes))
                AND NOT EXISTS (SELECT 1 FROM temp.nested b WHERE \(SnapshotWriter.sameTimes))), 0)
                AS missing
            FROM sample a
            WHERE a.origin IN (SELECT id FROM origin WHERE source = ?1)
                AND a.sequence <= ?3 AND a.uuid IS NULL
            """, source, other)
    }

    /// Whether each record that this file has of one source was stored before under another.
    private func allNewRecords(of source: Int64, stoodUnder other: Int64) throws -> Bool {
        try isNoneMissing(
            """
            SELECT count(*) AS records, ifnull(sum(
                NOT EXISTS (SELECT 1 FROM sample b WHERE b.sequence <= ?3 AND b.uuid IS NULL
                            AND \(SnapshotWriter.sameTimes))), 0) AS missing
            FROM (SELECT type, start_time, end_time, created, origin FROM sample
                  WHERE sequence > ?3 AND uuid IS NULL
                  UNION ALL SELECT type, start_time, end_time, created, origin FROM temp.nested) a
            WHERE a.origin IN (SELECT id FROM origin WHERE source = ?1)
            """, source, other)
    }

    private func isNoneMissing(_ sql: String, _ source: Int64, _ other: Int64) throws -> Bool {
        let row = try Row.fetchOne(db, sql: sql, arguments: [source, other, mark])
        let records: Int = row?["records"] ?? 0
        let missing: Int = row?["missing"] ?? 0
        return records > 0 && missing == 0
    }

    /// Gives this import's rows of `new` to `old`, whose identity stays; the name becomes an alias.
    private func rename(_ old: Int64, as new: Int64) throws {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM source WHERE id IN (?, ?) ORDER BY id = ?",
            arguments: [old, new, new])
        let number = try interning.sourceNumber(old)
        try moveNested(from: new, to: old, number: number)
        let rows = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE sequence > ? AND origin IN "
                + "(SELECT id FROM origin WHERE source = ?)")
        rows.bind(mark, at: 1)
        rows.bind(new, at: 2)
        var moved: [StoredRow] = []
        while try rows.step() { moved.append(StoredRow(rows)) }
        for row in moved {
            let key = ImportedIdentity.key(end: row.end, created: row.created, source: number)
            try db.execute(
                sql: "UPDATE sample SET origin = ?, key = ? WHERE sequence = ?",
                arguments: [try origin(row.origin, of: old), key, row.sequence])
            contested.insert(GroupPlace(type: row.type, start: row.start, base: key))
        }
        for (origin, count) in originCounts where try facts.fact(origin).source == new {
            let place = try self.origin(origin, of: old)
            originCounts[place, default: OriginCount()].add(count)
            originCounts[origin] = nil
        }
        try db.execute(sql: "DELETE FROM origin WHERE source = ?", arguments: [new])
        try db.execute(
            sql: "UPDATE source_alias SET source = ? WHERE source = ?", arguments: [old, new])
        try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [new])
        if outcome.kind == .snapshot, let name = names.last {
            try db.execute(
                sql: "UPDATE source SET name = ? WHERE id = ?", arguments: [name, old])
        }
        facts.forget()
        outcome.renamed.append(.init(from: names.first ?? "", to: names.last ?? ""))
    }

    /// The origin that is like another but for its source.
    private func origin(_ id: Int64, of source: Int64) throws -> Int64 {
        let like = try Row.fetchOne(
            db,
            sql:
                "SELECT b.id FROM origin a JOIN origin b ON b.source = ? AND b.version IS a.version "
                + "AND b.device IS a.device AND b.unit IS a.unit WHERE a.id = ?",
            arguments: [source, id])
        if let like { return like["id"] }
        try db.execute(
            sql: "INSERT INTO origin (source, version, device, unit) "
                + "SELECT ?, version, device, unit FROM origin WHERE id = ?",
            arguments: [source, id])
        return db.lastInsertedRowID
    }

    private func moveNested(from new: Int64, to old: Int64, number: UInt64) throws {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT rowid, end_time, created, origin FROM temp.nested WHERE origin IN "
                + "(SELECT id FROM origin WHERE source = ?)", arguments: [new])
        for row in rows {
            let key = ImportedIdentity.key(
                end: row["end_time"], created: row["created"] ?? .nan, source: number)
            let rowid: Int64 = row["rowid"]
            try db.execute(
                sql: "UPDATE temp.nested SET origin = ?, key = ? WHERE rowid = ?",
                arguments: [try origin(row["origin"], of: old), key, rowid])
        }
    }

    // MARK: - What sources are

    /// Recognises devices and the Health app among the sources first met here, and gives every new
    /// source its derived bundle identifier (house rule 8).
    func describeSources() throws {
        var evidence: [Int64: SourceEvidence] = [:]
        for (origin, count) in originCounts {
            let fact = try facts.fact(origin)
            if fact.source == 0 { continue }
            let device = try Row.fetchOne(
                db, sql: "SELECT hardware, software FROM device WHERE id = ?",
                arguments: [fact.device])
            evidence[fact.source, default: SourceEvidence()].add(
                samples: count.samples, firstSeen: count.firstSeen, version: fact.version,
                hardware: device?["hardware"], software: device?["software"])
        }
        for (source, evidence) in evidence.sorted(by: { $0.key < $1.key }) {
            try db.execute(
                sql: "UPDATE source SET first_seen = min(ifnull(first_seen, ?1), ?1) WHERE id = ?2",
                arguments: [evidence.firstSeen, source])
        }
        for source in interning.newSources {
            let identity = try String.fetchOne(
                db, sql: "SELECT identity FROM source WHERE id = ?", arguments: [source])
            guard let identity else { continue }
            let description = (evidence[source] ?? SourceEvidence()).description(identity: identity)
            try db.execute(
                sql: "UPDATE source SET bundle_identifier = ?, kind = ?, hardware = ? WHERE id = ?",
                arguments: [
                    description.bundleIdentifier, description.kind.rawValue, description.hardware,
                    source,
                ])
        }
    }

    /// Sets sources of day totals aside for the types this file brought, and remembers which were new.
    func setDayTotalsAside() throws {
        let sql = "SELECT type, source FROM source_setting WHERE excluded = 1"
        func excluded() throws -> Set<[Int64]> {
            Set(try Row.fetchAll(db, sql: sql).map { [$0["type"], $0["source"]] })
        }
        let before = try excluded()
        let types = longTypes.sorted().compactMap { Catalogue.type(code: $0) }
        try SampleStore.setDayTotalsAside(types: types, db)
        for pair in try excluded().subtracting(before).sorted(by: {
            $0.lexicographicallyPrecedes($1)
        }) {
            let row = try Row.fetchOne(
                db, sql: "SELECT name, bundle_identifier FROM source WHERE id = ?",
                arguments: [pair[1]])
            outcome.dayTotals.append(
                .init(
                    type: Catalogue.type(code: Int32(pair[0]))?.identifier ?? "",
                    source: row?["name"] ?? "", bundleIdentifier: row?["bundle_identifier"] ?? ""))
        }
    }
}

/// What a file's records tell of the source that wrote them.
struct SourceEvidence {
    private(set) var firstSeen = Double.infinity
    /// Records measured with Apple's hardware, and those among them whose source has the version of
    /// the device's own software: the device itself wrote them, not an app on it.
    private var onDevice = 0
    private var byDevice: [String: Int] = [:]

    struct Description {
        var bundleIdentifier: String
        var kind: SourceTable.Kind
        var hardware: String?
    }

    mutating func add(
        samples: Int, firstSeen: Double, version: String?, hardware: String?, software: String?
    ) {
        self.firstSeen = min(self.firstSeen, firstSeen)
        guard let hardware, SourceEvidence.kind(ofHardware: hardware) != nil else { return }
        onDevice += samples
        if let version, let software, version == software {
            byDevice[hardware, default: 0] += samples
        }
    }

    func description(identity: String) -> Description {
        if Catalogue.isHealthAppName(identity) {
            return Description(bundleIdentifier: "com.apple.Health", kind: .health, hardware: nil)
        }
        let matching = byDevice.values.reduce(0, +)
        let usual = byDevice.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        if let usual, matching * 2 > onDevice, let kind = SourceEvidence.kind(ofHardware: usual) {
            let uuid = SourceEvidence.uuid(identity, usual)
            return Description(
                bundleIdentifier: "com.apple.health.\(uuid)", kind: kind, hardware: usual)
        }
        let number = ImportedIdentity.sourceNumber(identity: identity)
        let digits = String(number >> 32, radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return Description(
            bundleIdentifier: "imported.\(SourceEvidence.slug(identity)).\(padded)", kind: .other,
            hardware: nil)
    }

    static func kind(ofHardware hardware: String) -> SourceTable.Kind? {
        if hardware.hasPrefix("Watch") { return .watch }
        if hardware.hasPrefix("iPhone") { return .phone }
        if hardware.hasPrefix("iPod") { return .pod }
        return nil
    }

    private static func slug(_ name: String) -> String {
        let plain = name.lowercased().unicodeScalars.map { scalar -> Character in
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                ? Character(scalar) : "-"
        }
        let slug = String(plain).split(separator: "-").joined(separator: "-")
        return slug.isEmpty ? "source" : String(slug.prefix(40))
    }

    private static func uuid(_ identity: String, _ hardware: String) -> String {
        let high = ImportedIdentity.sourceNumber(identity: identity + "\u{0}" + hardware)
        let low = ImportedIdentity.sourceNumber(identity: hardware + "\u{0}" + identity)
        return ImportedIdentity.text(
            (high & ~0xF000 | 0x8000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000))
    }
}
