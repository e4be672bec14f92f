import GRDB
import HealthEngine

/// Builds column segments from rows; see `Schema+Segments`.
///
/// Segments hold samples of quantity types that have statistics, except types of which a sample has
/// or had details, such as series. Rows are read wherever there is no segment, so results don't
/// depend on segments.
final class SegmentWriter {
    /// The sizes of segments and of one round. Results don't depend on them.
    struct Sizes {
        /// The number of samples of a full segment. Samples with the same start as the last one are
        /// added beyond it.
        var full = 2048
        /// The smallest segment. Fewer samples are read faster as rows.
        var minimum = 256
        /// The maximum number of segments built in one transaction, to bound its duration.
        var round = 128

        static let standard = Sizes()
        /// Without a limit on the number of segments.
        static let unlimited = Sizes(round: .max)
    }

    /// The number of edits after which a write transaction builds missing segments.
    static let period: Int64 = 512

    private let db: Database
    private let insertion: SegmentInsertion
    private let rows: StoreStatement<SegmentSpan, Column>
    private let countRows: StoreStatement<SegmentSpan, SingleField>
    private let sizes: Sizes
    private var remaining: Int
    private enum Column: Int32, StatementField {
        case startTime, key, endTime, created, origin, value
    }

    private init(_ db: Database, _ sizes: Sizes) throws {
        self.db = db
        self.sizes = sizes
        remaining = sizes.round
        insertion = try SegmentInsertion(db, sizes)
        rows = try StoreStatement(
            db,
            "SELECT \(Column.columns) FROM sample "
                + "INDEXED BY sample_order \(SegmentSpan.condition) ORDER BY start_time, key")
        countRows = try StoreStatement(
            db,
            "SELECT count(*) FROM (SELECT 1 FROM sample INDEXED BY sample_order "
                + "\(SegmentSpan.condition) LIMIT \(sizes.minimum))")
    }

    /// Drops all segments and builds them again.
    ///
    /// - Complexity: O(samples).
    static func rebuild(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM segment")
        let writer = try SegmentWriter(db, .unlimited)
        for type in try types(db) { try writer.fill(type) }
    }

    /// Builds missing segments, up to the limit of one round.
    ///
    /// - Complexity: O(types + segments) plus the built samples, by default about 260,000 at most.
    static func fill(_ db: Database, _ sizes: Sizes = .standard) throws {
        let writer = try SegmentWriter(db, sizes)
        for type in try types(db) { try writer.fill(type) }
    }

    private static func types(_ db: Database) throws -> [Int32] {
        try Int32.readAll(db, sql: "SELECT code FROM type WHERE NOT has_details ORDER BY code")
            .filter { Catalogue.type(code: $0)?.aggregation != nil }
    }

    /// Builds segments in the gaps of a type that have enough samples.
    private func fill(_ type: Int32) throws {
        var from = SegmentPosition.first
        var previous: SegmentRange?
        for next in try SegmentRange.all(of: type, db) {
            if from < next.from { try fill(type, from, next.from, after: previous) }
            from = next.until
            previous = next
        }
        try fill(type, from, .last, after: previous)
    }

    private func fill(
        _ type: Int32, _ from: SegmentPosition, _ until: SegmentPosition,
        after previous: SegmentRange?
    ) throws {
        guard remaining > 0 else { return }
        try countRows.bind(type, from, until)
        defer { countRows.reset() }
        guard try countRows.step(), countRows.int(.value) >= sizes.minimum else { return }
        var from = from
        // Rebuild a small previous segment together with the gap, so that small ones don't
        // accumulate.
        if let previous, previous.until == from, previous.count < sizes.full / 2 {
            try db.execute(sql: "DELETE FROM segment WHERE id = ?", arguments: [previous.id])
            from = previous.from
        }
        try build(type, from, until)
    }

    private func build(_ type: Int32, _ from: SegmentPosition, _ until: SegmentPosition) throws {
        try rows.bind(type, from, until)
        defer { rows.reset() }
        var pending = PendingSegment()
        while try rows.step() {
            let place = SegmentPosition(start: rows.double(.startTime), key: rows.int(.key))
            if pending.count >= sizes.full, pending.last?.start != place.start {
                if try insertion.insert(pending, type, until: place) { remaining -= 1 }
                pending.removeAll()
                if remaining == 0 { return }
            }
            pending.append(
                place, end: rows.double(.endTime), created: rows.doubleOrNaN(.created),
                value: rows.doubleOrNaN(.value), origin: rows.int(.origin))
        }
        let end = pending.last.map { SegmentPosition(start: $0.start.nextUp, key: .min) }
        if try insertion.insert(pending, type, until: min(until, end ?? until)) { remaining -= 1 }
    }
}

/// Inserts segments.
final class SegmentInsertion {
    private let statement: StoreStatement<NewSegment, NoFields>
    private let minimum: Int

    private typealias NewSegment = JoinedFields<SegmentSpan, ContentColumn>
    private enum ContentColumn: Int32, StatementField { case count, content }

    init(_ db: Database, _ sizes: SegmentWriter.Sizes) throws {
        statement = try StoreStatement(db, "INSERT INTO segment \(NewSegment.inserted)")
        minimum = sizes.minimum
    }

    /// Inserts a segment, unless it has too few or too many samples. Returns whether it did.
    func insert(
        _ segment: PendingSegment, _ type: Int32, until: SegmentPosition
    ) throws -> Bool {
        guard (minimum...PackedColumns.maximumCount).contains(segment.count),
            let first = segment.first
        else { return false }
        try statement.bind(type, first, until, as: NewSegment.first)
        try statement.bind(Int64(segment.count), to: .second(.count))
        try statement.bind(segment.packed(before: until.start), to: .second(.content))
        try statement.run()
        return true
    }
}

/// A position in the (start, key) order of a type's samples.
struct SegmentPosition: Comparable {
    var start: Double
    var key: Int64

    static let first = SegmentPosition(start: -.infinity, key: .min)
    static let last = SegmentPosition(start: .infinity, key: .max)

    static func < (a: SegmentPosition, b: SegmentPosition) -> Bool {
        a.start != b.start ? a.start < b.start : a.key < b.key
    }
}

/// The type and range of a segment, as parameters and columns.
enum SegmentSpan: Int32, StatementField {
    case type, startTime, key, untilTime, untilKey

    /// The rows of `sample` in the range.
    static let condition =
        "WHERE type = \(type) AND (start_time, key) >= (\(startTime), \(key)) "
        + "AND (start_time, key) < (\(untilTime), \(untilKey))"
}

/// The range of samples that a segment covers: from its first one to `until` (exclusive).
struct SegmentRange {
    var id: Int64
    var from: SegmentPosition
    var until: SegmentPosition
    var count: Int

    private enum Parameter: Int32, StatementField { case type, from, to }
    private enum Column: Int32, StatementField {
        case id, startTime, key, untilTime, untilKey, count
    }

    /// Returns the segments of a type that begin from `from` (inclusive) to `to` (exclusive), in
    /// order. In an undamaged store they don't overlap.
    static func all(
        of type: Int32, from: Double = -.infinity, to: Double = .infinity, _ db: Database
    ) throws -> [SegmentRange] {
        let found = try StoreStatement<Parameter, Column>(
            db,
            "SELECT \(Column.columns) FROM segment INDEXED BY segment_order "
                + "WHERE type = \(Parameter.type) AND start_time >= \(Parameter.from) "
                + "AND start_time < \(Parameter.to) ORDER BY start_time, key")
        try found.bind(type, to: .type)
        try found.bind(from, to: .from)
        try found.bind(to, to: .to)
        var segments: [SegmentRange] = []
        while try found.step() {
            let (id, count) = (found.int(.id), found.int(.count))
            guard (0...Int64(PackedColumns.maximumCount)).contains(count) else {
                throw StoreError.damaged("segment.count, row \(id)")
            }
            segments.append(
                SegmentRange(
                    id: id,
                    from: SegmentPosition(start: found.double(.startTime), key: found.int(.key)),
                    until: SegmentPosition(
                        start: found.double(.untilTime), key: found.int(.untilKey)),
                    count: Int(count)))
        }
        return segments
    }
}

extension SegmentRange {
    /// A segment, or a range without segments, which can have rows.
    enum Part {
        case segment(SegmentRange)
        case rows(from: SegmentPosition, until: SegmentPosition)
    }

    /// Returns the segments of a type and the ranges between them, in order.
    static func parts(of type: Int32, _ db: Database) throws -> [Part] {
        var parts: [Part] = []
        var from = SegmentPosition.first
        for segment in try all(of: type, db) {
            if from < segment.from { parts.append(.rows(from: from, until: segment.from)) }
            parts.append(.segment(segment))
            from = segment.until
        }
        return parts + [.rows(from: from, until: .last)]
    }
}

extension StoreStatement where Parameter == SegmentSpan {
    func bind(_ type: Int32, _ from: SegmentPosition, _ until: SegmentPosition) throws {
        try bind(type, from, until) { $0 }
    }
}

extension StoreStatement {
    /// Binds a type and a range to a statement whose parameter enum contains those of
    /// ``SegmentSpan``.
    func bind(
        _ type: Int32, _ from: SegmentPosition, _ until: SegmentPosition,
        as place: (SegmentSpan) -> Parameter
    ) throws {
        try bind(type, to: place(.type))
        try bind(from.start, to: place(.startTime))
        try bind(from.key, to: place(.key))
        try bind(until.start, to: place(.untilTime))
        try bind(until.key, to: place(.untilKey))
    }
}
