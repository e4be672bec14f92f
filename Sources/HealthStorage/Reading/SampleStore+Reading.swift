import Foundation
import GRDB
public import HealthEngine

/// Which samples of a type to read: those that touch a range of time, of some sources or all.
public struct SampleQuestion: Sendable {
    public var type: SampleType
    /// `[from, to)` in reference seconds. A sample that merely ends at `from` does not touch it.
    public var from: Double
    public var to: Double
    /// Names or bundle identifiers; empty means all.
    public var sources: [String]
    public var visibility: Visibility
    /// What start and end must be besides.
    var bounds: TimeBounds = .unbounded
    /// How many samples a statistic holds at a time; it changes no result.
    var windowSize = 4096
    /// From how many samples on merges go in two halves; it changes no result.
    var fewestInHalves = 100_000

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
    /// The samples a question asks for, in (start, key) order, as recorded: nothing is merged.
    ///
    /// - Parameter limit: The most samples to return, from the earliest on; nil for all.
    /// - Throws: ``StoreError``, also if a source's name fits none or several.
    /// - Complexity: O(log n + samples in the range).
    public func samples(_ question: SampleQuestion, limit: Int? = nil) throws -> SampleBatch {
        try read { db in
            let table = try sourceTable(db)
            var all = SampleBatch(sources: table.sources, origins: table.origins)
            try SampleStore.forEachBatch(question, table, of: .max, limit: limit, db) { all = $0 }
            return all
        }
    }

    /// The UUID of a stored sample, in upper case.
    ///
    /// An imported sample's is made from its type, start and key, so that the same export gives the
    /// same UUIDs in every store; one saved through the API has its own.
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

/// One pass over the samples of a type that touch a range, in (start, key) order.
///
/// Samples of up to a day are found by their start; the few that last longer have an index of their
/// own, so that one month-long record doesn't make every read a month longer.
struct SampleReader {
    struct Row {
        var sample: Sample
        /// The stored number of the metadata set; 0 for none.
        var metadata: Int64
    }

    enum Continuation { case next, stop }

    private static let day: Double = 86_400
    /// How much of each row is read.
    enum Columns: String {
        /// What arithmetic needs.
        case measurements = "start_time, key, end_time, created, origin, value, sequence"
        case all = "start_time, key, end_time, created, origin, value, sequence, metadata"
    }

    private let columns: Columns

    private let db: Database
    private let table: SourceTable
    private let question: SampleQuestion
    private let grant: Visibility.Grant
    private let chosen: Set<Int32>?

    init(
        _ db: Database, _ question: SampleQuestion, _ table: SourceTable, _ columns: Columns = .all
    ) throws {
        try SampleReader.requireTimes(ofType: question.type, db)
        self.columns = columns
        self.db = db
        self.table = table
        self.question = question
        grant = question.visibility[question.type.code]
        chosen =
            question.sources.isEmpty
            ? nil : Set(try question.sources.map { try SampleStore.source(named: $0, in: table) })
    }

    /// Refuses a type of which a sample begins beyond all time: text and bytes sort behind every number,
    /// where no range of times would ever come to them.
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
        if grant.isHidden || question.from >= question.to { return }
        if question.from > -.infinity, try forEachLong(body) == .stop { return }
        try forEachOrdinary(
            from: SegmentPlace(start: question.from - SampleReader.day, key: .min),
            until: SegmentPlace(start: question.to, key: .min), body)
    }

    /// Those that began more than a day before the range.
    @discardableResult
    func forEachLong(_ body: (Row) throws -> Continuation) throws -> Continuation {
        let long = try RawStatement(
            db,
            "SELECT \(columns.rawValue) FROM sample INDEXED BY sample_long "
                + "WHERE type = ? AND start_time < ? AND end_time - start_time > 86400 "
                + "AND end_time > ? ORDER BY start_time, key")
        long.bind(question.type.code, at: 1)
        long.bind(question.from - SampleReader.day, at: 2)
        long.bind(question.from, at: 3)
        return try pass(long, body)
    }

    /// Those between two places, as far as they touch the range.
    func forEachOrdinary(
        from: SegmentPlace, until: SegmentPlace, _ body: (Row) throws -> Continuation
    ) throws {
        let ordinary = try RawStatement(
            db,
            "SELECT \(columns.rawValue) FROM sample \(SegmentPlace.condition) "
                + "ORDER BY start_time, key")
        ordinary.bind(question.type.code, from, until)
        _ = try pass(ordinary, body)
    }

    private func pass(
        _ statement: borrowing RawStatement, _ body: (Row) throws -> Continuation
    ) throws -> Continuation {
        let only = grant.onlySource.flatMap { table.index(ofSource: $0) }
        let earliest = grant.earliest ?? -.infinity
        let exempt = grant.exempt.flatMap { table.index(ofSource: $0.source) }
        let exemptedFrom = grant.exempt.map { grant.earliest(of: $0.source) } ?? earliest
        let earliestOfAny = grant.earliestOfAny ?? -.infinity
        let (type, from) = (question.type.code, question.from)
        let (bounds, isBounded) = (question.bounds, question.bounds != .unbounded)
        let isNarrowed = chosen != nil || grant.onlySource != nil || grant.exempt != nil
        while try statement.step() {
            let start = statement.double(0)
            let end = statement.double(2)
            guard end > from || start >= from, start >= earliestOfAny else { continue }
            if isBounded, !bounds.hold(start, end) { continue }
            let origin = try table.index(ofSamplesOrigin: statement.int(4))
            if isNarrowed {
                let source = origin < 0 ? -1 : table.origins[Int(origin)].source
                if let chosen, !chosen.contains(source) { continue }
                if grant.onlySource != nil, source != only { continue }
                if start < (source == exempt ? exemptedFrom : earliest) { continue }
            }
            var row = Row(
                sample: Sample(
                    type: type, origin: origin, start: start, end: end,
                    created: statement.doubleOrNaN(3), value: statement.doubleOrNaN(5),
                    key: statement.int(1)), metadata: 0)
            row.sample.sequence = statement.int(6)
            if columns == .all { row.metadata = statement.int(7) }
            if try body(row) == .stop { return .stop }
        }
        return .next
    }
}

extension TimeBounds {
    func hold(_ start: Double, _ end: Double) -> Bool {
        self.start.contains(start) && self.end.contains(end)
    }
}
