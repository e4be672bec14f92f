import GRDB
import HealthEngine

/// Which correlation or workout of a selection holds a sample: the one in whose batch it goes out.
struct Holding {
    private let selection: ExportSelection
    /// Codes of the types that may hold something, and of those that may be held.
    private let holders: String
    private let held: String

    init(_ selection: ExportSelection, _ db: Database) throws {
        self.selection = selection
        let chosen = try SampleStore.types(of: selection, db)
        let known = try SampleStore.knownTypes(db).values
        func list(_ types: [SampleType]) -> String {
            types.map { String($0.code) }.sorted().joined(separator: ",")
        }
        holders = list(chosen.filter { Holding.holds($0) })
        held = list(known.filter { !Holding.holds($0) })
    }

    private static func holds(_ type: SampleType) -> Bool {
        type.kind == .correlation || type.kind == .workout
    }

    /// By sample, what holds it, among some samples that are held.
    ///
    /// The joins are crossed and types have their sign, so that SQLite begins with the few members
    /// of the batch and not with all samples of some types.
    private func holders(where condition: String, _ batch: SampleBatch, _ db: Database) throws
        -> [Int64: Int64]
    {
        let workout = Catalogue.type(named: "workout")?.code ?? 0
        let rows = try RawStatement(
            db,
            """
            SELECT child, parent FROM membership
            CROSS JOIN sample AS holder ON holder.sequence = parent
            CROSS JOIN sample AS member ON member.sequence = child
            WHERE \(condition) AND +holder.type IN (\(holders)) AND +member.type IN (\(held))
                AND +holder.start_time < ?2
                AND (holder.end_time > ?1 OR holder.start_time >= ?1)
            ORDER BY child, holder.type = \(workout), parent
            """)
        rows.bind(selection.from, at: 1)
        rows.bind(selection.to, at: 2)
        try rows.bind(SampleStore.sequences(batch), at: 3)
        var holders: [Int64: Int64] = [:]
        while try rows.step() {
            if holders[rows.int(0)] == nil { holders[rows.int(0)] = rows.int(1) }
        }
        return holders
    }

    /// Takes out what goes out with its correlation or workout.
    func removeMembers(from batch: inout SampleBatch, _ db: Database) throws {
        let held = try holders(
            where: "child IN (SELECT value FROM json_each(?3))", batch, db)
        if held.isEmpty { return }
        let kept = batch.samples.indices.filter { held[batch.samples[$0].sequence] == nil }
        let details = batch.details
        batch.details = [:]
        for (new, old) in kept.enumerated() { batch.details[new] = details[old] }
        batch.samples = kept.map { batch.samples[$0] }
    }

    /// Appends what goes out with the batch's correlations or workouts.
    func addMembers(to batch: inout SampleBatch, _ table: SourceTable, _ db: Database) throws {
        let held = try holders(
            where: "child IN (SELECT child FROM membership "
                + "WHERE parent IN (SELECT value FROM json_each(?3)))", batch, db)
        var places: [Int64: Int] = [:]
        for (index, sample) in batch.samples.enumerated() { places[sample.sequence] = index }
        let members = held.filter { places[$0.value] != nil }
        if members.isEmpty { return }
        let rows = try PreparedStatement(
            db, "SELECT \(MatchedRow.columns) FROM sample WHERE sequence = ?")
        var sets: [Int64: Int32] = [:]
        for member in members.keys.sorted() {
            var found: MatchedRow?
            try rows.forEach(member) { found = try MatchedRow($0, table) }
            guard let row = found, let holder = members[member] else { continue }
            var sample = row.sample
            if row.metadata != 0 {
                if sets[row.metadata] == nil {
                    sets[row.metadata] = Int32(batch.metadata.count)
                    batch.metadata.append(try SampleStore.metadata(row.metadata, db))
                }
                sample.metadata = sets[row.metadata] ?? -1
            }
            batch.parents[batch.samples.count] = places[holder]
            batch.samples.append(sample)
        }
        try SampleStore.addDetails(to: &batch, db)
    }
}
