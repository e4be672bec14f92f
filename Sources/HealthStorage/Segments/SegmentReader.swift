import GRDB
import HealthEngine

/// One pass over the samples of a quantity type that touch a range, in (start, key) order: columns
/// where there are segments, rows where there are none.
struct SegmentReader {
    static let day: Double = 86_400
    private static let longRange = 180 * day
    private static let mostMapped = 2 << 30

    let db: Database
    let question: SampleQuestion
    let table: SourceTable

    init(_ db: Database, _ question: SampleQuestion, _ table: SourceTable) {
        self.db = db
        self.question = question
        self.table = table
    }

    /// Sends the samples a question asks for through a sweep.
    func read(into sweep: inout StatisticsSweep) throws {
        if question.from >= question.to { return }
        for sample in try longSamples() { sweep.add(sample) }
        var columns = SampleColumns()
        try forEachPart { part in
            switch part {
            case .segment(let bytes, _):
                try PackedColumns.read(bytes, into: &columns, index: table.index(ofSamplesOrigin:))
                sweep.add(columns, touching: question)
            case .row(let sample): sweep.add(sample)
            }
        }
    }

    /// What began more than a day before the range and reaches into it.
    func longSamples() throws -> [Sample] {
        if question.from == -.infinity { return [] }
        var samples: [Sample] = []
        try SampleReader(db, question, table, .measurements).forEachLong { row in
            samples.append(row.sample)
            return .next
        }
        return samples
    }

    /// Samples as they lie in the file.
    enum Part {
        /// A segment's bytes, valid while the call lasts, and what it claims.
        case segment(UnsafeRawBufferPointer, Range<SegmentPlace>)
        case row(Sample)
    }

    /// Goes through what began at most a day before the range, in order.
    func forEachPart(_ body: (Part) throws -> Void) throws {
        let reader = try SampleReader(db, question, table, .measurements)
        func rows(from: SegmentPlace, until: SegmentPlace) throws {
            guard from < until else { return }
            try reader.forEachOrdinary(from: from, until: until) { row in
                try body(.row(row.sample))
                return .next
            }
        }
        let end = SegmentPlace(start: question.to, key: .min)
        var place = SegmentPlace(start: question.from - SegmentReader.day, key: .min)
        let segments = try segments(from: place)
        while try segments.step() {
            let from = SegmentPlace(start: segments.double(0), key: segments.int(1))
            let until = SegmentPlace(start: segments.double(2), key: segments.int(3))
            guard until > place else { continue }
            if from >= end { break }
            try rows(from: place, until: from)
            try segments.withBytes(4) { try body(.segment($0, from..<max(from, until))) }
            place = until
        }
        try rows(from: place, until: end)
    }

    /// Looks at the file where the system holds it while `body` runs, if the range is long: faster than
    /// page by page, but what is mapped counts as memory.
    func mapping<Value>(_ body: () throws -> Value) throws -> Value {
        guard question.to - question.from > SegmentReader.longRange else { return try body() }
        let mapped = try Int64.readOne(db, sql: "PRAGMA mmap_size") ?? 0
        try db.execute(sql: "PRAGMA mmap_size = \(SegmentReader.mostMapped)")
        defer { try? db.execute(sql: "PRAGMA mmap_size = \(mapped)") }
        return try body()
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
}

extension StatisticsSweep {
    /// Adds what of a segment touches a question's range: few of those that begin before it, all that
    /// begin in it, as far as they keep its bounds.
    mutating func add(_ columns: SampleColumns, touching question: SampleQuestion) {
        let bounds = question.bounds
        let near = columns.start.firstIndex(notBefore: question.from - SegmentReader.day)
        let inside = columns.start.firstIndex(notBefore: question.from)
        let after = columns.start.firstIndex(notBefore: question.to)
        // From here on starts and ends keep their lower bounds of themselves.
        let lowest = max(
            bounds.start.lower?.time ?? -.infinity, bounds.end.lower?.time ?? -.infinity)
        let sure = max(inside, columns.start.firstIndex(notBefore: lowest.nextUp))
        let highest = bounds.start.upper?.time ?? .infinity
        let end = min(after, columns.start.firstIndex(notBefore: highest))
        for index in near..<max(near, min(sure, after)) {
            guard index >= inside || columns.end[index] > question.from else { continue }
            addIfHeld(columns, index, question)
        }
        if bounds.end.upper == nil, sure < end { add(columns, sure..<end) }
        // Few are left: those at the upper bound, or all where ends have one.
        let rest = bounds.end.upper == nil ? max(sure, end) : sure
        for index in rest..<max(rest, after) { addIfHeld(columns, index, question) }
    }

    private mutating func addIfHeld(
        _ columns: SampleColumns, _ index: Int, _ question: SampleQuestion
    ) {
        guard question.bounds.hold(columns.start[index], columns.end[index]) else { return }
        add(columns.sample(index, type: question.type.code))
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
