import GRDB
import HealthEngine

/// Builds a batch from rows, with metadata, details and members of correlations.
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
            uncataloguedTypes: try uncataloguedTypes(of: batch.samples))
    }

    /// Returns the stored types of samples that are not in the catalogue.
    private func uncataloguedTypes(of samples: [Sample]) throws -> [Int32: SampleType] {
        var last: Int32?
        var uncatalogued: Set<Int32> = []
        for sample in samples where sample.type != last {
            last = sample.type
            if Catalogue.type(code: sample.type) == nil { uncatalogued.insert(sample.type) }
        }
        if uncatalogued.isEmpty { return [:] }
        return try SampleStore.knownTypes(db).filter { uncatalogued.contains($0.key) }
    }

    /// Appends the members of correlations, unless they are among the rows. Returns the index of
    /// each member's correlation, by index of the member. A member of several correlations is
    /// appended once more for each further one.
    private func addMembers(to rows: inout [MatchedRow]) throws -> [Int: Int] {
        let correlations = rows.indices.filter {
            Catalogue.type(code: rows[$0].sample.type)?.kind == .correlation
        }
        if correlations.isEmpty { return [:] }
        let members = try PreparedStatement<MatchedRow.Column>(
            db,
            "SELECT \(MatchedRow.Column.columns) FROM membership "
                + "JOIN sample ON sequence = child "
                + "WHERE parent = \(SingleField.value) ORDER BY start_time, type, sequence")
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

    /// Reads the details of every sample whose type can have details.
    private func addDetails(to batch: inout SampleBatch) throws {
        let types = try DetailReader.types(db)
        let details = try DetailReader(db)
        for (index, sample) in batch.samples.enumerated() where types.contains(sample.type) {
            if let detail = try details.detail(sample.sequence) { batch.details[index] = detail }
        }
    }
}

/// Reads details by sequence number with one prepared statement.
struct DetailReader {
    private let statement: PreparedStatement<SingleField>

    init(_ db: Database) throws {
        statement = try PreparedStatement(
            db, "SELECT content FROM detail WHERE sequence = \(SingleField.value)")
    }

    /// Returns the codes of the types whose samples can have details, including types whose samples
    /// with details were deleted.
    static func types(_ db: Database) throws -> Set<Int32> {
        try Int32.readSet(db, sql: "SELECT code FROM type WHERE has_details")
    }

    func detail(_ sequence: Int64) throws -> SampleDetail? {
        var detail: SampleDetail?
        try statement.forEach(sequence) { row in
            detail = try row.text(.value).map(StoredText.detail(from:))
        }
        return detail
    }
}
