import Foundation
import GRDB
import HealthEngine

/// Decides which sources of devices are sources of the exports, and makes one of the two.
///
/// An export identifies a source by its name, a device by its bundle identifier. Two sources are
/// one only if that is proven (Semantics §15.4). Otherwise they stay two: sums are still right,
/// because statistics merge sources, but counts and averages may hold duplicates, which a report
/// says.
struct SourceUnification {
    /// A received source and the exported one that may be the same.
    struct Candidate {
        var received: Int64
        var exported: Int64
        var hasSameName: Bool
    }

    /// How many samples of two sources match.
    struct Proof {
        /// The number of received samples in the time that the exported source covers.
        var rows = 0
        var matched = 0
        /// The number of days of these samples.
        var days = 0

        func isSufficient(hasSameName: Bool) -> Bool {
            if rows >= 50, days >= 2 { return matched * 100 >= rows * 98 }
            return hasSameName && rows > 0 && matched == rows
        }
    }

    private let db: Database
    private let candidates: TwinCandidates

    init(_ db: Database) throws {
        self.db = db
        candidates = try TwinCandidates(db)
    }

    /// Unifies all sources for which that is proven now.
    ///
    /// - Parameter received: The sequence numbers of a request's samples. Sources of which it has
    ///   none in the time of the export are skipped: their proof is the same as before. Nil for
    ///   all sources.
    /// - Returns: The ids of the sources that remain of them.
    func run(_ received: ClosedRange<Int64>? = nil) throws -> [Int64] {
        var unified: [Int64] = []
        for candidate in try pairs() {
            if let received, try !hasEvidence(received, candidate) { continue }
            let proof = try proof(candidate)
            try record(candidate, proof)
            if proof.isSufficient(hasSameName: candidate.hasSameName) {
                try unify(candidate)
                unified.append(candidate.exported)
            }
        }
        return unified
    }

    /// The received sources with the only exported source of equal folded name, else of equal
    /// hardware if no other one has it.
    private func pairs() throws -> [Candidate] {
        let received = try CheckedRow.readAll(
            db,
            sql: """
                SELECT DISTINCT source.id, source.name, source.hardware FROM source
                JOIN origin ON origin.source = source.id
                WHERE source.identity IS NULL AND origin.route IS NOT NULL ORDER BY source.id
                """)
        if received.isEmpty { return [] }
        var pairs: [Candidate] = []
        for row in received {
            let id: Int64 = try row["id"]
            let byName = try Int64.readOne(
                db,
                sql: "SELECT source FROM source_alias JOIN source ON source.id = source "
                    + "WHERE folded = ? AND identity IS NOT NULL",
                arguments: [StoredText.folded(try row["name"])])
            if let byName {
                pairs.append(Candidate(received: id, exported: byName, hasSameName: true))
                continue
            }
            let hardware: String? = try row["hardware"]
            let others = try Int64.readAll(
                db, sql: "SELECT id FROM source WHERE hardware = ? AND id <> ? ORDER BY id",
                arguments: [hardware, id])
            guard hardware != nil, others.count == 1 else { continue }
            let identity = try String.readOne(
                db, sql: "SELECT identity FROM source WHERE id = ?", arguments: [others[0]])
            if identity == nil { continue }
            pairs.append(Candidate(received: id, exported: others[0], hasSameName: false))
        }
        return pairs
    }

    /// Returns whether samples can change the proof of a candidate, or none is recorded. Of removed
    /// samples, the newest are looked at: `removed` has no index of sequence numbers.
    private func hasEvidence(
        _ received: ClosedRange<Int64>, _ candidate: Candidate
    ) throws -> Bool {
        let known = try Int.readOne(
            db,
            sql: "SELECT 1 FROM source_match JOIN source USING (bundle_identifier) "
                + "WHERE source.id = ? AND imported = ?",
            arguments: [candidate.received, candidate.exported])
        if known == nil { return true }
        let types = try CheckedRow.readAll(
            db,
            sql: """
                SELECT sent.type, min(start_time) AS first, max(start_time) AS last FROM (
                    SELECT type, start_time, origin FROM sample WHERE sequence BETWEEN ?1 AND ?2
                    UNION ALL
                    SELECT type, start_time, origin FROM removed
                    WHERE id > (SELECT max(id) FROM removed) - ?4 AND sequence BETWEEN ?1 AND ?2
                ) sent
                JOIN origin ON origin.id = sent.origin WHERE origin.source = ?3 GROUP BY sent.type
                """,
            arguments: [
                received.lowerBound, received.upperBound, candidate.received,
                SourceUnification.maximumRows,
            ])
        for row in types {
            let (type, first, last): (Int32, Double, Double) =
                (try row["type"], try row["first"], try row["last"])
            let overlapping = try Int.readOne(
                db,
                sql: """
                    SELECT 1 FROM sample JOIN origin ON origin.id = sample.origin
                    WHERE sample.type = ?1 AND start_time >= ?2 - 1 AND origin.source = ?4
                        AND uuid IS NULL
                        AND EXISTS (SELECT 1 FROM sample JOIN origin ON origin.id = sample.origin
                            WHERE sample.type = ?1 AND start_time <= ?3 + 1
                                AND origin.source = ?4 AND uuid IS NULL)
                    LIMIT 1
                    """, arguments: [type, first, last, candidate.exported])
            if overlapping != nil { return true }
        }
        return false
    }

    /// The maximum number of samples of a type that a proof compares: the newest ones.
    private static let maximumRows = 20_000

    private func proof(_ candidate: Candidate) throws -> Proof {
        var proof = Proof()
        var days: Set<Double> = []
        for window in try windows(candidate) {
            var exportedWindow = window
            exportedWindow.source = candidate.exported
            exportedWindow.from -= 1
            exportedWindow.to += 1
            let received = try candidates.received(window).filter(hasOwnUUID)
            let exported = try candidates.exported(exportedWindow)
            let pairs = TwinMatching.pairs(received, exported)
            proof.rows += received.count
            proof.matched += pairs.count
            days.formUnion(received.map(day))
            // An export from before a deletion has the sample, a later one doesn't. So a deleted
            // sample without a twin proves nothing.
            let taken = Set(pairs.map(\.exported))
            let deleted = try candidates.deleted(window).filter(hasOwnUUID)
            let former = TwinMatching.pairs(
                deleted, exported.indices.filter { !taken.contains($0) }.map { exported[$0] })
            proof.rows += former.count
            proof.matched += former.count
            days.formUnion(former.map { day(deleted[$0.received]) })
        }
        proof.days = days.count
        return proof
    }

    private func hasOwnUUID(_ sample: TwinCandidate) -> Bool {
        sample.uuid.map { !IntakeUUID.isDerived($0) } ?? false
    }

    private func day(_ sample: TwinCandidate) -> Double { (sample.start / 86_400).rounded(.down) }

    /// The types of both sources, each with the time in which both could have samples.
    private func windows(_ candidate: Candidate) throws -> [TwinCandidates.Window] {
        let types = try Int32.readAll(
            db,
            sql: """
                SELECT type.code FROM type WHERE EXISTS (
                    SELECT 1 FROM sample JOIN origin ON origin.id = sample.origin
                    WHERE sample.type = type.code AND origin.source = ?1)
                OR EXISTS (
                    SELECT 1 FROM removed JOIN origin ON origin.id = removed.origin
                    WHERE removed.type = type.code AND origin.source = ?1
                        AND removed.reason = 'deleted')
                ORDER BY type.code
                """, arguments: [candidate.received])
        var windows: [TwinCandidates.Window] = []
        for type in types {
            let range = try CheckedRow.readOne(
                db,
                sql: """
                    SELECT min(start_time) AS first, max(start_time) AS last FROM sample
                    JOIN origin ON origin.id = sample.origin
                    WHERE type = ? AND origin.source = ? AND uuid IS NULL
                    """, arguments: [type, candidate.exported])
            let first: Double? = try range?["first"]
            let last: Double? = try range?["last"]
            guard var from = first, let to = last else { continue }
            let newest = try Double.readOne(
                db,
                sql: """
                    SELECT start_time FROM sample JOIN origin ON origin.id = sample.origin
                    WHERE type = ? AND start_time <= ? AND origin.source = ? AND uuid IS NOT NULL
                    ORDER BY start_time DESC LIMIT 1 OFFSET ?
                    """,
                arguments: [type, to, candidate.received, SourceUnification.maximumRows])
            if let newest { from = max(from, newest) }
            windows.append(
                TwinCandidates.Window(type: type, source: candidate.received, from: from, to: to))
        }
        return windows
    }

    private func record(_ candidate: Candidate, _ proof: Proof) throws {
        try db.executeKept(
            sql: """
                INSERT OR REPLACE INTO source_match (bundle_identifier, imported, rows, matched,
                    days, is_unified)
                SELECT bundle_identifier, ?, ?, ?, ?, ? FROM source WHERE id = ?
                """,
            arguments: [
                candidate.exported, proof.rows, proof.matched, proof.days,
                proof.isSufficient(hasSameName: candidate.hasSameName), candidate.received,
            ])
    }

    // MARK: - Unifying

    /// Gives the exported source the bundle identifier of the received one, and moves everything of
    /// that one to it.
    private func unify(_ candidate: Candidate) throws {
        let arguments: StatementArguments = [candidate.received, candidate.exported]
        try moveOrigins(candidate)
        let statements = [
            """
            UPDATE source SET derivation = 'given',
                bundle_identifier = (SELECT bundle_identifier FROM source WHERE id = ?1),
                kind = CASE WHEN kind = 'other'
                    THEN (SELECT kind FROM source WHERE id = ?1) ELSE kind END,
                hardware = ifnull(hardware, (SELECT hardware FROM source WHERE id = ?1)),
                first_seen = nullif(min(ifnull(first_seen, 1e12),
                    ifnull((SELECT first_seen FROM source WHERE id = ?1), 1e12)), 1e12)
            WHERE id = ?2
            """,
            "UPDATE OR IGNORE source_setting SET source = ?2 WHERE source = ?1",
            "UPDATE OR IGNORE sync_identifier SET source = ?2 WHERE source = ?1",
            "DELETE FROM source_setting WHERE source = ?1 AND ?2 = ?2",
            "DELETE FROM sync_identifier WHERE source = ?1 AND ?2 = ?2",
            "DELETE FROM source WHERE id = ?1 AND ?2 = ?2",
        ]
        for sql in statements { try db.executeKept(sql: sql, arguments: arguments) }
    }

    private func moveOrigins(_ candidate: Candidate) throws {
        let origins = try Int64.readAll(
            db, sql: "SELECT id FROM origin WHERE source = ?", arguments: [candidate.received])
        for origin in origins {
            try db.executeKept(
                sql: "UPDATE OR IGNORE origin SET source = ? WHERE id = ?",
                arguments: [candidate.exported, origin])
            if db.changesCount > 0 { continue }
            try mergeOrigin(origin, into: candidate.exported)
        }
    }

    /// Moves the samples of an origin to the equal origin of another source.
    private func mergeOrigin(_ origin: Int64, into source: Int64) throws {
        let equal = try Int64.readOne(
            db,
            sql: """
                SELECT other.id FROM origin JOIN origin other ON other.source = ?2
                    AND other.version IS origin.version AND other.device IS origin.device
                    AND other.unit IS origin.unit AND other.product_type IS origin.product_type
                    AND other.operating_system IS origin.operating_system
                    AND other.route IS origin.route
                WHERE origin.id = ?1
                """, arguments: [origin, source])
        guard let equal else { throw StoreError.damaged("origin.source") }
        for table in ["sample", "removed", "tombstone"] {
            try db.executeKept(
                sql: "UPDATE \(table) SET origin = ? WHERE origin = ?", arguments: [equal, origin])
        }
        try db.executeKept(sql: "DELETE FROM origin WHERE id = ?", arguments: [origin])
    }
}
