import GRDB
public import HealthEngine

/// What each source of one type did, day by day: what tells a healthy store from one with a broken
/// clock or a tracker that has gone silent.
public struct TypeActivity: Sendable {
    /// A source's samples that begin on a day.
    public struct Day: Hashable, Sendable {
        /// Index of the day's first border.
        public var day: Int
        public var samples = 0
        /// Amounts are divided at midnights, readings counted where they begin.
        public var sum = 0.0
        public var minimum = Double.infinity
        public var maximum = -Double.infinity
        /// Seconds recorded, overlaps counted each time.
        public var seconds = 0.0
        /// Samples that were written down more than a day before they began.
        public var writtenEarly = 0

        /// Of readings.
        public var average: Double { sum / Double(max(1, samples)) }
    }

    /// One source.
    public struct Part: Sendable {
        public var source: Source
        /// Sources of one group are of one kind: typed by hand, Watches, phones, others.
        public var group: Int
        public var participation: SampleStore.Participation
        /// Days with samples, in order.
        public var days: [Day]
    }

    /// Two sources of one group that recorded the same time.
    public struct Overlap: Hashable, Sendable {
        /// Indices of ``TypeActivity/parts``; the one of better rank first.
        public var first: Int
        public var second: Int
        /// Days on which at least half of what the one recorded the other recorded too.
        public var days: [Int]
    }

    public var type: SampleType
    /// The unit of all values; "" where they have none.
    public var unit: String
    /// The days' borders, in reference seconds.
    public var edges: [Double]
    /// In order of rank.
    public var parts: [Part]
    public var overlaps: [Overlap]
}

extension SampleStore {
    /// What each source of some types did between the first and the last of some borders, as one
    /// consistent look at the file.
    ///
    /// - Parameter asked: Types, each with its days' borders, ascending.
    /// - Complexity: O(samples in the ranges).
    public func activity(
        of asked: [(type: SampleType, edges: [Double])]
    ) throws -> [TypeActivity] {
        try read { db in
            let table = try sourceTable(db)
            return try asked.map { try SampleStore.activity(of: $0.type, $0.edges, table, db) }
        }
    }

    private static func activity(
        of type: SampleType, _ edges: [Double], _ table: SourceTable, _ db: Database
    ) throws -> TypeActivity {
        // A type that the catalogue doesn't know has no unit; its values are left as they are.
        let unit = type.kind == .quantity ? try? SampleStore.unit(nil, of: type) : nil
        guard let first = edges.first, let last = edges.last else {
            return TypeActivity(
                type: type, unit: unit?.0 ?? "", edges: edges, parts: [], overlaps: [])
        }
        let order = table.order(try SourceTable.settings(db, type: type.code))
        let conversions = unit.map { SampleStore.conversions(table.origins, to: $0.1) }
        var log = ActivityLog(
            edges: edges, isDivisible: type.aggregation == .cumulative,
            sources: table.entries.count)
        let question = SampleQuestion(type, from: first, to: last)
        try SampleReader(db, question, table, .measurements).forEach { row in
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

    /// Where the newest samples of a type begin, up to so many of those that begin in a range.
    ///
    /// - Returns: The start of the one that is `count` before the last, in reference seconds; nil if
    ///   the range has fewer.
    /// - Complexity: O(log n + count), in the index alone.
    public func start(
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

    /// The number of samples of a type that begin in a range, the first and the last start.
    ///
    /// - Complexity: O(log n + samples in the range), in the index alone.
    public func starts(
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

    /// The types of which there is at least one sample, by identifier.
    ///
    /// - Complexity: O(types × log n).
    public func presentTypes() throws -> [SampleType] {
        try read { db in
            let codes = try Set(
                Int32.readAll(
                    db,
                    sql: "SELECT code FROM type "
                        + "WHERE EXISTS (SELECT 1 FROM sample WHERE sample.type = type.code)"))
            return try SampleStore.knownTypes(db).values.filter { codes.contains($0.code) }
                .sorted { $0.identifier < $1.identifier }
        }
    }
}

/// Gathers the samples of one type, in order of their starts, by source and day.
private struct ActivityLog {
    private static let earlier = 86_400.0

    private let edges: [Double]
    private let isDivisible: Bool
    /// By source, days with samples.
    var days: [[TypeActivity.Day]]
    /// By source, the times recorded, joined where they touch.
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
            if sample.created < sample.start - ActivityLog.earlier { day.writtenEarly += 1 }
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
        // A sample of two days notes the second one early, so the newest day may not be the last.
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
