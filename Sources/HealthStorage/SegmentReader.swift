import GRDB
import HealthEngine

/// One pass over the samples of a quantity type that touch a range, in (start, key) order: columns
/// where there are segments, rows where there are none.
struct SegmentReader {
    private static let day: Double = 86_400
    /// From half a year on, segments are worth looking at where the system holds the file, rather than
    /// copied page by page; not all the time, since what is mapped counts as memory.
    private static let longRange = 180 * day
    private static let mostMapped = 2 << 30

    private let db: Database
    private let question: SampleQuestion
    private let table: SourceTable

    init(_ db: Database, _ question: SampleQuestion, _ table: SourceTable) {
        self.db = db
        self.question = question
        self.table = table
    }

    /// Sends the samples a question asks for through a sweep.
    func read(into sweep: inout StatisticsSweep) throws {
        if question.from >= question.to { return }
        guard question.to - question.from > SegmentReader.longRange else {
            return try readAll(into: &sweep)
        }
        let mapped = try Int64.fetchOne(db, sql: "PRAGMA mmap_size") ?? 0
        try db.execute(sql: "PRAGMA mmap_size = \(SegmentReader.mostMapped)")
        defer { try? db.execute(sql: "PRAGMA mmap_size = \(mapped)") }
        try readAll(into: &sweep)
    }

    private func readAll(into sweep: inout StatisticsSweep) throws {
        let reader = try SampleReader(db, question, table, .measurements)
        if question.from > -.infinity {
            try reader.forEachLong { row in
                sweep.add(row.sample)
                return .next
            }
        }
        let end = SegmentPlace(start: question.to, key: .min)
        var place = SegmentPlace(start: question.from - SegmentReader.day, key: .min)
        var columns = SampleColumns()
        let segments = try segments(from: place)
        while try segments.step() {
            let from = SegmentPlace(start: segments.double(0), key: segments.int(1))
            let until = SegmentPlace(start: segments.double(2), key: segments.int(3))
            guard until > place else { continue }
            if from >= end { break }
            try readRows(reader, from: place, until: from, into: &sweep)
            try segments.withBytes(4) { bytes in
                try PackedColumns.read(bytes, into: &columns, index: table.index(ofOrigin:))
            }
            add(columns, into: &sweep)
            place = until
        }
        try readRows(reader, from: place, until: end, into: &sweep)
    }

    /// The segments from the one that holds a place on.
    private func segments(from place: SegmentPlace) throws -> RawStatement {
        let segments = try RawStatement(
            db,
            """
            SELECT start_time, key, until_time, until_key, content
            FROM segment INDEXED BY segment_order
            WHERE type = ?1 AND start_time >= ifnull(
                    (SELECT max(start_time) FROM segment WHERE type = ?1 AND start_time <= ?2), ?2)
                AND start_time < ?3
            ORDER BY start_time, key
            """)
        segments.bind(question.type.code, at: 1)
        segments.bind(place.start, at: 2)
        segments.bind(question.to, at: 3)
        return segments
    }

    private func readRows(
        _ reader: SampleReader, from: SegmentPlace, until: SegmentPlace,
        into sweep: inout StatisticsSweep
    ) throws {
        guard from < until else { return }
        try reader.forEachOrdinary(from: from, until: until) { row in
            sweep.add(row.sample)
            return .next
        }
    }

    /// What of a segment touches the range: few of those that begin before it, all that begin in it.
    private func add(_ columns: SampleColumns, into sweep: inout StatisticsSweep) {
        let near = columns.start.firstIndex(notBefore: question.from - SegmentReader.day)
        let inside = columns.start.firstIndex(notBefore: question.from)
        let after = columns.start.firstIndex(notBefore: question.to)
        for index in near..<inside where columns.end[index] > question.from {
            sweep.add(columns.sample(index, type: question.type.code))
        }
        if inside < after { sweep.add(columns, inside..<after) }
    }
}

extension [Double] {
    /// The index of the first of ascending numbers that is not below a limit; `count` if none is.
    fileprivate func firstIndex(notBefore limit: Double) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
