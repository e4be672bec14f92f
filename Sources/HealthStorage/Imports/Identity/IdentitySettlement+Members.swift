import GRDB
import HealthEngine

extension IdentitySettlement {
    /// Finds for each record inside a correlation or workout its twin at top level, each twin once;
    /// a record without one is a sample of its own (ExportFormat §2.3).
    ///
    /// Identity by identity, so that the rows of one are read once however many members share it.
    func settleNested() throws {
        let rows = try RawStatement(
            db,
            "SELECT rowid, type, start_time, key, end_time, created, origin, metadata, value, parent, "
                + "detail FROM temp.nested ORDER BY type, start_time, key, rowid")
        var place: GroupPlace?
        var candidates = TwinCandidates()
        while try rows.step() {
            try writer.pulse()
            var row = StoredRow(rows)
            let parent = rows.int(9)
            row.detail = rows.text(10)
            row.sequence = 0
            let own = GroupPlace(row)
            if own != place {
                place = own
                // What is taken in below belongs to a member already.
                candidates = try TwinCandidates(
                    writer.group(at: own).rows.filter {
                        $0.sequence > mark || writer.seen.contains($0.sequence)
                    }, facts)
            }
            let child: Int64
            if let twin = try candidates.take(like: row, facts) {
                writer.outcome[writer.kind(row.type)].repeated += 1
                child = twin
            } else {
                child = try writer.take(row)
            }
            if parent != 0 { try note(member: child, of: parent) }
        }
    }

    /// Writes what belongs to what; a correlation whose members changed is a change of its own.
    func settleMemberships() throws {
        try db.execute(sql: IdentitySettlement.resolveLinks)
        if writer.isFirst { return try insertNewMemberships() }
        try db.execute(sql: IdentitySettlement.giveChildrenTheirReplacements)
        try db.execute(sql: IdentitySettlement.findAffected, arguments: [mark])
        if writer.outcome.kind == .snapshot {
            try rewriteAffected()
        } else {
            try countAffected()
        }
        try insertNewMemberships()
    }

    /// Links with each end replaced by what stands for it, all at once.
    private static let resolveLinks = """
        INSERT OR IGNORE INTO temp.member (parent, child)
        SELECT iif(p.sequence IS NULL, link.parent, p.other),
               iif(c.sequence IS NULL, link.child, c.other)
        FROM temp.link
        LEFT JOIN temp.stand_in p ON p.sequence = link.parent
        LEFT JOIN temp.stand_in c ON c.sequence = link.child
        WHERE (p.sequence IS NULL OR p.other IS NOT NULL)
            AND (c.sequence IS NULL OR c.other IS NOT NULL)
        """

    /// The new version takes the old one's place among its correlation's members, and keeps what
    /// programs have associated with it.
    private static let giveChildrenTheirReplacements = """
        UPDATE OR IGNORE membership
        SET child = (SELECT replacement FROM temp.gone WHERE gone.sequence = membership.child)
        WHERE child IN (SELECT sequence FROM temp.gone WHERE reason = 'changed');
        DELETE FROM membership
        WHERE child IN (SELECT sequence FROM temp.gone WHERE reason = 'changed');
        UPDATE OR IGNORE membership
        SET parent = (SELECT replacement FROM temp.gone WHERE gone.sequence = membership.parent)
        WHERE parent IN (SELECT sequence FROM temp.gone WHERE reason = 'changed')
            AND EXISTS (SELECT 1 FROM sample c WHERE c.sequence = child AND c.uuid IS NOT NULL);
        """

    /// Imported rows that stay and whose members by this file are not those of the store.
    private static let findAffected = """
        INSERT INTO temp.affected (parent, is_linked)
        SELECT parent, EXISTS (SELECT 1 FROM temp.member m WHERE m.parent = a.parent)
        FROM (
            SELECT m.parent FROM temp.member m
            WHERE m.parent <= ?1 AND NOT EXISTS (
                SELECT 1 FROM membership x WHERE x.parent = m.parent AND x.child = m.child)
                AND NOT EXISTS (SELECT 1 FROM temp.gone WHERE gone.sequence = m.parent)
            UNION
            SELECT x.parent FROM membership x CROSS JOIN sample s ON s.sequence = x.parent
            CROSS JOIN sample c ON c.sequence = x.child
            WHERE s.uuid IS NULL AND c.uuid IS NULL AND x.parent <= ?1
                AND NOT EXISTS (SELECT 1 FROM temp.gone WHERE gone.sequence = x.parent)
                AND NOT EXISTS (
                    SELECT 1 FROM temp.member m WHERE m.parent = x.parent AND m.child = x.child)
        ) a
        """

    private func insertNewMemberships() throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO membership (parent, child) "
                + "SELECT parent, child FROM temp.member WHERE parent > ?", arguments: [mark])
    }

    private func rewriteAffected() throws {
        try keepAffected()
        try db.execute(
            sql: """
                DELETE FROM membership WHERE parent IN (SELECT parent FROM temp.affected)
                    AND NOT EXISTS (
                        SELECT 1 FROM sample c WHERE c.sequence = child AND c.uuid IS NOT NULL);
                INSERT OR IGNORE INTO membership (parent, child)
                SELECT parent, child FROM temp.member
                WHERE parent IN (SELECT parent FROM temp.affected);
                """)
        let parents = try RawStatement(
            db,
            "SELECT sequence, type FROM temp.affected CROSS JOIN sample ON sequence = parent "
                + "ORDER BY parent")
        let renumber = try RawStatement(db, "UPDATE sample SET sequence = ? WHERE sequence = ?")
        // A row whose membership changed takes the next number, so that watchers see it. Rows move
        // behind all others, so the walk never meets one twice.
        while try parents.step() {
            try writer.pulse()
            let sequence = parents.int(0)
            let kind = writer.kind(Int32(truncatingIfNeeded: parents.int(1)))
            writer.next += 1
            renumber.bind(writer.next, at: 1)
            renumber.bind(sequence, at: 2)
            try renumber.run()
            writer.outcome[kind].unchanged -= 1
            writer.outcome[kind].changed += 1
        }
    }

    /// Copies rows that only get other members to `removed`, under the numbers that
    /// ``rewriteAffected()`` is about to give them.
    private func keepAffected() throws {
        try db.execute(
            sql: """
                INSERT INTO removed (import, reason, removed_sequence, sequence, type, start_time,
                    key, end_time, created, origin, metadata, value, uuid, detail, members)
                SELECT ?1, 'changed', ?2 + row_number() OVER (ORDER BY parent), sample.sequence,
                    type, start_time, key, end_time, created, origin, metadata, value, uuid,
                    detail.content,
                    (SELECT json_group_array(child) FROM membership
                     WHERE membership.parent = sample.sequence)
                FROM temp.affected CROSS JOIN sample ON sample.sequence = parent
                LEFT JOIN detail ON detail.sequence = sample.sequence
                ORDER BY parent
                """, arguments: [writer.importID, writer.next])
    }

    /// Any other file than the newest whole one leaves memberships as they are.
    private func countAffected() throws {
        let parents = try RawStatement(
            db, "SELECT parent, is_linked FROM temp.affected ORDER BY parent")
        while try parents.step() {
            let stands = parents.int(1) != 0 || writer.seen.contains(parents.int(0))
            if stands { writer.outcome.notApplied += 1 }
        }
    }
}
