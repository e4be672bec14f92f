import GRDB
public import HealthEngine

extension SampleStore {
    /// The samples that any of the requests is about, each once, as recorded: nothing is merged.
    ///
    /// ```swift
    /// let newest = try store.objects(
    ///     [SampleRequest(.heartRate)], sortedBy: [SampleSort(.start, .descending)], limit: 1)
    /// ```
    /// Members of correlations come with them, behind the first ``StoredSamples/count`` samples
    /// unless they are part of the answer themselves.
    ///
    /// - Parameters:
    ///   - sortedBy: Samples that are equal by all keys stand by start, then by the number of their
    ///     change, as all do where there is no key (Semantics §9.9).
    ///   - limit: The most samples to return, members of correlations not counted; nil for all.
    ///   - visibility: What may be seen. A correlation is seen if all its members are (§8.10).
    /// - Throws: ``StoreError``.
    /// - Complexity: O(log n + samples within the filters' time bounds); a limit stops the read early
    ///   where the order is by start.
    public func objects(
        _ requests: [SampleRequest], sortedBy: [SampleSort] = [], limit: Int? = nil,
        visibility: Visibility = .everything
    ) throws -> StoredSamples {
        try read { db in
            let table = try sourceTable(db)
            var rows: [MatchedRow] = []
            for request in requests {
                let matcher = RequestMatcher(db, request, table, visibility)
                try SampleStore.collect(matcher, sortedBy, limit, into: &rows)
            }
            if requests.count > 1 {
                var met: Set<Int64> = []
                rows = rows.filter { met.insert($0.sample.sequence).inserted }
            }
            try SampleStore.sort(&rows, by: sortedBy, db)
            if let limit, rows.count > limit { rows.removeLast(rows.count - max(limit, 0)) }
            return try SampleAssembly(db, table, visibility).samples(rows)
        }
    }

    /// Every match, or the first ones where the order is that of the index; all of equal start.
    private static func collect(
        _ matcher: RequestMatcher, _ sorts: [SampleSort], _ limit: Int?,
        into rows: inout [MatchedRow]
    ) throws {
        let first = rows.count
        let isByStart = (sorts.first?.key ?? .start) == .start
        let most = isByStart ? limit ?? .max : .max
        try matcher.forEach(sorts.first?.direction ?? .ascending) { row in
            if rows.count - first >= most {
                if most == 0 || rows.last?.sample.start != row.sample.start { return .stop }
            }
            rows.append(row)
            return .next
        }
    }

    private static func sort(
        _ rows: inout [MatchedRow], by sorts: [SampleSort], _ db: Database
    ) throws {
        let totals = try WorkoutTotals(rows, sorts, db)
        func precedes(_ a: MatchedRow, _ b: MatchedRow) -> Bool {
            for sort in sorts {
                let (x, y) = (totals.value(a, sort.key), totals.value(b, sort.key))
                if x != y { return sort.direction == .ascending ? x < y : x > y }
            }
            if a.sample.start != b.sample.start { return a.sample.start < b.sample.start }
            return a.sample.sequence < b.sample.sequence
        }
        let isSorted = zip(rows, rows.dropFirst()).allSatisfy { !precedes($1, $0) }
        if !isSorted { rows.sort(by: precedes) }
    }

    /// Those of some UUIDs of which a sample is stored.
    ///
    /// - Complexity: O(UUIDs · log n).
    public func storedUUIDs(among uuids: [SampleUUID]) throws -> Set<SampleUUID> {
        try read { db in
            let rows = try StoredRows(db)
            return Set(try uuids.filter { try rows.find($0) != nil })
        }
    }

    /// The sample of a UUID; nil if none is stored or may be seen.
    public func object(
        _ uuid: SampleUUID, visibility: Visibility = .everything
    ) throws -> StoredSamples? {
        let type = try read { db in
            try StoredRows(db).find(uuid).flatMap { try SampleStore.knownTypes(db)[$0.type] }
        }
        guard let type else { return nil }
        let request = SampleRequest(type, .test(.uuid, .compare(.equal, .uuid(uuid))))
        let samples = try objects([request], visibility: visibility)
        return samples.count == 0 ? nil : samples
    }
}

/// What workouts are sorted by, read once for all rows.
private struct WorkoutTotals {
    private struct Place: Hashable {
        var sequence: Int64
        var key: SampleSort.Key
    }

    private var values: [Place: Double] = [:]

    init(_ rows: [MatchedRow], _ sorts: [SampleSort], _ db: Database) throws {
        let keys = Set(sorts.map(\.key)).subtracting([.start, .end])
        if keys.isEmpty { return }
        let details = try DetailReader(db)
        for row in rows {
            guard case .workout(let workout) = try details.detail(row.sample.sequence) else {
                continue
            }
            for key in keys {
                let length = row.sample.end - row.sample.start
                values[Place(sequence: row.sample.sequence, key: key)] =
                    key == .workoutDuration
                    ? workout.duration ?? length
                    : key.total.flatMap { workout.total($0, in: $1) }
            }
        }
    }

    /// What is not known comes before everything.
    func value(_ row: MatchedRow, _ key: SampleSort.Key) -> Double {
        switch key {
        case .start: row.sample.start
        case .end: row.sample.end
        default: values[Place(sequence: row.sample.sequence, key: key)] ?? -.infinity
        }
    }
}

extension SampleSort.Key {
    /// The total that workouts are put in order by, and the unit they are compared in.
    fileprivate var total: (SampleFilter.WorkoutTotal, unit: String)? {
        switch self {
        case .workoutTotalDistance: (.distance, "m")
        case .workoutTotalEnergyBurned: (.energyBurned, "kcal")
        case .workoutTotalSwimmingStrokeCount: (.swimmingStrokeCount, "count")
        case .workoutTotalFlightsClimbed: (.flightsClimbed, "count")
        case .start, .end, .workoutDuration: nil
        }
    }
}
