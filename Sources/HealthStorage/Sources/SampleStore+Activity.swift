import GRDB
package import HealthEngine

/// The activity of each source of one type by day, for finding wrong clocks and devices that
/// stopped recording.
package struct TypeActivity: Sendable {
    /// A summary of a source's samples that start on one day.
    package struct Day: Hashable, Sendable {
        /// The index of the day's start in ``TypeActivity/edges``.
        package var day: Int
        /// The number of samples that start on the day.
        package var samples = 0
        /// The sum of the values, in the type's unit. Cumulative samples with a duration are
        /// divided at day boundaries; others count at their start.
        package var sum = 0.0
        /// The smallest value of a sample that isn't divided; infinite without one.
        package var minimum = Double.infinity
        /// The largest value of a sample that isn't divided; negative infinity without one.
        package var maximum = -Double.infinity
        /// The sum of the durations in seconds; overlaps count more than once.
        package var seconds = 0.0
        /// The number of samples created more than a day before they start.
        package var writtenEarly = 0

        /// The mean of the values of a discrete type.
        package var average: Double { sum / Double(max(1, samples)) }
    }

    /// The activity of one source.
    package struct Part: Sendable {
        /// The source.
        package var source: Source
        /// The rank of the source's kind from 0: entered manually, Apple Watch, iPhone, iPod,
        /// others.
        package var group: Int
        /// Whether the source is included in statistics of the type.
        package var participation: SampleStore.Participation
        /// The days with samples, in ascending order.
        package var days: [Day]
    }

    /// Days on which two sources of the same kind recorded the same time.
    package struct Overlap: Hashable, Sendable {
        /// The index in ``TypeActivity/parts`` of the source with higher priority.
        package var first: Int
        /// The index in ``TypeActivity/parts`` of the other source.
        package var second: Int
        /// The indices of days on which the shared time is at least half of the shorter recorded
        /// time.
        package var days: [Int]
    }

    /// The type.
    package var type: SampleType
    /// The unit of all values; empty if they have none.
    package var unit: String
    /// The boundaries of the days, in seconds since the reference date.
    package var edges: [Double]
    /// The sources with samples, in order of priority.
    package var parts: [Part]
    /// The pairs of sources of the same kind that recorded the same time.
    package var overlaps: [Overlap]
}

extension SampleStore {
    /// Returns the activity of each source of some types, from one consistent state of the file.
    ///
    /// - Parameter types: The types, each with the boundaries of its days in seconds since the
    ///   reference date, ascending. Samples that start before the first boundary, or whose unit
    ///   can't be converted, are left out.
    /// - Returns: The activity of each type, in the order of `types`.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(samples in the ranges).
    package func activity(
        of types: [(type: SampleType, edges: [Double])]
    ) throws -> [TypeActivity] {
        try read { db in
            let table = try sourceTable(db)
            return try types.map { try SampleStore.activity(of: $0.type, $0.edges, table, db) }
        }
    }

    private static func activity(
        of type: SampleType, _ edges: [Double], _ table: SourceTable, _ db: Database
    ) throws -> TypeActivity {
        // Values of a type that isn't in the catalogue are not converted.
        let unit = type.kind == .quantity ? try? SampleStore.unit(nil, of: type) : nil
        guard let first = edges.first, let last = edges.last else {
            return TypeActivity(
                type: type, unit: unit?.0 ?? "", edges: edges, parts: [], overlaps: [])
        }
        let order = table.order(try SourceTable.settings(db, type: type.code))
        let conversions = unit.map { SampleStore.conversions(table.origins, to: $0.1) }
        var log = ActivityAccumulator(
            edges: edges, isDivisible: type.aggregation == .cumulative,
            sources: table.entries.count)
        let query = SampleQuery(type, from: first, to: last)
        try SampleReader(db, query, table, .measurements).forEach { row in
            let sample = row.sample
            guard sample.origin >= 0, sample.start >= first, sample.end >= sample.start else {
                return .next
            }
            let origin = Int(sample.origin)
            var value = sample.value
            if let conversions {
                guard let conversion = conversions[origin] else { return .next }
                value = conversion(value)
                guard value.isFinite else { return .next }
            }
            log.add(sample, value, source: Int(table.origins[origin].source))
            return .next
        }
        let places = order.ranking.filter { !log.days[Int($0)].isEmpty }
        let parts = places.map { place in
            TypeActivity.Part(
                source: table.sources[Int(place)],
                group: table.entries[Int(place)].kind.group,
                participation: order.excluded.contains(place) ? .excluded : .included,
                days: log.days[Int(place)])
        }
        return TypeActivity(
            type: type, unit: unit?.0 ?? "", edges: edges, parts: parts,
            overlaps: log.overlaps(of: places, parts))
    }

    /// Returns the start of the newest sample of a type in a range after skipping the `count`
    /// newest ones.
    ///
    /// - Parameters:
    ///   - count: The number of newer samples to skip.
    ///   - type: The type.
    ///   - from: The earliest start (inclusive), in seconds since the reference date.
    ///   - to: The latest start (exclusive), in seconds since the reference date.
    /// - Returns: A start in seconds since the reference date; nil if the range has at most `count`
    ///   samples.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n + count), using only the index.
    package func start(
        ofNewest count: Int, of type: SampleType, from: Double, to: Double
    ) throws -> Double? {
        try read { db in
            try Double.readOne(
                db,
                sql: "SELECT start_time FROM sample WHERE type = ? AND start_time >= ? "
                    + "AND start_time < ? ORDER BY start_time DESC LIMIT 1 OFFSET ?",
                arguments: [type.code, from, to, max(0, count)])
        }
    }

    /// Returns the number of samples of a type that start in a range, with their first and last
    /// start.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - from: The earliest start (inclusive), in seconds since the reference date.
    ///   - to: The latest start (exclusive), in seconds since the reference date.
    /// - Returns: The number and the two starts in seconds since the reference date; nil without
    ///   samples.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n + samples in the range), using only the index.
    package func starts(
        of type: SampleType, from: Double, to: Double
    ) throws -> (samples: Int, first: Double, last: Double)? {
        try read { db in
            let row = try CheckedRow.readOne(
                db,
                sql: "SELECT count(*) AS samples, min(start_time) AS first, "
                    + "max(start_time) AS last FROM sample "
                    + "WHERE type = ? AND start_time >= ? AND start_time < ?",
                arguments: [type.code, from, to])
            guard let row, try row["samples"] > 0 else { return nil }
            return (try row["samples"], try row["first"], try row["last"])
        }
    }

    /// Returns the types with at least one sample.
    ///
    /// - Returns: The types, sorted by identifier.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(types × log n).
    package func presentTypes() throws -> [SampleType] {
        try read { db in
            let codes = try SampleStore.presentTypeCodes(db)
            return try SampleStore.knownTypes(db).values.filter { codes.contains($0.code) }
                .sorted { $0.identifier < $1.identifier }
        }
    }

    /// Returns the codes of the types with at least one sample, from one search of the index each.
    static func presentTypeCodes(_ db: Database) throws -> Set<Int32> {
        try Set(
            Int32.readAll(
                db,
                sql: "SELECT code FROM type "
                    + "WHERE EXISTS (SELECT 1 FROM sample WHERE sample.type = type.code)"))
    }
}

/// Collects the samples of one type by source and day. Samples must be added in order of start.
private struct ActivityAccumulator {
    /// How long before its start a sample must be created to count as written early, in seconds.
    private static let earlyCreation = 86_400.0

    private let edges: [Double]
    private let isDivisible: Bool
    /// Days with samples, by source.
    var days: [[TypeActivity.Day]]
    /// The recorded intervals, by source, with overlapping and adjacent ones joined.
    private var spans: [[(start: Double, end: Double)]]
    private var day = 0

    init(edges: [Double], isDivisible: Bool, sources: Int) {
        self.edges = edges
        self.isDivisible = isDivisible
        days = Array(repeating: [], count: sources)
        spans = Array(repeating: [], count: sources)
    }

    mutating func add(_ sample: Sample, _ value: Double, source: Int) {
        guard days.indices.contains(source) else { return }
        while day + 2 < edges.count, sample.start >= edges[day + 1] { day += 1 }
        let end = sample.isUndetermined ? sample.start : min(sample.end, edges[edges.count - 1])
        note(day, of: source) { day in
            day.samples += 1
            if sample.created < sample.start - ActivityAccumulator.earlyCreation {
                day.writtenEarly += 1
            }
        }
        if isDivisible, sample.end > sample.start {
            var (at, from) = (day, sample.start)
            while from < end, at + 1 < edges.count {
                let to = min(end, edges[at + 1])
                note(at, of: source) {
                    $0.sum += value * (to - from) / (sample.end - sample.start)
                    $0.seconds += to - from
                }
                (at, from) = (at + 1, to)
            }
        } else {
            note(day, of: source) { day in
                day.sum += value
                day.minimum = min(day.minimum, value)
                day.maximum = max(day.maximum, value)
                day.seconds += end - sample.start
            }
        }
        guard end > sample.start else { return }
        if let last = spans[source].last, sample.start <= last.end {
            spans[source][spans[source].count - 1].end = max(last.end, end)
        } else {
            spans[source].append((sample.start, end))
        }
    }

    private mutating func note(
        _ day: Int, of source: Int, _ change: (inout TypeActivity.Day) -> Void
    ) {
        // A sample across a boundary has already added the next day, so the day to change may not
        // be the last one.
        let last = days[source].lastIndex { $0.day <= day }
        if let last, days[source][last].day == day {
            change(&days[source][last])
        } else {
            var entry = TypeActivity.Day(day: day)
            change(&entry)
            days[source].insert(entry, at: last.map { $0 + 1 } ?? 0)
        }
    }

    func overlaps(of places: [Int32], _ parts: [TypeActivity.Part]) -> [TypeActivity.Overlap] {
        var overlaps: [TypeActivity.Overlap] = []
        let seconds = places.map { byDay(spans[Int($0)]) }
        for a in parts.indices {
            for b in parts.indices.dropFirst(a + 1) where parts[a].group == parts[b].group {
                let shared = byDay(shared(spans[Int(places[a])], spans[Int(places[b])]))
                let days = shared.filter { day, time in
                    time * 2 >= min(seconds[a][day] ?? 0, seconds[b][day] ?? 0)
                }.keys.sorted()
                if !days.isEmpty { overlaps.append(.init(first: a, second: b, days: days)) }
            }
        }
        return overlaps
    }

    private func shared(
        _ a: [(start: Double, end: Double)], _ b: [(start: Double, end: Double)]
    ) -> [(start: Double, end: Double)] {
        var shared: [(start: Double, end: Double)] = []
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            let (start, end) = (max(a[i].start, b[j].start), min(a[i].end, b[j].end))
            if start < end { shared.append((start, end)) }
            if a[i].end < b[j].end { i += 1 } else { j += 1 }
        }
        return shared
    }

    private func byDay(_ spans: [(start: Double, end: Double)]) -> [Int: Double] {
        var seconds: [Int: Double] = [:]
        var day = 0
        for span in spans {
            while day + 2 < edges.count, span.start >= edges[day + 1] { day += 1 }
            var (at, from) = (day, span.start)
            while from < span.end, at + 1 < edges.count {
                let to = min(span.end, edges[at + 1])
                seconds[at, default: 0] += to - from
                (at, from) = (at + 1, to)
            }
        }
        return seconds
    }
}
