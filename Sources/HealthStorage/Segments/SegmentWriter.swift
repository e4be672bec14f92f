import GRDB
import HealthEngine

/// Builds segments from rows; `Schema+Segments` says what they are.
///
/// Segments hold the samples of quantity types that have statistics; of no type with series, whose
/// quantities stand elsewhere. Where there is none, rows are read: no answer depends on them.
final class SegmentWriter {
    /// How large segments are and how much is done at a time; no answer depends on it.
    struct Sizes {
        /// Samples of a full segment; a few more where several begin together.
        var full = 2048
        /// Fewer are read as rows faster than they are worth a segment.
        var fewest = 256
        /// Segments that one transaction builds at most, so that none takes long; later ones go on.
        var round = 128

        static let usual = Sizes()
        /// All there is to build.
        static let unlimited = Sizes(round: .max)
    }

    /// After how many edits it is worth a look.
    static let period: Int64 = 512

    private let db: Database
    private let insert: RawStatement
    private let rows: RawStatement
    private let countRows: RawStatement
    private let sizes: Sizes
    private var left: Int
    /// What will be the next segment.
    private var pending = SampleColumns()
    private var origins: [Int64: UInt16] = [:]
    private var first = SegmentPlace.first

    private init(_ db: Database, _ sizes: Sizes) throws {
        self.db = db
        self.sizes = sizes
        left = sizes.round
        insert = try RawStatement(
            db,
            "INSERT INTO segment (type, start_time, key, until_time, until_key, count, content) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?)")
        rows = try RawStatement(
            db,
            "SELECT start_time, key, end_time, created, origin, value FROM sample "
                + "INDEXED BY sample_order \(SegmentPlace.condition) ORDER BY start_time, key")
        countRows = try RawStatement(
            db,
            "SELECT count(*) FROM (SELECT 1 FROM sample INDEXED BY sample_order "
                + "\(SegmentPlace.condition) LIMIT \(sizes.fewest))")
    }

    /// Drops all segments and builds them anew.
    ///
    /// - Complexity: O(samples).
    static func rebuild(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM segment")
        let writer = try SegmentWriter(db, .unlimited)
        for type in try types(db) { try writer.fill(type) }
    }

    /// Builds what edits have torn down, and what has come since, as far as one round goes.
    ///
    /// - Complexity: O(types + segments) and what is built, at most some 260,000 samples.
    static func fill(_ db: Database, _ sizes: Sizes = .usual) throws {
        let writer = try SegmentWriter(db, sizes)
        for type in try types(db) { try writer.fill(type) }
    }

    private static func types(_ db: Database) throws -> [Int32] {
        try Int32.readAll(db, sql: "SELECT code FROM type WHERE NOT has_details ORDER BY code")
            .filter { Catalogue.type(code: $0)?.aggregation != nil }
    }

    /// Builds segments in the holes of a type that hold enough samples.
    private func fill(_ type: Int32) throws {
        var from = SegmentPlace.first
        var previous: SegmentClaim?
        for next in try SegmentClaim.all(of: type, db) {
            if from < next.from { try fill(type, from, next.from, after: previous) }
            from = next.until
            previous = next
        }
        try fill(type, from, .last, after: previous)
    }

    private func fill(
        _ type: Int32, _ from: SegmentPlace, _ until: SegmentPlace, after previous: SegmentClaim?
    ) throws {
        guard left > 0 else { return }
        countRows.bind(type, from, until)
        defer { countRows.reset() }
        guard try countRows.step(), countRows.int(0) >= sizes.fewest else { return }
        var from = from
        // A stream of new samples is not to leave a trail of small ones.
        if let previous, previous.until == from, previous.count < sizes.full / 2 {
            try db.execute(sql: "DELETE FROM segment WHERE id = ?", arguments: [previous.id])
            from = previous.from
        }
        try build(type, from, until)
    }

    private func build(_ type: Int32, _ from: SegmentPlace, _ until: SegmentPlace) throws {
        rows.bind(type, from, until)
        defer { rows.reset() }
        while try rows.step() {
            let place = SegmentPlace(start: rows.double(0), key: rows.int(1))
            if pending.count >= sizes.full, pending.start.last != place.start {
                try close(type, until: place)
                if left == 0 { return }
            }
            take(rows, at: place)
        }
        let end = pending.start.last.map { SegmentPlace(start: $0.nextUp, key: .min) }
        try close(type, until: min(until, end ?? until))
    }

    private func take(_ row: borrowing RawStatement, at place: SegmentPlace) {
        if pending.count == 0 { first = place }
        pending.start.append(place.start)
        pending.end.append(row.double(2))
        pending.created.append(row.doubleOrNaN(3))
        pending.value.append(row.doubleOrNaN(5))
        let origin = row.int(4)
        let next = UInt16(truncatingIfNeeded: origins.count)
        let known = origins[origin]
        pending.origin.append(known ?? next)
        if known == nil { origins[origin] = next }
    }

    /// Writes what is pending, unless it is too little to be worth it or too much for one segment.
    private func close(_ type: Int32, until: SegmentPlace) throws {
        defer {
            pending = SampleColumns()
            origins = [:]
        }
        guard (sizes.fewest...PackedColumns.most).contains(pending.count) else { return }
        pending.settle()
        if origins.count == 1 { pending.origin = [] }
        let numbers = origins.sorted { $0.value < $1.value }.map(\.key)
        insert.bind(type, first, until)
        insert.bind(Int64(pending.count), at: 6)
        try insert.bind(PackedColumns.bytes(of: pending, origins: numbers), at: 7)
        try insert.run()
        left -= 1
    }
}

/// A place in the order of a type's samples.
struct SegmentPlace: Comparable {
    var start: Double
    var key: Int64

    static let first = SegmentPlace(start: -.infinity, key: .min)
    static let last = SegmentPlace(start: .infinity, key: .max)

    /// What ``RawStatement/bind(_:_:_:)`` fills in.
    static let condition =
        "WHERE type = ? AND (start_time, key) >= (?, ?) AND (start_time, key) < (?, ?)"

    static func < (a: SegmentPlace, b: SegmentPlace) -> Bool {
        a.start != b.start ? a.start < b.start : a.key < b.key
    }
}

/// The samples that one segment stands for: from its own first one up to, and without, `until`.
struct SegmentClaim {
    var id: Int64
    var from: SegmentPlace
    var until: SegmentPlace
    var count: Int

    /// Those that begin in a range, in order; no two overlap.
    static func all(
        of type: Int32, from: Double = -.infinity, to: Double = .infinity, _ db: Database
    ) throws -> [SegmentClaim] {
        let found = try RawStatement(
            db,
            "SELECT id, start_time, key, until_time, until_key, count FROM segment "
                + "INDEXED BY segment_order WHERE type = ? AND start_time >= ? AND start_time < ? "
                + "ORDER BY start_time, key")
        found.bind(type, at: 1)
        found.bind(from, at: 2)
        found.bind(to, at: 3)
        var claims: [SegmentClaim] = []
        while try found.step() {
            let (id, count) = (found.int(0), found.int(5))
            guard (0...Int64(PackedColumns.most)).contains(count) else {
                throw StoreError.damaged("segment.count, row \(id)")
            }
            claims.append(
                SegmentClaim(
                    id: id, from: SegmentPlace(start: found.double(1), key: found.int(2)),
                    until: SegmentPlace(start: found.double(3), key: found.int(4)),
                    count: Int(count)))
        }
        return claims
    }
}

extension RawStatement {
    func bind(_ type: Int32, _ from: SegmentPlace, _ until: SegmentPlace) {
        bind(type, at: 1)
        bind(from.start, at: 2)
        bind(from.key, at: 3)
        bind(until.start, at: 4)
        bind(until.key, at: 5)
    }
}

extension SampleColumns {
    /// Finds out whether all is plain.
    fileprivate mutating func settle() {
        isPlain = zip(start, end).allSatisfy { start, end in
            start.isFinite && end.isFinite && start <= end && end != Sample.undeterminedEnd
        }
        if isPlain { isPlain = value.allSatisfy(\.isFinite) }
    }
}
