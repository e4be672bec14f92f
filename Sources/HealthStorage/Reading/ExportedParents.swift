import GRDB
import HealthEngine

/// The membership of samples in the correlations and workouts of an export with
/// ``ExportedMembership/withParents``, where a member is exported in the batch of its parent.
struct ExportedParents {
    private let selection: ExportSelection
    /// The type codes, comma-separated, of the selection's correlations and workouts.
    private let parentTypes: String
    /// The type codes, comma-separated, of all other types of the store, which can be members.
    private let memberTypes: String

    init(_ selection: ExportSelection, _ db: Database) throws {
        self.selection = selection
        let selected = try SampleStore.types(of: selection, db)
        let known = try SampleStore.knownTypes(db).values
        func list(_ types: [SampleType]) -> String {
            types.map { String($0.code) }.sorted().joined(separator: ",")
        }
        parentTypes = list(selected.filter { ExportedParents.isParent($0) })
        memberTypes = list(known.filter { !ExportedParents.isParent($0) })
    }

    private static func isParent(_ type: SampleType) -> Bool {
        type.kind == .correlation || type.kind == .workout
    }

    private enum Parameter: Int32, StatementField { case from, to, sequences }
    private enum Column: Int32, StatementField { case child, parent }

    /// Returns the parent with which each of some samples is exported, by the sample's sequence
    /// number. Of several parents in the selection, it is the first correlation, otherwise the
    /// first workout, by sequence number.
    ///
    /// `CROSS JOIN` and unary `+` make SQLite start with the few memberships of the batch instead
    /// of all samples of some types.
    private func parents(where condition: String, _ batch: SampleBatch, _ db: Database) throws
        -> [Int64: Int64]
    {
        let workout = Catalogue.type(named: "workout")?.code ?? 0
        let rows = try StoreStatement<Parameter, Column>(
            db,
            """
            SELECT \(Column.columns) FROM membership
            CROSS JOIN sample AS holder ON holder.sequence = parent
            CROSS JOIN sample AS member ON member.sequence = child
            WHERE \(condition) AND +holder.type IN (\(parentTypes))
                AND +member.type IN (\(memberTypes))
                AND +holder.start_time < \(Parameter.to)
                AND (holder.end_time > \(Parameter.from) OR holder.start_time >= \(Parameter.from))
            ORDER BY child, holder.type = \(workout), parent
            """)
        try rows.bind(selection.from, to: .from)
        try rows.bind(selection.to, to: .to)
        try rows.bind(SampleStore.sequences(batch), to: .sequences)
        var parents: [Int64: Int64] = [:]
        while try rows.step() {
            let child = rows.int(.child)
            if parents[child] == nil { parents[child] = rows.int(.parent) }
        }
        return parents
    }

    /// Removes the samples that are exported in the batch of their correlation or workout.
    func removeMembers(from batch: inout SampleBatch, _ db: Database) throws {
        let parents = try parents(
            where: "child IN (SELECT value FROM json_each(\(Parameter.sequences)))", batch, db)
        if parents.isEmpty { return }
        let remaining = batch.samples.indices.filter { parents[batch.samples[$0].sequence] == nil }
        let details = batch.details
        batch.details = [:]
        for (new, old) in remaining.enumerated() { batch.details[new] = details[old] }
        batch.samples = remaining.map { batch.samples[$0] }
    }

    /// Appends the samples that are exported with a correlation or workout of the batch.
    func addMembers(to batch: inout SampleBatch, _ table: SourceTable, _ db: Database) throws {
        let parents = try parents(
            where: "child IN (SELECT child FROM membership "
                + "WHERE parent IN (SELECT value FROM json_each(\(Parameter.sequences))))",
            batch, db)
        var places: [Int64: Int] = [:]
        for (index, sample) in batch.samples.enumerated() { places[sample.sequence] = index }
        let members = parents.filter { places[$0.value] != nil }
        if members.isEmpty { return }
        let rows = try PreparedStatement<MatchedRow.Column>(
            db,
            "SELECT \(MatchedRow.Column.columns) FROM sample WHERE sequence = \(SingleField.value)")
        var sets: [Int64: Int32] = [:]
        for member in members.keys.sorted() {
            var found: MatchedRow?
            try rows.forEach(member) { found = try MatchedRow($0, table) }
            guard let row = found, let parent = members[member] else { continue }
            var sample = row.sample
            if row.metadata != 0 {
                if sets[row.metadata] == nil {
                    sets[row.metadata] = Int32(batch.metadata.count)
                    batch.metadata.append(try SampleStore.metadata(row.metadata, db))
                }
                sample.metadata = sets[row.metadata] ?? -1
            }
            batch.parents[batch.samples.count] = places[parent]
            batch.samples.append(sample)
        }
        try SampleStore.addDetails(to: &batch, db)
    }
}
