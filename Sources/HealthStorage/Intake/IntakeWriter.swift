import GRDB
import HealthEngine

/// Takes one page of what a phone sent, inside its transaction (Semantics §15).
///
/// ```
/// 1. deletions   are final, so samples with their UUIDs are rejected, also in the same page
/// 2. samples     each is found by its identity: new, stored already, or changed
/// 3. twins       samples that an export contains too become one
/// 4. totals      replace earlier totals with the same key
/// 5. the rest    unknown and rejected records are kept as they were sent
/// ```
final class IntakeWriter {
    let db: Database
    var page: IntakeBatch
    let route: Int64
    let moment: Double
    let interning: Interning
    let lookup: IntakeLookup
    let replacement: IntakeReplacement
    private let twins: TwinTable
    private(set) var receipt: IntakeReceipt
    /// The first sequence number that a record of the page could get.
    let firstSequence: Int64
    /// The last sequence number that a record of the page got.
    var lastSequence: Int64 { replacement.last }
    /// The result of each record, by its place in the body.
    private var results: [Int: IntakeReceipt.Record] = [:]
    /// The sequence number under which each sample of the page is stored; 0 if it isn't.
    var sequences: [Int64]
    private var origins: [Int32: (id: Int64, source: Int64)] = [:]
    private var metadata: [Int32: Int64] = [:]
    private var firstSeen: [Int64: Double] = [:]
    /// The times in which new samples start, by type and source.
    private var extents: [TypeAndSource: (from: Double, to: Double)] = [:]
    private var detailedTypes: Set<Int32> = []
    /// The types and sources with new samples of half a day or longer.
    private var longSamples: Set<TypeAndSource> = []
    /// The number of samples of half a day from which a source counts as one of day totals. An import
    /// sees all samples of a source, a page only the first ones.
    private static let dayTotals = 10

    private struct TypeAndSource: Hashable {
        var type: Int32
        var source: Int64
    }

    init(
        _ db: Database, _ page: IntakeBatch, route: Int64, at moment: Double,
        _ receipt: IntakeReceipt
    ) throws {
        self.db = db
        self.page = page
        self.route = route
        self.moment = moment
        self.receipt = receipt
        interning = try Interning(db)
        lookup = try IntakeLookup(db)
        replacement = try IntakeReplacement(db)
        twins = TwinTable(db)
        firstSequence = replacement.last + 1
        sequences = Array(repeating: 0, count: page.samples.samples.count)
    }

    func run() throws -> IntakeReceipt {
        try registerTypes()
        try takeDeletions()
        for index in page.samples.samples.indices { try take(index) }
        try writeMemberships()
        try resolveTwins()
        try takeLateRoutes()
        try takeTotals()
        try SampleStore.take(page.medications, db)
        try keepRecords()
        try describeSources()
        for type in detailedTypes {
            try db.executeKept(
                sql: "UPDATE type SET has_details = 1 WHERE code = ?", arguments: [type])
        }
        try excludeDayTotals()
        try replacement.finish()
        // Records that are parts of others, such as chunks of a route, have no result of their own.
        for index in page.firstRecord..<(page.firstRecord + page.recordCount)
        where results[index] == nil { note(index, .duplicate) }
        for (_, record) in results.sorted(by: { $0.key < $1.key }) { receipt.add(record) }
        return receipt
    }

    /// Inserts the rows of the page's types that are missing.
    private func registerTypes() throws {
        let codes = page.samples.samples.map(\.type) + page.totals.map(\.type)
        for code in Set(codes) {
            guard let type = Catalogue.type(code: code) else {
                throw StoreError(.unknownTypeCode(code))
            }
            try SampleStore.register(type, db)
        }
    }

    // MARK: - Results

    /// Notes the result of a record. A record with several samples has the most important one.
    func note(
        _ index: Int, _ result: IntakeReceipt.Result, id: String? = nil, reason: String? = nil,
        field: String? = nil
    ) {
        if let known = results[index], rank(known.result) >= rank(result) { return }
        results[index] = IntakeReceipt.Record(
            index: index, id: id, result: result, reason: reason, field: field)
    }

    private func rank(_ result: IntakeReceipt.Result) -> Int {
        switch result {
        case .duplicate: 0
        case .total: 1
        case .provisional: 2
        case .accepted: 3
        case .changed: 4
        case .deleted: 5
        case .unknown: 6
        case .rejected: 7
        }
    }

    // MARK: - Deletions

    /// Deletes samples that HealthKit deleted, and remembers every deletion, also of a sample that
    /// has not arrived yet (Semantics §15.5). Other reasons delete nothing.
    private func takeDeletions() throws {
        for deletion in page.deletions {
            if deletion.reason == .withdrawn {
                try withdraw(deletion)
                continue
            }
            try db.cachedStatement(
                sql: """
                    INSERT INTO deletion (uuid, reason, route, reported_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (uuid) DO UPDATE SET reason = excluded.reason,
                        route = excluded.route, reported_at = excluded.reported_at
                    WHERE deletion.reason <> 'deleted'
                    """
            ).execute(arguments: [deletion.uuid.blob, deletion.reason.rawValue, route, moment])
            if deletion.reason == .deleted, let row = try lookup.row(deletion.uuid) {
                try replacement.delete(row.sequence)
            }
            if deletion.reason == .deleted {
                note(deletion.index, .deleted, id: deletion.uuid.description)
            } else {
                note(
                    deletion.index, .changed, id: deletion.uuid.description,
                    reason: deletion.reason.rawValue)
            }
        }
    }

    /// Removes a sample that its sender no longer has. What another sender sent, or an import here
    /// contains too, stays.
    private func withdraw(_ deletion: IntakeDeletion) throws {
        guard let row = try lookup.row(deletion.uuid), row.route == route,
            try !twins.contains(deletion.uuid)
        else { return note(deletion.index, .duplicate) }
        try replacement.withdraw(row.sequence)
        note(deletion.index, .deleted, id: deletion.uuid.description)
    }

    // MARK: - Samples

    private func take(_ index: Int) throws {
        let sample = page.samples.samples[index]
        let record = page.indices[index]
        guard ImportedIdentity.canHoldTimes(sample), sample.end >= sample.start else {
            return note(record, .rejected, reason: IntakeRejection.Reason.date.rawValue)
        }
        let origin = try origin(sample.origin)
        if case .activitySummary(let summary)? = page.samples.details[index] {
            return try takeSummary(index, summary, origin)
        }
        switch page.identities[index] {
        case .healthKit(let uuid): try take(index, uuid, origin)
        case .content: try takeContent(index, origin, isPoint: false)
        case .point: try takeContent(index, origin, isPoint: true)
        case .workout: try takeWorkout(index, origin)
        }
    }

    /// Takes a sample with HealthKit's UUID (Semantics §15.1).
    private func take(_ index: Int, _ uuid: SampleUUID, _ origin: (id: Int64, source: Int64)) throws
    {
        let record = page.indices[index]
        if try lookup.isDeleted(uuid) {
            try keepDeleted(index, uuid, origin)
            return note(
                record, .rejected, id: uuid.description,
                reason: IntakeRejection.Reason.tombstoned.rawValue)
        }
        guard let stored = try lookup.row(uuid) else {
            try removePoorer(index, origin.source)
            sequences[index] = try insert(index, uuid, origin)
            return note(record, .accepted)
        }
        sequences[index] = stored.sequence
        // Another route may have coarser times or other units. Only the same route can correct a
        // sample, and only with a later observation.
        let sent = try lookup.sent(stored, uuid)
        try page.samples.details[index]?.addRoutes(of: sent.detail)
        if page.samples.details[index] != nil, sent.route == route, try !isComplete(route) {
            try page.samples.details[index]?.fillGaps(from: sent.detail)
        }
        let observed = page.samples.samples[index].created
        guard sent.route == route, (observed.isNaN ? moment : observed) >= sent.created,
            try differs(index, from: sent, origin.id)
        else { return note(record, .duplicate) }
        note(record, .changed, id: uuid.description)
        try twins.update(uuid, received: received(index, origin.id))
        // The exported content of the same sample has more.
        if stored.route == 0, try agreesWithExport(index, stored) { return }
        let memberships = try replacement.replace(stored.sequence, reason: .changed)
        sequences[index] = try insert(index, uuid, origin)
        try replacement.transfer(memberships, to: sequences[index])
    }

    /// Returns whether a sample and the exported content of its row are still the same sample.
    private func agreesWithExport(_ index: Int, _ stored: IntakeLookup.Row) throws -> Bool {
        let sample = page.samples.samples[index]
        let unit = page.samples.origins[Int(sample.origin)].unit
        guard sample.type == stored.type, try lookup.agrees(sample, unit: unit, with: stored) else {
            return false
        }
        guard case .workout(let sent)? = page.samples.details[index] else { return true }
        guard let text = stored.detail,
            case .workout(let exported) = try StoredText.detail(from: text)
        else { return false }
        return sent.activityType == exported.activityType
    }

    /// Keeps the content of a sample whose deletion came first, as removed: what an export or another
    /// route has of it is recognized only by its content.
    private func keepDeleted(
        _ index: Int, _ uuid: SampleUUID, _ origin: (id: Int64, source: Int64)
    ) throws {
        let sample = page.samples.samples[index]
        if try lookup.isRemoved(uuid, type: sample.type, start: sample.start) { return }
        try removePoorer(index, origin.source)
        try replacement.delete(try insert(index, uuid, origin))
    }

    /// Returns whether a sample has other content than the stored one with its identity.
    private func differs(
        _ index: Int, from stored: IntakeLookup.Row, _ origin: Int64
    ) throws -> Bool {
        let sample = page.samples.samples[index]
        if sample.start != stored.start || sample.end != stored.end || origin != stored.origin {
            return true
        }
        let isSameValue = sample.value == stored.value || (sample.value.isNaN && stored.value.isNaN)
        if !isSameValue || sample.type != stored.type { return true }
        if try metadata(sample.metadata) != stored.metadata { return true }
        let detail = try page.samples.details[index].map(StoredText.detail)
        return detail != stored.detail
    }

    /// Takes a sample without a UUID: the same type, source, start, end and value is the same
    /// sample (Semantics §15.3). A point yields to a sample with an end in the same hour (§15.8).
    private func takeContent(
        _ index: Int, _ origin: (id: Int64, source: Int64), isPoint: Bool
    ) throws {
        let sample = page.samples.samples[index]
        let record = page.indices[index]
        let unit = page.samples.origins[Int(sample.origin)].unit
        if let stored = try lookup.equal(to: sample, unit: unit, source: origin.source) {
            sequences[index] = stored
            let uuid = IntakeUUID.content(
                sample, source: try interning.sourceNumber(origin.source), isPoint: isPoint)
            try keepForUndo(index, uuid, origin, exported: stored)
            return note(record, .duplicate)
        }
        // A deletion holds for what another route sends of the sample without its UUID, too, also as
        // a point.
        let deleted = try lookup.equal(
            to: sample, unit: unit, source: origin.source, among: .deleted,
            end: isPoint ? .unknown : .known)
        if deleted != nil {
            return note(record, .rejected, reason: IntakeRejection.Reason.tombstoned.rawValue)
        }
        let uuid = IntakeUUID.content(
            sample, source: try interning.sourceNumber(origin.source), isPoint: isPoint)
        if isPoint, let interval = try lookup.interval(besides: sample, source: origin.source) {
            if case .exported(let row) = interval {
                try keepForUndo(index, uuid, origin, exported: row)
            }
            return note(record, .duplicate)
        }
        if try lookup.isDeleted(uuid) {
            return note(record, .rejected, reason: IntakeRejection.Reason.tombstoned.rawValue)
        }
        if let stored = try lookup.row(uuid) {
            sequences[index] = stored.sequence
            return note(record, .duplicate)
        }
        if isPoint { lookup.insertsPoint() } else { try removePoints(index, origin.source) }
        sequences[index] = try insert(index, uuid, origin)
        note(record, isPoint ? .provisional : .accepted)
    }

    /// Keeps what a device sent of an exported sample without a UUID of HealthKit's, so that an undo
    /// of the import leaves it. Does nothing for a sample that isn't an import's.
    func keepForUndo(
        _ index: Int, _ uuid: SampleUUID, _ origin: (id: Int64, source: Int64), exported: Int64
    ) throws {
        // A point is identified by all its content, and devices send days of them again.
        if IntakeUUID.isPoint(uuid), try twins.contains(uuid) { return }
        guard try lookup.isExported(exported), let importID = try twins.importID(ofRow: exported)
        else { return }
        try twins.insert(
            uuid, exported: exported, importID: importID, received: received(index, origin.id))
    }

    /// What a device sent, as a twin keeps it.
    private func received(_ index: Int, _ origin: Int64) throws -> TwinTable.Received {
        let sample = page.samples.samples[index]
        return TwinTable.Received(
            start: sample.start, end: sample.end,
            created: sample.created.isNaN ? moment : sample.created, origin: origin,
            metadata: try metadata(sample.metadata), value: sample.value,
            detail: try page.samples.details[index].map(StoredText.detail))
    }

    /// Removes what a sample with a UUID takes the place of: the same sample of a route without
    /// UUIDs, points, or the same workout without a stable identifier.
    private func removePoorer(_ index: Int, _ source: Int64) throws {
        guard try lookup.hasRouteWithoutUUIDs() else { return }
        guard case .workout(let workout)? = page.samples.details[index] else {
            let sample = page.samples.samples[index]
            let unit = page.samples.origins[Int(sample.origin)].unit
            if let poorer = try lookup.equal(
                to: sample, unit: unit, source: source, among: .withoutUUID)
            {
                _ = try replacement.replace(poorer, reason: .replaced)
            }
            return try removePoints(index, source)
        }
        try removeWorkoutsWithoutIdentifier(index, workout)
    }

    /// Removes the points of a sample's type and source in its hours, because the sample has more
    /// information (Semantics §15.8).
    private func removePoints(_ index: Int, _ source: Int64) throws {
        let sample = page.samples.samples[index]
        for point in try lookup.points(besides: sample, source: source) {
            _ = try replacement.replace(point, reason: .replaced)
        }
    }

    /// Inserts a sample, and returns its sequence number.
    func insert(
        _ index: Int, _ uuid: SampleUUID, _ origin: (id: Int64, source: Int64)
    ) throws -> Int64 {
        let sample = page.samples.samples[index]
        let created = sample.created.isNaN ? moment : sample.created
        let row = StoredRow(
            sequence: replacement.nextSequence(), type: sample.type, start: sample.start,
            key: uuid.savedKey, end: sample.end, created: created, origin: origin.id,
            metadata: try metadata(sample.metadata), value: sample.value, detail: nil)
        try replacement.insert(row, uuid, page.samples.details[index])
        if page.samples.details[index] != nil { detailedTypes.insert(sample.type) }
        if sample.end - sample.start >= SampleStore.dayTotalLength {
            longSamples.insert(TypeAndSource(type: sample.type, source: origin.source))
        }
        // A source is at least as old as its oldest sample. Most formats don't say when it was saved.
        let seen = created < moment ? created : min(sample.end, moment)
        firstSeen[origin.source] = min(firstSeen[origin.source] ?? seen, seen)
        let key = TypeAndSource(type: sample.type, source: origin.source)
        let extent = extents[key] ?? (sample.start, sample.start)
        extents[key] = (min(extent.from, sample.start), max(extent.to, sample.start))
        return row.sequence
    }

    /// Makes one sample of each new one and its twin in an export.
    private func resolveTwins() throws {
        guard try Int.readOne(db, sql: "SELECT 1 FROM import LIMIT 1") != nil else { return }
        let resolution = try TwinResolution(db, importing: nil) { [replacement] in
            replacement.nextSequence()
        }
        for (key, extent) in extents {
            try resolution.resolve(
                TwinCandidates.Window(
                    type: key.type, source: key.source, from: extent.from, to: extent.to))
        }
    }

    /// Excludes sources of day totals. Sources for which that is decided aren't looked at again,
    /// because it reads all samples of the type.
    private func excludeDayTotals() throws {
        let undecided = try longSamples.filter { pair in
            try Int.readOne(
                db,
                sql: "SELECT 1 FROM source_setting WHERE type = ? AND source = ? "
                    + "AND excluded IS NOT NULL", arguments: [pair.type, pair.source]) == nil
        }
        try SampleStore.excludeDayTotals(
            types: Set(undecided.map(\.type)).sorted().compactMap { Catalogue.type(code: $0) },
            minimum: IntakeWriter.dayTotals, db)
    }

    private func writeMemberships() throws {
        for (child, parent) in page.samples.parents.sorted(by: { $0.key < $1.key }) {
            guard sequences[child] != 0, sequences[parent] != 0 else { continue }
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO membership (parent, child) VALUES (?, ?)"
            ).execute(arguments: [sequences[parent], sequences[child]])
            if RouteTwins.isRoute(page.samples.samples[child].type) {
                try RouteTwins(db).resolve(inWorkout: sequences[parent])
            }
        }
    }

    // MARK: - Shared values

    private func origin(_ index: Int32) throws -> (id: Int64, source: Int64) {
        if let known = origins[index] { return known }
        let origin = page.samples.origins[Int(index)]
        let source = try IntakeSources.number(
            page.samples.sources[Int(origin.source)], interning, db)
        let resolved = (
            id: try interning.origin(origin, source: source, route: route), source: source
        )
        origins[index] = resolved
        return resolved
    }

    private func metadata(_ index: Int32) throws -> Int64 {
        guard index >= 0, !page.samples.metadata[Int(index)].isEmpty else { return 0 }
        if let known = metadata[index] { return known }
        let id = try interning.metadata(page.samples.metadata[Int(index)])
        metadata[index] = id
        return id
    }

    private func describeSources() throws {
        for (source, moment) in firstSeen {
            try db.executeKept(
                sql: "UPDATE source SET first_seen = min(ifnull(first_seen, ?1), ?1) WHERE id = ?2",
                arguments: [moment, source])
        }
        for (index, resolved) in origins.sorted(by: { $0.key < $1.key }) {
            try IntakeSources.describe(
                resolved.source, page.samples.origins[Int(index)], db)
        }
    }
}
