import GRDB
import HealthEngine

/// A pass over the samples of a quantity type that touch a range, in (start, key) order. It reads
/// columns where there are segments, and rows elsewhere.
struct SegmentReader {
    /// The length of a range beyond which more of the file is memory-mapped, in seconds: 180 days.
    private static let longRange = 180 * 86_400.0
    /// The largest part of the file that is mapped, in bytes: 2 GiB.
    private static let maximumMappedBytes = 2 << 30

    let db: Database
    let query: SampleQuery
    let table: SourceTable

    init(_ db: Database, _ query: SampleQuery, _ table: SourceTable) {
        self.db = db
        self.query = query
        self.table = table
    }

    /// Returns the samples that start more than a day before the range and reach into it.
    func longSamples() throws -> [Sample] {
        if query.from == -.infinity { return [] }
        var samples: [Sample] = []
        try SampleReader(db, query, table, .measurements).forEachLong { row in
            samples.append(row.sample)
            return .next
        }
        return samples
    }

    /// A part of the samples, as stored.
    enum Part {
        /// The bytes of a segment, valid only during the call, and the range that it covers.
        case segment(UnsafeRawBufferPointer, Range<SegmentPosition>)
        case row(Sample)
    }

    /// Calls `body` in order with the samples that touch the range and start in it or at most a day
    /// before it. Segments are passed whole, so they can contain other samples too.
    func forEachPart(_ body: (Part) throws -> Void) throws {
        let reader = try SampleReader(db, query, table, .measurements)
        func rows(from: SegmentPosition, until: SegmentPosition) throws {
            guard from < until else { return }
            try reader.forEachOrdinary(from: from, until: until) { row in
                try body(.row(row.sample))
                return .next
            }
        }
        let end = SegmentPosition(start: query.to, key: .min)
        var place = SegmentPosition(start: query.from - LongSample.limit, key: .min)
        let segments = try segments(from: place)
        while try segments.step() {
            let from = SegmentPosition(
                start: segments.double(.startTime), key: segments.int(.key))
            let until = SegmentPosition(
                start: segments.double(.untilTime), key: segments.int(.untilKey))
            guard until > place else { continue }
            if from >= end { break }
            try rows(from: place, until: from)
            try segments.withBytes(.content) { try body(.segment($0, from..<max(from, until))) }
            place = until
        }
        try rows(from: place, until: end)
    }

    /// Runs `body` with up to 2 GiB of the file memory-mapped if the range is long. This is faster
    /// than reading pages, but mapped pages count as the process's memory.
    func mapping<Value>(_ body: () throws -> Value) throws -> Value {
        guard query.to - query.from > SegmentReader.longRange else { return try body() }
        let mapped = try Int64.readOne(db, sql: "PRAGMA mmap_size") ?? 0
        try db.execute(sql: "PRAGMA mmap_size = \(SegmentReader.maximumMappedBytes)")
        // A failure affects only the speed of the connection.
        defer { try? db.execute(sql: "PRAGMA mmap_size = \(mapped)") }
        return try body()
    }

    private enum Parameter: Int32, StatementField { case type, from, to }
    private enum Column: Int32, StatementField {
        case startTime, key, untilTime, untilKey, content
    }

    /// Returns the segments of the type that begin before the range's end, from the one that may
    /// cover a place.
    private func segments(from place: SegmentPosition) throws -> StoreStatement<Parameter, Column> {
        let segments = try StoreStatement<Parameter, Column>(
            kept: db,
            """
            SELECT \(Column.columns)
            FROM segment INDEXED BY segment_order
            WHERE type = \(Parameter.type) AND start_time >= ifnull(
                    (SELECT max(start_time) FROM segment
                     WHERE type = \(Parameter.type) AND start_time <= \(Parameter.from)),
                    \(Parameter.from))
                AND start_time < \(Parameter.to)
            ORDER BY start_time, key
            """)
        try segments.bind(query.type.code, to: .type)
        try segments.bind(place.start, to: .from)
        try segments.bind(query.to, to: .to)
        return segments
    }
}

extension StatisticsSweep {
    /// Adds the samples of a segment that touch a query's range and are within its bounds.
    ///
    /// These start in the range, or up to a day before it and reach into it.
    mutating func add(_ columns: SampleColumns, touching query: SampleQuery) {
        let bounds = query.bounds
        let near = columns.start.firstIndex(notBefore: query.from - LongSample.limit)
        let inside = columns.start.firstIndex(notBefore: query.from)
        let after = columns.start.firstIndex(notBefore: query.to)
        // From this index on, the lower bounds of starts and ends hold without a check.
        let lowest = max(
            bounds.start.lower?.time ?? -.infinity, bounds.end.lower?.time ?? -.infinity)
        let certain = max(inside, columns.start.firstIndex(notBefore: lowest.nextUp))
        let highest = bounds.start.upper?.time ?? .infinity
        let end = min(after, columns.start.firstIndex(notBefore: highest))
        for index in near..<max(near, min(certain, after)) {
            guard index >= inside || columns.end[index] > query.from else { continue }
            addIfWithinBounds(columns, index, query)
        }
        if bounds.end.upper == nil, certain < end { add(columns, certain..<end) }
        // Check the remaining samples: those at the upper bound, or all if ends have an upper
        // bound.
        let unchecked = bounds.end.upper == nil ? max(certain, end) : certain
        for index in unchecked..<max(unchecked, after) { addIfWithinBounds(columns, index, query) }
    }

    private mutating func addIfWithinBounds(
        _ columns: SampleColumns, _ index: Int, _ query: SampleQuery
    ) {
        guard query.bounds.contains(start: columns.start[index], end: columns.end[index]) else {
            return
        }
        add(columns.sample(index, type: query.type.code))
    }
}

extension [Double] {
    /// Returns the index of the first number that is not below a limit, in ascending numbers;
    /// `count` if there is none.
    fileprivate func firstIndex(notBefore limit: Double) -> Int {
        partitioningIndex { !($0 < limit) }
    }
}
