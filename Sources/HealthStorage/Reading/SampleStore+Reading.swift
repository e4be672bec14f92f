import Foundation
import GRDB
public import HealthEngine

/// The samples of a type to read: those that touch a time range, of some or all sources.
public struct SampleQuery: Sendable {
    /// The type.
    public var type: SampleType
    /// The start of the range (inclusive), in seconds since the reference date. A sample with a
    /// duration that ends at `from` doesn't touch the range.
    public var from: Double
    /// The end of the range (exclusive), in seconds since the reference date.
    public var to: Double
    /// Names or bundle identifiers of sources; empty for all sources.
    public var sources: [String]
    /// What the caller may read.
    public var visibility: Visibility
    /// Further bounds of the start and the end.
    var bounds: TimeBounds = .unbounded
    /// The number of samples that a merge for statistics holds at a time. It doesn't change
    /// results.
    var windowSize = 4096
    /// Only samples of origins that match this filter are read; see
    /// ``SampleFilter/testsOnlyOrigins``.
    var originFilter: SampleFilter = .everything
    /// The number of segments, or of some hundred rows, after which statistics use a second thread.
    /// It doesn't change results.
    var partsUntilThread = 16

    public init(
        _ type: SampleType, from: Double = -.infinity, to: Double = .infinity,
        sources: [String] = [], visibility: Visibility = .everything
    ) {
        self.type = type
        self.from = from
        self.to = to
        self.sources = sources
        self.visibility = visibility
    }
}

extension SampleStore {
    /// Returns the samples of a query in (start, key) order, as recorded. Samples are not
    /// merged.
    ///
    /// - Parameters:
    ///   - query: The samples to read.
    ///   - limit: The maximum number of samples, from the earliest one; nil for no limit.
    /// - Returns: The samples, with the values they refer to.
    /// - Throws: ``StoreError``, also if no source or several have a name of the query.
    /// - Complexity: O(log n + samples in the range).
    public func samples(_ query: SampleQuery, limit: Int? = nil) throws -> SampleBatch {
        try read { db in
            let table = try sourceTable(db)
            var all = SampleBatch(sources: table.sources, origins: table.origins)
            try SampleStore.forEachBatch(query, table, of: .max, limit: limit, db) { all = $0 }
            return all
        }
    }

    /// Returns the UUID of a stored sample, in upper case.
    ///
    /// The UUID of an imported sample is derived from its type, start and key, so the same export
    /// gives the same UUIDs in every store. Only the codes of types that the catalogue lacks, and
    /// so their UUIDs, can differ between stores. A sample saved through the API has its own.
    ///
    /// - Parameter sample: A sample that was read from this store.
    /// - Returns: The UUID.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n).
    public func uuid(of sample: Sample) throws -> String {
        let stored = try read { db in
            try Data.readOne(
                db, sql: "SELECT uuid FROM sample WHERE sequence = ? AND uuid IS NOT NULL",
                arguments: [sample.sequence])
        }
        return stored.flatMap(ImportedIdentity.text(stored:)) ?? sample.importedUUID
    }

    static func metadata(_ id: Int64, _ db: Database) throws -> Metadata {
        let text = try String.readOne(
            db.cachedStatement(sql: "SELECT entries FROM metadata WHERE id = ?"), arguments: [id])
        return try text.map(StoredText.metadata(from:)) ?? [:]
    }
}

/// A pass over the samples of a type that touch a range, in (start, key) order.
///
/// Samples of up to 24 hours are found by their start. Longer samples, which are few, have their
/// own index, so that a long sample doesn't widen the range that every read scans.
struct SampleReader {
    struct Row {
        var sample: Sample
        /// The id of the metadata; 0 for none.
        var metadata: Int64
    }

    enum Continuation { case next, stop }

    /// Which columns are read.
    enum Columns {
        /// All columns but the metadata id.
        case measurements
        case all

        fileprivate var sql: String {
            self == .all ? Column.columns : Column.columns([.metadata: "NULL"])
        }
    }

    private enum Column: Int32, StatementField {
        case startTime, key, endTime, created, origin, value, sequence, metadata
    }

    private enum LongParameter: Int32, StatementField { case type, until, from }

    private let columns: Columns

    private let db: Database
    private let table: SourceTable
    private let query: SampleQuery
    private let grant: Visibility.Grant
    /// Whether samples of each origin are read; nil if all are.
    private let shownOrigins: [Bool]?

    init(
        _ db: Database, _ query: SampleQuery, _ table: SourceTable, _ columns: Columns = .all
    ) throws {
        try SampleReader.requireTimes(ofType: query.type, db)
        self.columns = columns
        self.db = db
        self.table = table
        self.query = query
        grant = query.visibility[query.type.code].withoutObjects
        shownOrigins = try query.shownOrigins(table)
    }

    /// Throws an error of code `corrupt` if a sample of the type has a start outside the store's
    /// range of times. Text and blobs sort after all numbers, so a damaged start would otherwise go
    /// unnoticed.
    ///
    /// - Complexity: O(log samples).
    static func requireTimes(ofType type: SampleType, _ db: Database) throws {
        let found = try Int64.readOne(
            db.cachedStatement(
                sql: "SELECT sequence FROM sample WHERE type = ?1 AND start_time > 1e12 "
                    + "UNION ALL "
                    + "SELECT sequence FROM sample WHERE type = ?1 AND start_time < -1e12 LIMIT 1"),
            arguments: [type.code])
        if let found { throw StoreError.damaged("sample.start_time, row \(found)") }
    }

    func forEach(_ body: (Row) throws -> Continuation) throws {
        if grant.isHidden || query.from >= query.to { return }
        if query.from > -.infinity, try forEachLong(body) == .stop { return }
        try forEachOrdinary(
            from: SegmentPosition(start: query.from - LongSample.limit, key: .min),
            until: SegmentPosition(start: query.to, key: .min), body)
    }

    /// Calls `body` as ``forEach(_:)`` does, only for samples after a position.
    func forEach(
        after position: SegmentPosition, _ body: (Row) throws -> Continuation
    ) throws {
        if grant.isHidden || query.from >= query.to { return }
        let first = SegmentPosition(start: query.from - LongSample.limit, key: .min)
        if query.from > -.infinity, position < first {
            let end = try forEachLong { row in
                let place = SegmentPosition(start: row.sample.start, key: row.sample.key)
                return position < place ? try body(row) : .next
            }
            if end == .stop { return }
        }
        guard position.key < .max else { return }
        try forEachOrdinary(
            from: max(first, SegmentPosition(start: position.start, key: position.key + 1)),
            until: SegmentPosition(start: query.to, key: .min), body)
    }

    /// Calls `body` with the samples that start more than a day before the range and reach into it.
    @discardableResult
    func forEachLong(_ body: (Row) throws -> Continuation) throws -> Continuation {
        let long = try StoreStatement<LongParameter, Column>(
            kept: db,
            "SELECT \(columns.sql) FROM sample INDEXED BY sample_long "
                + "WHERE type = \(LongParameter.type) AND start_time < \(LongParameter.until) "
                + "AND \(LongSample.condition) "
                + "AND end_time > \(LongParameter.from) ORDER BY start_time, key")
        try long.bind(query.type.code, to: .type)
        try long.bind(query.from - LongSample.limit, to: .until)
        try long.bind(query.from, to: .from)
        return try pass(long, body)
    }

    /// Calls `body` with the samples from one place (inclusive) to another (exclusive) that touch
    /// the range.
    func forEachOrdinary(
        from: SegmentPosition, until: SegmentPosition, _ body: (Row) throws -> Continuation
    ) throws {
        let ordinary = try StoreStatement<SegmentSpan, Column>(
            kept: db,
            "SELECT \(columns.sql) FROM sample \(SegmentSpan.condition) "
                + "ORDER BY start_time, key")
        try ordinary.bind(query.type.code, from, until)
        _ = try pass(ordinary, body)
    }

    private func pass<Parameter>(
        _ statement: borrowing StoreStatement<Parameter, Column>,
        _ body: (Row) throws -> Continuation
    ) throws -> Continuation {
        let earliest = grant.earliest ?? -.infinity
        let exempt = grant.exempt.flatMap { table.index(ofSource: $0.source) }
        let exemptedFrom = grant.exempt.map { grant.earliest(of: $0.source) } ?? earliest
        let earliestOfAny = grant.earliestOfAny ?? -.infinity
        let (type, from) = (query.type.code, query.from)
        let (bounds, isBounded) = (query.bounds, query.bounds != .unbounded)
        while try statement.step() {
            let start = statement.double(.startTime)
            let end = statement.double(.endTime)
            guard end > from || start >= from, start >= earliestOfAny else { continue }
            if isBounded, !bounds.contains(start: start, end: end) { continue }
            let origin = try table.index(ofSamplesOrigin: statement.int(.origin))
            if let shownOrigins, !shownOrigins[Int(origin)] { continue }
            if grant.exempt != nil {
                let source = table.origins[Int(origin)].source
                if start < (source == exempt ? exemptedFrom : earliest) { continue }
            }
            var row = Row(
                sample: Sample(
                    type: type, origin: origin, start: start, end: end,
                    created: statement.doubleOrNaN(.created),
                    value: statement.doubleOrNaN(.value), key: statement.int(.key)), metadata: 0)
            row.sample.sequence = statement.int(.sequence)
            if columns == .all { row.metadata = statement.int(.metadata) }
            if try body(row) == .stop { return .stop }
        }
        return .next
    }
}

extension SampleQuery {
    /// Returns whether samples of each origin can be in the result; nil if all can.
    ///
    /// - Throws: ``StoreError`` if no source or several have a name of the query.
    func shownOrigins(_ table: SourceTable) throws -> [Bool]? {
        let only = visibility[type.code].withoutObjects.onlySource
        if sources.isEmpty, only == nil, originFilter == .everything { return nil }
        let named = Set(try sources.map { try SampleStore.source(named: $0, in: table) })
        return table.origins.map { origin in
            let entry = origin.source < 0 ? nil : table.entries[Int(origin.source)]
            return (sources.isEmpty || named.contains(origin.source))
                && (only == nil || only == entry?.id)
                && originFilter.matches(origin, of: entry?.source, type)
        }
    }
}

extension TimeBounds {
    func contains(start: Double, end: Double) -> Bool {
        self.start.contains(start) && self.end.contains(end)
    }
}
