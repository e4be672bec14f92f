import GRDB
import HealthEngine

/// Makes a batch of rows, with metadata, structured parts and members of correlations.
struct SampleAssembly {
    private let db: Database
    private let table: SourceTable
    private let visibility: Visibility

    init(_ db: Database, _ table: SourceTable, _ visibility: Visibility) {
        self.db = db
        self.table = table
        self.visibility = visibility
    }

    func samples(_ rows: [MatchedRow]) throws -> StoredSamples {
        var batch = SampleBatch(sources: table.sources, origins: table.origins)
        var rows = rows
        let count = rows.count
        batch.parents = try addMembers(to: &rows)
        var uuids: [SampleUUID] = []
        uuids.reserveCapacity(rows.count)
        batch.samples.reserveCapacity(rows.count)
        var metadata: [Int64: Int32] = [:]
        let sets = try MetadataReader(db)
        for row in rows {
            var sample = row.sample
            if row.metadata != 0 {
                if let index = metadata[row.metadata] {
                    sample.metadata = index
                } else {
                    sample.metadata = Int32(batch.metadata.count)
                    metadata[row.metadata] = sample.metadata
                    batch.metadata.append(try sets.metadata(row.metadata))
                }
            }
            batch.samples.append(sample)
            uuids.append(row.uuid)
        }
        try addDetails(to: &batch)
        return StoredSamples(
            batch: batch, uuids: uuids, count: count,
            strangeTypes: try strangeTypes(of: batch.samples))
    }

    /// What the store knows of types that the catalogue doesn't.
    private func strangeTypes(of samples: [Sample]) throws -> [Int32: SampleType] {
        var last: Int32?
        var strange: Set<Int32> = []
        for sample in samples where sample.type != last {
            last = sample.type
            if Catalogue.type(code: sample.type) == nil { strange.insert(sample.type) }
        }
        if strange.isEmpty { return [:] }
        return try SampleStore.knownTypes(db).filter { strange.contains($0.key) }
    }

    /// Appends what correlations among the rows contain; the answer is each member's correlation, by
    /// index.
    private func addMembers(to rows: inout [MatchedRow]) throws -> [Int: Int] {
        let correlations = rows.indices.filter {
            Catalogue.type(code: rows[$0].sample.type)?.kind == .correlation
        }
        if correlations.isEmpty { return [:] }
        let members = try PreparedStatement(
            db,
            "SELECT \(MatchedRow.columns) FROM membership JOIN sample ON sequence = child "
                + "WHERE parent = ? ORDER BY start_time, type, sequence")
        var places: [Int64: Int] = [:]
        for (index, row) in rows.enumerated() { places[row.sample.sequence] = index }
        var parents: [Int: Int] = [:]
        for correlation in correlations {
            try members.forEach(rows[correlation].sample.sequence) { row in
                let row = try MatchedRow(row, table)
                if let place = places[row.sample.sequence], parents[place] == nil {
                    parents[place] = correlation
                } else {
                    parents[rows.count] = correlation
                    rows.append(row)
                }
            }
        }
        return parents
    }

    /// Looks a structured part up for every sample of the types that have any.
    private func addDetails(to batch: inout SampleBatch) throws {
        let types = try DetailReader.types(db)
        let details = try DetailReader(db)
        for (index, sample) in batch.samples.enumerated() where types.contains(sample.type) {
            if let detail = try details.detail(sample.sequence) { batch.details[index] = detail }
        }
    }
}

/// Reads structured parts one by one.
struct DetailReader {
    private let statement: PreparedStatement

    init(_ db: Database) throws {
        statement = try PreparedStatement(db, "SELECT content FROM detail WHERE sequence = ?")
    }

    /// The types of which some sample has, or had, a structured part.
    static func types(_ db: Database) throws -> Set<Int32> {
        try Int32.readSet(db, sql: "SELECT code FROM type WHERE has_details")
    }

    func detail(_ sequence: Int64) throws -> SampleDetail? {
        var detail: SampleDetail?
        try statement.forEach(sequence) { row in
            detail = try row.text(0).map(StoredText.detail(from:))
        }
        return detail
    }
}
