import GRDB
public import HealthEngine

extension SampleStore {
    /// Returns the samples that match any of the requests, each once, as recorded. Samples are not
    /// merged.
    ///
    /// ```swift
    /// let heartRate = SampleRequest(try store.type(named: "heartRate"))
    /// let newest = try store.objects(
    ///     [heartRate], sortedBy: [SampleSort(.start, .descending)], limit: 1)
    /// newest.batch.samples.first?.value   // 62, in the unit of its origin
    /// ```
    /// Members of correlations are included. Unless they match themselves, they follow the first
    /// ``StoredSamples/count`` samples.
    ///
    /// - Parameters:
    ///   - requests: The samples to return.
    ///   - sortedBy: The sort keys. Samples that are equal by all keys, or all samples if there are
    ///     no keys, are in order of start, then of sequence number (Semantics §9.9).
    ///   - limit: The maximum number of samples, without members of correlations; nil for no limit.
    ///   - visibility: What the caller may read. A correlation is visible if all its members are
    ///     (§8.10).
    /// - Returns: The samples with their UUIDs.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n + samples within the filters' time bounds). If the first key is the
    ///   start, or there are no keys, a limit ends the read early.
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
                var seen: Set<Int64> = []
                rows = rows.filter { seen.insert($0.sample.sequence).inserted }
            }
            try SampleStore.sort(&rows, by: sortedBy, db)
            if let limit, rows.count > limit { rows.removeLast(rows.count - max(limit, 0)) }
            return try SampleAssembly(db, table, visibility).samples(rows)
        }
    }

    /// Appends all matches. If they are sorted by start, stops after the limit, but includes all
    /// matches with the start of the last one.
    private static func collect(
        _ matcher: RequestMatcher, _ sorts: [SampleSort], _ limit: Int?,
        into rows: inout [MatchedRow]
    ) throws {
        let first = rows.count
        let isByStart = (sorts.first?.key ?? .start) == .start
        let maximum = isByStart ? limit ?? .max : .max
        try matcher.forEach(sorts.first?.direction ?? .ascending) { row in
            if rows.count - first >= maximum {
                if maximum == 0 || rows.last?.sample.start != row.sample.start { return .stop }
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

    /// Returns the UUIDs of which a sample is stored.
    ///
    /// - Parameter uuids: The UUIDs to look up.
    /// - Returns: Those that are stored.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(UUIDs · log n).
    public func storedUUIDs(among uuids: [SampleUUID]) throws -> Set<SampleUUID> {
        try read { db in
            let rows = try StoredRows(db)
            return Set(try uuids.filter { try rows.find($0) != nil })
        }
    }

    /// Returns the sample with a UUID.
    ///
    /// - Parameters:
    ///   - uuid: The UUID.
    ///   - visibility: What the caller may read.
    /// - Returns: The sample; nil if it isn't stored or isn't visible.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n).
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

/// The values by which workouts are sorted, read once for all rows.
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

    /// Returns the value of a row; negative infinity if it is unknown.
    func value(_ row: MatchedRow, _ key: SampleSort.Key) -> Double {
        switch key {
        case .start: row.sample.start
        case .end: row.sample.end
        default: values[Place(sequence: row.sample.sequence, key: key)] ?? -.infinity
        }
    }
}

extension SampleSort.Key {
    /// The total by which workouts are sorted, and the unit in which it is compared; nil for other
    /// keys.
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
