import Foundation
import GRDB

/// The comparison of a page of samples with the entries of the same span.
struct ReconciledPage {
    /// A half-open interval of starts; a nil bound is unlimited.
    struct Span: Sendable {
        let from: Date?
        let to: Date?
    }

    /// The differences between the mirror and a page of HealthKit's samples.
    struct Differences: Sendable {
        /// Samples that have no entry, or differ from their entry.
        var shown: [HKSample] = []
        /// UUIDs of entries that are equal to their sample, but are marked as not visible.
        var again: [UUID] = []
        /// UUIDs of the span's entries without a sample in the page, also of those that are marked
        /// as not visible already. An entry that has changed since the page was requested is not
        /// included.
        var absent: [UUID] = []
    }

    private(set) var differences = Differences()
    private var samples: [UUID: HKSample]
    private let order: [UUID]
    private let change: Int64
    private var units: EntryUnits
    private let keys: Set<String>
    private var origins: [Int64: Origin] = [:]
    private var last: (revision: HKSourceRevision, device: HKDevice?, origin: Int64)?

    private struct Origin: Equatable {
        let source: String
        let bundle: String
        let device: String?
    }

    /// Creates a comparison of a page; ``compare(_:_:_:)`` then finds the differences.
    ///
    /// - Parameters:
    ///   - samples: The page, newest first.
    ///   - change: The mirror's change counter before the page was read.
    ///   - configuration: The units and metadata keys of the mirror.
    init(_ samples: [HKSample], change: Int64, _ configuration: MirrorConfiguration) {
        self.samples = Dictionary(samples.map { ($0.uuid, $0) }, uniquingKeysWith: { $1 })
        order = samples.map(\.uuid)
        self.change = change
        units = EntryUnits(configuration.units)
        keys = configuration.metadataKeys
    }

    private enum Column: Int, RowColumn {
        case uuid, start, end, kind, value, unit, category, origin, syncIdentifier, syncVersion
        case metadata, state, change

        var sql: String { self == .end ? "\"end\"" : name }
    }

    /// Compares the page with the entries of a type that start in a span, and adds to the
    /// differences.
    mutating func compare(_ type: String, _ span: Span, _ db: Database) throws {
        var sql = """
            SELECT \(Column.columns) FROM entry
            WHERE type = (SELECT id FROM type WHERE identifier = ?)
            """
        var arguments: StatementArguments = [type]
        if let from = span.from {
            sql += " AND start >= ?"
            arguments += [from.timeIntervalSinceReferenceDate]
        }
        if let to = span.to {
            sql += " AND start < ?"
            arguments += [to.timeIntervalSinceReferenceDate]
        }
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        while let row = try rows.next() {
            let uuid: UUID = try row.value(Column.uuid)
            guard let sample = samples.removeValue(forKey: uuid) else {
                // An entry that has changed since the page was requested cannot count as absent.
                if try row.value(Column.change) <= change { differences.absent.append(uuid) }
                continue
            }
            if try !matches(row, sample, db) {
                differences.shown.append(sample)
            } else if try row.value(Column.state) != MirrorEntry.State.synced.stored {
                differences.again.append(uuid)
            }
        }
        // The page is in reverse order. Samples without an entry are added oldest first, the order
        // in which samples are usually saved.
        for uuid in order.reversed() {
            if let sample = samples[uuid] { differences.shown.append(sample) }
        }
    }

    private mutating func matches(_ row: Row, _ sample: HKSample, _ db: Database) throws -> Bool {
        guard try row.value(Column.start) == sample.startDate.timeIntervalSinceReferenceDate,
            try row.value(Column.end) == sample.endDate.timeIntervalSinceReferenceDate
        else { return false }
        let fields = EntryFields(sample, units: &units, keys: keys)
        let value: Double? = try row.optional(Column.value)
        // SQLite stores NaN as NULL.
        let isSameValue = value == fields.value || value == nil && fields.value?.isNaN == true
        return try isSameValue && row.value(Column.kind) == fields.kind.rawValue
            && row.optional(Column.unit) == fields.unit
            && row.optional(Column.category) == fields.category
            && row.optional(Column.syncIdentifier) == fields.syncIdentifier
            && row.optional(Column.syncVersion) == fields.syncVersion
            && row.optional(Column.metadata) == fields.metadata
            && isOrigin(row.value(Column.origin), of: sample, db)
    }

    private mutating func isOrigin(
        _ id: Int64, of sample: HKSample, _ db: Database
    ) throws -> Bool {
        let revision = sample.sourceRevision
        let device = sample.device
        if let last, last.revision === revision, last.device === device, last.origin == id {
            return true
        }
        let source = revision.source
        let shown = Origin(
            source: source.name, bundle: source.bundleIdentifier,
            device: device?.name ?? device?.model)
        guard try origin(id, db) == shown else { return false }
        last = (revision, device, id)
        return true
    }

    private mutating func origin(_ id: Int64, _ db: Database) throws -> Origin? {
        if let known = origins[id] { return known }
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(OriginColumn.columns) FROM origin WHERE id = ?"),
            arguments: [id])
        let origin = try row.map {
            Origin(
                source: try $0.value(OriginColumn.source),
                bundle: try $0.value(OriginColumn.bundle),
                device: try $0.optional(OriginColumn.device))
        }
        origins[id] = origin
        return origin
    }
}

extension ReconciledPage.Differences {
    /// Writes ``shown`` and ``again`` to the mirror, except for entries that were changed or
    /// removed since the page was requested. Does nothing for ``absent``. Returns the numbers of
    /// entries added, overwritten and marked as synced again.
    func apply(
        _ mirror: Mirror, change: Int64, _ db: Database
    ) throws -> (added: Int, changed: Int, again: Int) {
        let rows = try mirror.rows(db)
        let known = try db.cachedStatement(sql: "SELECT change FROM entry WHERE uuid = ?")
        let deletion = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM gone WHERE uuid = ? AND change > ?)")
        var done = (added: 0, changed: 0, again: 0)
        for sample in shown {
            let uuid = sample.uuid
            let last = try Int64.fetchOne(known, arguments: [uuid])
            if let last, last > change { continue }
            if try Bool.fetchOne(deletion, arguments: [uuid, change]) == true { continue }
            try rows.upsert(sample)
            if last == nil { done.added += 1 } else { done.changed += 1 }
        }
        for uuid in again {
            guard let last = try Int64.fetchOne(known, arguments: [uuid]), last <= change else {
                continue
            }
            try mirror.setState(.synced, of: uuid, db)
            done.again += 1
        }
        return done
    }
}
