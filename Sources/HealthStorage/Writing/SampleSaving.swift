import GRDB
import HealthEngine

/// One save, inside its transaction.
///
/// ```
/// 1. resolve  find samples with equal sync identifiers, within the batch and against the store
/// 2. insert   insert each remaining sample; a sample that it replaces leaves a tombstone first
/// 3. members  write memberships within the batch and in the given parent
/// ```
final class SampleSaving {
    private let db: Database
    private let batch: SampleBatch
    private let uuids: [SampleUUID]
    private let created: Double
    private let interning: Interning
    private let rows: StoredRows
    private let removal: SampleRemoval
    private let versions: SyncVersionTable
    private let insertRow: StoreStatement<RowColumn, NoFields>
    private let insertDetail: StoreStatement<StoredRow.DetailColumn, NoFields>
    private let deleteTombstone: StoreStatement<SingleField, NoFields>
    private let insertMember: StoreStatement<Membership, NoFields>
    private var origins: [Int32: (id: Int64, source: Int64)] = [:]
    private var metadata: [Int32: Int64] = [:]
    private var detailedTypes: Set<Int32> = []
    private var firstSeen: [Int64: Double] = [:]
    /// The sequence numbers of the inserted samples, by index in the batch; 0 for ignored samples.
    private var sequences: [Int64]
    private var resolution = SyncVersionResolution()

    private typealias RowColumn = JoinedFields<StoredRow.Column, OwnColumn>
    /// Columns that imported rows leave empty.
    private enum OwnColumn: Int32, StatementField { case uuid }

    init(_ db: Database, _ batch: SampleBatch, _ uuids: [SampleUUID], _ created: Double) throws {
        self.db = db
        self.batch = batch
        self.uuids = uuids
        self.created = created
        interning = try Interning(db)
        rows = try StoredRows(db)
        removal = try SampleRemoval(db)
        versions = try SyncVersionTable(db)
        insertRow = try StoreStatement(db, "INSERT INTO sample \(RowColumn.inserted)")
        insertDetail = try StoreStatement(
            db, "INSERT INTO detail \(StoredRow.DetailColumn.inserted)")
        deleteTombstone = try StoreStatement(
            db, "DELETE FROM tombstone WHERE uuid = \(SingleField.value)")
        insertMember = try StoreStatement(
            db, "INSERT OR IGNORE INTO membership \(Membership.inserted)")
        sequences = Array(repeating: 0, count: batch.samples.count)
    }

    func run(associatedWith parent: SampleUUID?) throws -> SaveOutcome {
        let before = removal.last
        try registerTypes()
        resolution = try SyncVersionResolution(batch, versions) { try self.origin($0).source }
        let savedIndices = batch.samples.indices.filter { !resolution.ignored.contains($0) }
        for index in savedIndices where try rows.find(uuids[index]) != nil {
            throw StoreError(.invalidBatch(.storedUUID(uuids[index])))
        }
        for index in savedIndices { try insert(index) }
        try writeMemberships(associatedWith: parent)
        try describeSources()
        for type in detailedTypes {
            try db.execute(
                sql: "UPDATE type SET has_details = 1 WHERE code = ?", arguments: [type])
        }
        try removal.finish()
        return SaveOutcome(
            ignored: resolution.ignored, firstSequence: before + 1, lastSequence: removal.last,
            types: Set(savedIndices.map { batch.samples[$0].type }))
    }

    /// Inserts the rows of the batch's types that are missing. Throws for a type that neither the
    /// catalogue nor the store has.
    private func registerTypes() throws {
        for code in Set(batch.samples.map(\.type)) {
            if let type = Catalogue.type(code: code) {
                try SampleStore.register(type, db)
            } else if try Int.readOne(
                db, sql: "SELECT 1 FROM type WHERE code = ?", arguments: [code]) == nil
            {
                throw StoreError(.unknownTypeCode(code))
            }
        }
    }

    // MARK: - Rows

    private func insert(_ index: Int) throws {
        let (sample, uuid) = (batch.samples[index], uuids[index])
        let origin = try origin(sample.origin)
        var memberships: SampleRemoval.Memberships?
        if let version = resolution.versions[index], let old = try versions.find(version) {
            memberships = try removal.replace(old.sample)
        }
        let moment = sample.created.isNaN ? created : sample.created
        let row = StoredRow(
            sequence: removal.nextSequence(), type: sample.type, start: sample.start,
            key: uuid.savedKey, end: sample.end, created: moment, origin: origin.id,
            metadata: try metadata(sample.metadata), value: sample.value, detail: nil)
        try row.bind(to: insertRow, as: RowColumn.first)
        try insertRow.bind(uuid, to: .second(.uuid))
        try insertRow.run()
        sequences[index] = row.sequence
        firstSeen[origin.source] = min(firstSeen[origin.source] ?? moment, moment)
        try deleteTombstone.bind(uuid, to: .value)
        try deleteTombstone.run()
        if let detail = batch.details[index] {
            try insertDetail.bind(row.sequence, to: .sequence)
            try insertDetail.bind(StoredText.detail(detail), to: .content)
            try insertDetail.run()
            detailedTypes.insert(sample.type)
        }
        if let version = resolution.versions[index] {
            try versions.insert(version, sample: row.sequence)
        }
        if let memberships { try removal.transfer(memberships, to: row.sequence) }
    }

    private func origin(_ index: Int32) throws -> (id: Int64, source: Int64) {
        if let known = origins[index] { return known }
        let origin = batch.origins[Int(index)]
        let source = try interning.source(batch.sources[Int(origin.source)])
        let resolved = (id: try interning.origin(origin, source: source), source: source)
        origins[index] = resolved
        return resolved
    }

    private func metadata(_ index: Int32) throws -> Int64 {
        if index < 0 || batch.metadata[Int(index)].isEmpty { return 0 }
        if let known = metadata[index] { return known }
        let id = try interning.metadata(batch.metadata[Int(index)])
        metadata[index] = id
        return id
    }

    // MARK: - Memberships

    private func writeMemberships(associatedWith parent: SampleUUID?) throws {
        for (child, parent) in batch.parents.sorted(by: { $0.key < $1.key }) {
            guard sequences[parent] != 0, let member = try sequence(for: child) else {
                continue
            }
            try note(member: member, of: sequences[parent])
        }
        guard let parent else { return }
        let sequence = try rows.require(parent).sequence
        for index in batch.samples.indices where batch.parents[index] == nil {
            guard let member = try self.sequence(for: index), member != sequence else {
                continue
            }
            try note(member: member, of: sequence)
        }
    }

    /// Returns the sequence number of a sample, or of the stored sample with its sync identifier if
    /// it was ignored. Returns nil if it was ignored only because its correlation was.
    private func sequence(for index: Int) throws -> Int64? {
        if sequences[index] != 0 { return sequences[index] }
        guard let version = resolution.versions[index] else { return nil }
        return try versions.find(version)?.sample
    }

    private func note(member child: Int64, of parent: Int64) throws {
        try insertMember.bind(parent, to: .parent)
        try insertMember.bind(child, to: .child)
        try insertMember.run()
    }

    // MARK: - Sources

    /// Updates when each source first saved a sample, and derives the kind of Apple's sources from
    /// bundle identifier and hardware.
    private func describeSources() throws {
        for (source, moment) in firstSeen {
            try db.execute(
                sql: "UPDATE source SET first_seen = min(ifnull(first_seen, ?1), ?1) WHERE id = ?2",
                arguments: [moment, source])
        }
        for (index, resolved) in origins.sorted(by: { $0.key < $1.key }) {
            let origin = batch.origins[Int(index)]
            let source = batch.sources[Int(origin.source)]
            let hardware = origin.productType ?? origin.device?.hardwareVersion
            let kind: SourceTable.Kind? =
                if source.bundleIdentifier == "com.apple.Health" {
                    .health
                } else if source.bundleIdentifier.hasPrefix("com.apple.health.") {
                    hardware.flatMap { SourceEvidence.kind(ofHardware: $0) }
                } else {
                    nil
                }
            guard let kind else { continue }
            try db.execute(
                sql: "UPDATE source SET kind = ?, hardware = ifnull(hardware, ?) "
                    + "WHERE id = ? AND derivation = 'own' AND kind = 'other'",
                arguments: [kind.rawValue, kind == .health ? nil : hardware, resolved.source])
        }
    }
}
