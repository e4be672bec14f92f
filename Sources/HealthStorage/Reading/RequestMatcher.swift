import GRDB
import HealthEngine

/// Selects the rows of one type that match a request. Only the rows that the filter's UUIDs,
/// containers or time bounds allow are read.
///
/// ```
/// filter.uuids, containers ─► single rows          ┐
/// filter.timeBounds        ─► a range of the index ┴─► visible? ─► filter.matches
/// ```
final class RequestMatcher {
    typealias Direction = SampleSort.Direction
    typealias Continuation = SampleReader.Continuation

    let request: SampleRequest
    let grant: Visibility.Grant
    private let db: Database
    private let table: SourceTable
    private let visibility: Visibility
    private let bounds: TimeBounds
    /// The UUIDs of which a match must have one; nil if the filter has no such condition.
    private let uuids: Set<SampleUUID>?
    /// The conditions of the filter that ``bounds`` and ``uuids`` don't cover.
    private let remainingFilter: SampleFilter
    /// ``remainingFilter`` for tombstones. Conditions on data that a tombstone doesn't keep count
    /// as fulfilled.
    private let tombstoneFilter: SampleFilter
    /// ``remainingFilter`` for tombstones of an undone import. Conditions on metadata, which was
    /// deleted with it, count as fulfilled too.
    private let undoneTombstoneFilter: SampleFilter
    /// The earliest start of matching samples, by origin index. NaN if no samples of the origin
    /// match.
    private let earliestStarts: [Double]
    /// The earliest start of matching samples without a source; NaN if none match.
    private let earliestSourcelessStart: Double
    private var facts: StoredFacts?
    private var members: PreparedStatement<MemberColumn>?

    private enum MemberColumn: Int32, StatementField { case type, source, startTime }

    init(
        _ db: Database, _ request: SampleRequest, _ table: SourceTable, _ visibility: Visibility
    ) {
        self.db = db
        self.request = request
        self.table = table
        self.visibility = visibility
        let grant = visibility[request.type.code]
        self.grant = grant
        var bounds = request.filter.timeBounds
        if let earliest = grant.earliestOfAny {
            let first = TimeBounds.Limit(earliest, isIncluded: true)
            if bounds.start.lower?.time ?? -.infinity < earliest { bounds.start.lower = first }
        }
        self.bounds = bounds
        uuids = request.filter.uuids
        remainingFilter = request.filter.residualFilter.withoutUUIDs
        tombstoneFilter = remainingFilter.relaxed()
        undoneTombstoneFilter = remainingFilter.relaxedForUndo()
        let named = request.filter.bundleIdentifiers
        let earliestSourcelessStart =
            named == nil && grant.onlySource == nil ? grant.earliest ?? -.infinity : .nan
        self.earliestSourcelessStart = earliestSourcelessStart
        earliestStarts = table.origins.map { origin in
            guard origin.source >= 0 else { return earliestSourcelessStart }
            let entry = table.entries[Int(origin.source)]
            guard named?.contains(entry.source.bundleIdentifier) ?? true,
                grant.shows(source: entry.id)
            else { return .nan }
            return grant.earliest(of: entry.id)
        }
    }

    /// Whether it is certain without a read that no row matches.
    var isEmpty: Bool {
        grant.isHidden || bounds.isEmpty || remainingFilter == .nothing || uuids?.isEmpty == true
    }

    // MARK: - One row

    /// Returns whether a stored row of the request's type matches.
    @inline(__always)
    func accepts(_ row: MatchedRow) throws -> Bool {
        guard isWithinBounds(row) else { return false }
        if remainingFilter != .everything, try !matches(row, remainingFilter) { return false }
        return request.type.kind != .correlation || visibility == .everything
            ? true : try membersAreVisible(row.sample.sequence)
    }

    /// Returns whether a tombstone matches. Conditions on data that a tombstone doesn't keep count
    /// as fulfilled. A client that never had the sample ignores the deletion, but one that had it
    /// must receive it (Semantics §6.3, §6.5).
    func acceptsTombstone(_ row: MatchedRow, memberTypes: [Int32]?) throws -> Bool {
        guard isWithinBounds(row) else { return false }
        // Undoing an import can delete the origin. Then only times and UUIDs are checked.
        let filter =
            row.isImported && row.metadata == 0 ? undoneTombstoneFilter : tombstoneFilter
        if row.sample.origin >= 0, filter != .everything, try !matches(row, filter) {
            return false
        }
        guard request.type.kind == .correlation, visibility != .everything else { return true }
        let types =
            memberTypes
            ?? request.type.requiredMembers.compactMap { Catalogue.type(named: $0)?.code }
        let id = sourceID(of: row)
        return types.allSatisfy { visibility[$0].shows(source: id, start: row.sample.start) }
    }

    @inline(__always)
    private func isWithinBounds(_ row: MatchedRow) -> Bool {
        guard !grant.isHidden, bounds.start.contains(row.sample.start),
            bounds.end.contains(row.sample.end)
        else { return false }
        if let uuids, !uuids.contains(row.uuid) { return false }
        guard grant.shows(row.uuid, source: sourceID(of: row)) else { return false }
        let origin = Int(row.sample.origin)
        return row.sample.start >= (origin < 0 ? earliestSourcelessStart : earliestStarts[origin])
    }

    /// Returns the id of the row's source in the store; 0 for none.
    func sourceID(of row: MatchedRow) -> Int64 {
        let origin = Int(row.sample.origin)
        let source = origin < 0 ? -1 : table.origins[origin].source
        return source < 0 ? 0 : table.entries[Int(source)].id
    }

    private func matches(_ row: MatchedRow, _ filter: SampleFilter) throws -> Bool {
        let facts = self.facts ?? StoredFacts(db, table, request.type, row)
        self.facts = facts
        facts.row = row
        let isMatch = filter.matches(facts)
        try facts.rethrow()
        return isMatch
    }

    /// Returns whether all members of a correlation are visible, without which it is hidden
    /// (Semantics §8.10).
    private func membersAreVisible(_ sequence: Int64) throws -> Bool {
        let members =
            try self.members
            ?? PreparedStatement(
                db,
                "SELECT \(MemberColumn.columns) FROM membership "
                    + "JOIN sample ON sequence = child JOIN origin ON origin.id = origin "
                    + "WHERE parent = \(SingleField.value)")
        self.members = members
        var areVisible = true
        try members.forEach(sequence) { row in
            let grant = visibility[Int32(truncatingIfNeeded: row.int(.type))]
            areVisible =
                areVisible
                && grant.shows(source: row.int(.source), start: row.double(.startTime))
        }
        return areVisible
    }

    // MARK: - All rows

    /// Calls `body` with every matching row in order of start and key, until it returns `stop`.
    ///
    /// - Parameters:
    ///   - direction: Whether the order is ascending or descending.
    ///   - low: Samples that end before this time are left out.
    ///   - high: Samples that start after this time are left out.
    /// - Complexity: O(log n + rows within the time bounds and up to a day before). If the filter
    ///   names UUIDs or containers, O(m log n) for m UUIDs or members.
    func forEach(
        _ direction: Direction = .ascending, from low: Double = -.infinity,
        to high: Double = .infinity, _ body: (MatchedRow) throws -> Continuation
    ) throws {
        if isEmpty { return }
        try SampleReader.requireTimes(ofType: request.type, db)
        if let rows = try candidates() {
            let sorted = rows.sorted { a, b in
                let (a, b) = direction == .ascending ? (a, b) : (b, a)
                return (a.sample.start, a.sample.key) < (b.sample.start, b.sample.key)
            }
            for row in sorted where row.sample.end >= low && row.sample.start <= high {
                if try accepts(row), try body(row) == .stop { return }
            }
            return
        }
        let span = RowSpan(bounds, from: low, to: high)
        let passes = direction == .ascending ? span.passes : span.passes.reversed()
        for pass in passes where try scan(pass, direction, from: low, body) == .stop { return }
    }

    private func scan(
        _ pass: RowSpan.Pass, _ direction: Direction, from low: Double,
        _ body: (MatchedRow) throws -> Continuation
    ) throws -> Continuation {
        let order = direction == .ascending ? "" : " DESC"
        let statement = try StoreStatement<RowSpan.Parameter, MatchedRow.Column>(
            kept: db,
            "SELECT \(MatchedRow.Column.columns) FROM sample \(pass.sql) "
                + "ORDER BY start_time\(order), key\(order)")
        try statement.bind(request.type.code, to: .type)
        try statement.bind(pass.low, to: .low)
        try statement.bind(pass.high, to: .high)
        if let end = pass.end { try statement.bind(end, to: .end) }
        while try statement.step() {
            let row = try MatchedRow(statement, table)
            if row.sample.end < low { continue }
            if try accepts(row), try body(row) == .stop { return .stop }
        }
        return .next
    }

    /// Returns the rows that a filter names by UUID or container; nil if it doesn't.
    private func candidates() throws -> [MatchedRow]? {
        let rows = try StoredRows(db)
        if let uuids {
            return try read(Set(try uuids.compactMap { try rows.find($0)?.sequence }))
        }
        guard let containers = request.filter.containers else { return nil }
        var sequences: Set<Int64> = []
        for container in try containers.compactMap({ try SampleStore.container($0, db) }) {
            sequences.formUnion(container.members)
            guard let inferred = container.inferred,
                SampleStore.canBeInferredMember(request.type.kind)
            else { continue }
            sequences.formUnion(
                try Int64.readSet(
                    db,
                    sql: "SELECT sequence FROM sample JOIN origin ON origin.id = origin "
                        + "WHERE type = ? AND start_time BETWEEN ? AND ? AND end_time <= ? "
                        + "AND source = ?",
                    arguments: [
                        request.type.code, inferred.start, inferred.end, inferred.end,
                        inferred.source,
                    ]))
        }
        return try read(sequences)
    }

    /// Returns the row of the request's type with a sequence number; nil if there is none.
    func row(_ sequence: Int64) throws -> MatchedRow? { try read([sequence]).first }

    private func read(_ sequences: Set<Int64>) throws -> [MatchedRow] {
        let statement = try PreparedStatement<MatchedRow.Column>(
            db,
            "SELECT \(MatchedRow.Column.columns) FROM sample WHERE sequence = \(SingleField.value)")
        var rows: [MatchedRow] = []
        for sequence in sequences {
            try statement.forEach(sequence) { row in
                let row = try MatchedRow(row, table)
                if row.sample.type == request.type.code { rows.append(row) }
            }
        }
        return rows
    }
}

/// The ranges of the indexes `sample_order` and `sample_long` that can contain samples within some
/// bounds.
struct RowSpan {
    enum Parameter: Int32, StatementField { case type, low, high, end }

    /// A range of an index: rows of a type whose start is between `low` and `high`.
    struct Pass {
        var sql: String
        var low: Double
        var high: Double
        /// The earliest end of samples longer than a day; nil for a pass over all samples.
        var end: Double?
    }

    /// One or two passes in order of start. The boundary of two passes is a day before the earliest
    /// end. The first pass covers samples longer than a day that start before the boundary; the
    /// second covers all samples from the boundary on.
    let passes: [Pass]

    /// - Parameters:
    ///   - from: The earliest end of interest.
    ///   - to: The latest start of interest.
    init(_ bounds: TimeBounds, from: Double, to: Double) {
        let low = bounds.start.lower?.time ?? -.infinity
        // A sample starts no later than it ends.
        let high = min(
            to, bounds.start.upper?.time ?? .infinity, bounds.end.upper?.time ?? .infinity)
        let end = max(from, bounds.end.lower?.time ?? -.infinity)
        let ordinary =
            "WHERE type = \(Parameter.type) "
            + "AND start_time BETWEEN \(Parameter.low) AND \(Parameter.high)"
        if end - LongSample.limit <= low {
            passes = [Pass(sql: ordinary, low: low, high: high)]
            return
        }
        // Samples of exactly a day, and all that start at the boundary, belong only to the second
        // pass.
        passes = [
            Pass(
                sql: "INDEXED BY sample_long WHERE type = \(Parameter.type) "
                    + "AND start_time >= \(Parameter.low) AND start_time < \(Parameter.high) "
                    + "AND \(LongSample.condition) AND end_time >= \(Parameter.end)",
                low: low, high: min(end - LongSample.limit, high.nextUp), end: end),
            Pass(sql: ordinary, low: end - LongSample.limit, high: high),
        ]
    }
}

extension SampleFilter {
    /// The filter without its conditions on UUIDs that ``uuids`` covers. A lookup in that set
    /// replaces the scan of a long list for each sample.
    fileprivate var withoutUUIDs: SampleFilter {
        switch self {
        case .test(.uuid, .oneOf), .test(.uuid, .compare(.equal, .uuid)): return .everything
        case .and(let filters):
            let remaining = filters.map(\.withoutUUIDs).filter { $0 != .everything }
            return remaining.isEmpty ? .everything : .and(remaining)
        default: return self
        }
    }

    /// Returns a filter in which conditions on data that a tombstone doesn't keep count as
    /// fulfilled.
    func relaxed() -> SampleFilter { relaxed(towards: .everything, \.isInTombstone) }

    /// Returns a filter in which conditions on metadata, and on data that a tombstone doesn't keep,
    /// count as fulfilled. It is for tombstones of an undone import.
    func relaxedForUndo() -> SampleFilter { relaxed(towards: .everything, \.isInUndoneTombstone) }

    private func relaxed(
        towards unknown: SampleFilter, _ isKnown: (Attribute) -> Bool
    ) -> SampleFilter {
        switch self {
        case .everything, .nothing: self
        case .and(let filters): .and(filters.map { $0.relaxed(towards: unknown, isKnown) })
        case .or(let filters): .or(filters.map { $0.relaxed(towards: unknown, isKnown) })
        case .not(let filter):
            .not(
                filter.relaxed(
                    towards: unknown == .everything ? .nothing : .everything, isKnown))
        case .test(let attribute, _): isKnown(attribute) ? self : unknown
        case .memberOf, .hasNoCorrelation, .workoutActivity: unknown
        }
    }
}

extension SampleFilter.Attribute {
    /// Whether the tombstone of an undone import's sample keeps the attribute.
    fileprivate var isInUndoneTombstone: Bool {
        if case .metadata = self { false } else { isInTombstone }
    }

    /// Whether a tombstone keeps the attribute.
    fileprivate var isInTombstone: Bool {
        switch self {
        case .start, .end, .uuid, .type, .source, .sourceName, .sourceVersion, .productType,
            .operatingSystem, .device, .metadata:
            true
        case .quantity, .quantityCount, .categoryValue, .workoutActivityType, .workoutDuration,
            .workoutTotal, .workoutStatistic, .day, .valence, .stateOfMindKind, .stateOfMindLabel,
            .stateOfMindAssociation, .electrocardiogramClassification,
            .electrocardiogramSymptomsStatus, .electrocardiogramHeartRate, .clinical, .doseStatus,
            .doseMedication, .doseScheduled, .medicationIsArchived, .medicationHasSchedule:
            false
        }
    }
}
