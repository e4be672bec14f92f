import GRDB
import HealthEngine

extension IdentityResolution {
    /// The columns that a nested record has in addition to those of `sample`.
    private enum NestedColumn: Int32, StatementField { case parent, detail }

    private enum AffectedColumn: Int32, StatementField { case sequence, type }
    private enum RenumberParameter: Int32, StatementField { case new, old }
    private enum CountedColumn: Int32, StatementField { case parent, isLinked }

    /// Matches each nested record, one inside a correlation or workout, with its copy at top level.
    /// Each copy is used once. A record without a copy is a sample of its own (ExportFormat §2.3).
    ///
    /// Records are processed by identity, so the rows of an identity are read only once.
    func resolveNested() throws {
        let rows = try StoreStatement<NoFields, JoinedFields<StoredRow.Column, NestedColumn>>(
            db,
            "SELECT \(StoredRow.Column.ofNested), \(NestedColumn.columns) FROM temp.nested "
                + "ORDER BY type, start_time, key, rowid")
        var group: GroupKey?
        var candidates = DuplicateCandidates()
        while try rows.step() {
            try writer.checkCancellation()
            var row = StoredRow(rows, as: JoinedFields.first)
            let parent = rows.int(.second(.parent))
            row.detail = try rows.text(.second(.detail))
            row.sequence = 0
            let own = GroupKey(row)
            if own != group {
                group = own
                // Only rows of this file. Those inserted below for nested records aren't copies.
                candidates = try DuplicateCandidates(
                    writer.group(at: own).rows.filter {
                        $0.sequence > mark || writer.seen.contains($0.sequence)
                    }, originCache)
            }
            let child: Int64
            if let duplicate = try candidates.removeMatch(for: row, originCache) {
                writer.outcome[writer.kind(row.type)].repeated += 1
                child = duplicate
            } else {
                child = try writer.matchOrInsert(row)
            }
            if parent != 0 { try note(member: child, of: parent) }
        }
    }

    /// Stores memberships. In a snapshot, a correlation or workout whose members changed gets a new
    /// sequence number.
    func resolveMemberships() throws {
        try db.execute(sql: IdentityResolution.resolveLinks)
        if writer.isFirst { return try insertNewMemberships() }
        try db.execute(sql: IdentityResolution.moveMemberships)
        try db.execute(sql: IdentityResolution.findAffected, arguments: [mark])
        if writer.outcome.kind == .snapshot {
            try rewriteAffected()
        } else {
            try countAffected()
        }
        try insertNewMemberships()
    }

    /// Replaces both ends of all links with the rows that stand in for them. Links to rows that are
    /// dropped without a replacement are left out.
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

    /// Moves memberships to the new states of changed rows. Of a changed parent, only memberships
    /// of samples that programs saved are moved; the file contains the others.
    private static let moveMemberships = """
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

    /// Finds the stored rows that stay and whose imported members differ between this file and the
    /// store.
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
        let parents = try StoreStatement<NoFields, AffectedColumn>(
            db,
            "SELECT \(AffectedColumn.columns) FROM temp.affected "
                + "CROSS JOIN sample ON sequence = parent ORDER BY parent")
        let renumber = try StoreStatement<RenumberParameter, NoFields>(
            db,
            "UPDATE sample SET sequence = \(RenumberParameter.new) "
                + "WHERE sequence = \(RenumberParameter.old)")
        // A row with changed members gets the next sequence number, so that subscribers receive it.
        // The scan is over `affected`, so it doesn't reach rows again that move to the table's end.
        while try parents.step() {
            try writer.checkCancellation()
            let sequence = parents.int(.sequence)
            let kind = writer.kind(Int32(truncatingIfNeeded: parents.int(.type)))
            writer.next += 1
            try renumber.bind(writer.next, to: .new)
            try renumber.bind(sequence, to: .old)
            try renumber.run()
            writer.outcome[kind].unchanged -= 1
            writer.outcome[kind].changed += 1
        }
    }

    /// Copies rows whose members change to `removed`, with the sequence numbers that
    /// ``rewriteAffected()`` will assign.
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

    /// Counts the rows of this file whose members differ from the stored ones as not applied. Only
    /// a complete, latest file changes memberships.
    private func countAffected() throws {
        let parents = try StoreStatement<NoFields, CountedColumn>(
            db, "SELECT \(CountedColumn.columns) FROM temp.affected ORDER BY parent")
        while try parents.step() {
            let isInFile = parents.int(.isLinked) != 0 || writer.seen.contains(parents.int(.parent))
            if isInFile { writer.outcome.notApplied += 1 }
        }
    }
}

extension StoredRow.Column {
    /// The columns of a nested record, which has a row id but no sequence number yet.
    static var ofNested: String { columns([.sequence: "rowid"]) }
}
