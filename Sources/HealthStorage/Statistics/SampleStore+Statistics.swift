import GRDB
public import HealthEngine
import Synchronization

/// The statistics of one type over buckets, with the data needed to interpret them.
public struct StatisticsResult: Sendable {
    /// The type.
    public var type: SampleType
    /// The unit of all values.
    public var unit: String
    /// The buckets with data, in order.
    public var buckets: [Statistics]
    /// The sources to which the indices in `Statistics.bySource` refer.
    public var sources: [Source]
    /// Samples that were left out because their unit is unknown or doesn't fit the type, or because
    /// their times or values are invalid.
    public var skipped: SkippedSamples
    /// Sources that were left out because they are excluded, with the reason.
    public var excluded: [ExcludedSource]
    /// The source indices, highest priority first, including excluded sources.
    public var ranking: [Int32]
}

/// The durations by value of one category type over buckets, with the data needed to interpret
/// them.
public struct CategoryStatisticsResult: Sendable {
    /// The type.
    public var type: SampleType
    /// The buckets with data, in order. Durations are in seconds.
    public var buckets: [CategoryStatistics]
    /// The sources to which the indices in `CategoryStatistics.bySource` refer.
    public var sources: [Source]
    /// Sources that were left out because they are excluded, with the reason.
    public var excluded: [ExcludedSource]
    /// The source indices, highest priority first, including excluded sources.
    public var ranking: [Int32]
}

/// A source that is excluded from statistics of a type.
public struct ExcludedSource: Hashable, Sendable {
    /// The source.
    public var source: Source
    /// The reason: "day totals" if the importer excluded the source, "chosen" if a person did.
    public var reason: String
}

extension SampleStore {
    /// Returns the statistics of a quantity type over buckets of time, merged without double
    /// counting.
    ///
    /// The newest results are cached, except for types with details such as series. A repeated call
    /// recalculates only the buckets near samples that were saved, changed or deleted since. It
    /// recalculates all if these are half of the buckets or more, or if samples were skipped.
    ///
    /// - Parameters:
    ///   - query: The type, and optionally the range, the sources and the visibility. A range
    ///     beyond the buckets has no effect.
    ///   - edges: The boundaries of the buckets in seconds since the reference date, ascending, for
    ///     example from `CalendarBuckets`. Buckets are half-open.
    ///   - unit: The unit of the values, into which each value is converted directly from its
    ///     recorded unit; nil for the type's display unit.
    ///   - rules: The rules of the merge and the averages.
    /// - Returns: The buckets with data.
    /// - Throws: ``StoreError`` if the type has no statistics or the unit doesn't fit it. Also if a
    ///   source name in the query matches no source or several.
    /// - Complexity: O(samples in the range · sources). A repeated call takes O(buckets + samples
    ///   of the recalculated buckets). Memory: the samples of a few buckets at a time, and the
    ///   cached results. Calculations over more than about 30,000 samples use a second thread.
    public func statistics(
        _ query: SampleQuery, over edges: [Double], unit: String? = nil,
        rules: StatisticsRules = StatisticsRules()
    ) throws -> StatisticsResult {
        guard let aggregation = query.type.aggregation else {
            throw StoreError(.noStatistics(type: query.type.name))
        }
        let unit = try SampleStore.unit(unit, of: query.type)
        let key = StatisticsCache.Key(
            type: query.type.code, from: query.from, to: query.to,
            bounds: query.bounds, sources: query.sources, originFilter: query.originFilter,
            grant: query.visibility[query.type.code],
            edges: edges, unit: unit.0, rules: rules, windowSize: query.windowSize)
        return try read { db in
            let version = try SourceTable.FileVersion(db)
            let known = statisticsCache.withLock { $0.entry(key) }
            if let known, known.version == version { return known.result }
            let table = try sourceTable(db)
            let reading = try StatisticsReader(
                query, aggregation, over: edges, unit: unit, rules: rules, table, db)
            // Additions to a series are not in the edit log.
            if try SeriesExpansion(db, query.type).isNeeded { return try reading.result() }
            let inputs = reading.inputs
            var result: StatisticsResult?
            if let known, known.inputs.canUpdate(to: inputs),
                let spans = try EditLog.spans(ofType: key.type, after: known.edit, db)
            {
                result = try reading.result(after: known, edited: spans)
            }
            let found = try result ?? reading.result()
            let entry = StatisticsCache.Entry(
                key: key, inputs: inputs, result: found, version: version,
                edit: try EditLog.last(db))
            statisticsCache.withLock { $0.insert(entry) }
            return found
        }
    }

    /// Returns the durations by value of a category type over buckets of time.
    ///
    /// At each time, only the highest-priority source with a sample counts. Within a source,
    /// different values may overlap, such as in bed and asleep. The duration of a value is the
    /// length of the union of its samples.
    ///
    /// - Parameters:
    ///   - query: The type, and optionally the range, the sources and the visibility.
    ///   - edges: The boundaries of the buckets in seconds since the reference date, ascending.
    ///     Buckets are half-open.
    ///   - rules: The rules of the merge.
    /// - Returns: The buckets with data.
    /// - Throws: ``StoreError`` if the type isn't a category type, or a source name in the query
    ///   matches no source or several.
    /// - Complexity: O(n log n) for n samples in the range.
    public func categoryStatistics(
        _ query: SampleQuery, over edges: [Double], rules: StatisticsRules = StatisticsRules()
    ) throws -> CategoryStatisticsResult {
        guard query.type.kind == .category else {
            throw StoreError(.noDurations(type: query.type.name))
        }
        return try read { db in
            let table = try sourceTable(db)
            let settings = try SourceTable.settings(db, type: query.type.code)
            let order = table.order(settings)
            var result = CategoryStatisticsResult(
                type: query.type, buckets: [], sources: table.sources,
                excluded: table.excluded(
                    settings, order, seenWith: query.visibility[query.type.code]),
                ranking: order.ranking)
            let rules = rules.bounded(by: edges.last ?? .infinity)
            var windows = SampleWindows(
                edges: edges, reach: rules.gapTolerance, table: table, size: query.windowSize)
            try windows.read(query, table, db) { batch, edges in
                result.buckets += batch.categoryStatistics(over: edges, order: order, rules: rules)
            }
            return result
        }
    }

    /// Returns the earliest start and the latest end of a query's samples.
    ///
    /// - Parameter query: The samples.
    /// - Returns: Times in seconds since the reference date; nil without samples. An undetermined
    ///   end counts as the start.
    /// - Throws: ``StoreError`` if the file can't be read, or a source name in the query matches no
    ///   source or several.
    /// - Complexity: O(log n + samples of the last day and longer ones) for a whole type;
    ///   O(samples) with sources, a range or limited visibility.
    public func extent(of query: SampleQuery) throws -> (first: Double, last: Double)? {
        try read { db in
            let isWholeType =
                query.sources.isEmpty && query.from == -.infinity
                && query.to == .infinity && query.visibility[query.type.code] == .all
            if isWholeType { return try SampleStore.extent(ofType: query.type.code, db) }
            let reader = try SampleReader(db, query, sourceTable(db))
            var extent: (first: Double, last: Double)?
            try reader.forEach { row in
                let end = row.sample.isUndetermined ? row.sample.start : row.sample.end
                extent = (extent?.first ?? row.sample.start, max(extent?.last ?? end, end))
                return .next
            }
            return extent
        }
    }

    private enum ExtentParameter: Int32, StatementField { case type, undetermined }

    private enum ExtentColumn: Int32, StatementField {
        case first, lastStart, lastEnd, longEnd

        // The results are named like columns that hold times, so that ``ColumnRule`` checks them as
        // times.
        var sql: String {
            switch self {
            case .first:
                """
                (SELECT min(start_time) FROM sample
                    WHERE type = \(ExtentParameter.type)) AS start_time
                """
            case .lastStart: "max(start_time) AS start_time"
            case .lastEnd:
                """
                (SELECT max(end_time) FROM sample WHERE type = \(ExtentParameter.type)
                    AND end_time < \(ExtentParameter.undetermined) AND start_time >= (
                        SELECT max(start_time) FROM sample
                        WHERE type = \(ExtentParameter.type))
                        - \(Int(LongSample.limit))) AS end_time
                """
            case .longEnd:
                """
                (SELECT max(end_time) FROM sample WHERE type = \(ExtentParameter.type)
                    AND end_time < \(ExtentParameter.undetermined)
                    AND \(LongSample.condition)) AS end_time
                """
            }
        }
    }

    /// Returns the earliest start and the latest end of a type's samples. Only samples that start
    /// in the 24 hours up to the last start, or that are longer than 24 hours, can have the latest
    /// end.
    static func extent(
        ofType type: Int32, _ db: Database
    ) throws -> (first: Double, last: Double)? {
        let rows = try StoreStatement<ExtentParameter, ExtentColumn>(
            kept: db,
            "SELECT \(ExtentColumn.columns) FROM sample WHERE type = \(ExtentParameter.type)")
        try rows.bind(type, to: .type)
        try rows.bind(Sample.undeterminedEnd, to: .undetermined)
        guard try rows.step(), !rows.isNull(.first) else { return nil }
        let first = rows.double(.first)
        var last: Double?
        for column in [ExtentColumn.lastStart, .lastEnd, .longEnd] where !rows.isNull(column) {
            last = max(last ?? -.infinity, rows.double(column))
        }
        return (first, last ?? first)
    }

    /// Returns the symbol and the unit that are requested, or those of the type's display unit.
    ///
    /// - Throws: ``StoreError`` if the unit is unknown or doesn't fit the type.
    static func unit(_ requested: String?, of type: SampleType) throws -> (String, HealthUnit) {
        guard let usual = type.displayUnit ?? type.canonicalUnit else {
            throw StoreError(.noDefaultUnit(type: type.name))
        }
        do {
            let unit = try HealthUnit(requested ?? usual)
            _ = try HealthUnit(usual).conversion(to: unit)
            return (requested ?? usual, unit)
        } catch {
            throw StoreError(
                .unitMismatch(type: type.name, unit: requested ?? usual, detail: "\(error)"))
        }
    }

    /// Returns the conversion of each origin's unit into another; nil if the unit is unknown or
    /// doesn't fit.
    static func conversions(_ origins: [Origin], to target: HealthUnit) -> [UnitConversion?] {
        var known: [String: UnitConversion?] = [:]
        return origins.map { origin in
            guard let symbol = origin.unit else { return nil }
            if let conversion = known[symbol] { return conversion }
            // Values without a conversion are left out.
            let conversion = try? HealthUnit(symbol).conversion(to: target)
            known[symbol] = .some(conversion)
            return conversion
        }
    }

}

extension SampleQuery {
    /// Returns the query extended to all samples that can affect buckets.
    ///
    /// A bound that lies at or beyond the first or last boundary is moved to that boundary and
    /// extended by `reach`. A bound inside the buckets stays.
    ///
    /// - Parameter reach: How far outside a bucket samples can affect it, in seconds
    ///   (``StatisticsRules/gapTolerance``).
    func reaching(_ edges: [Double], beyond reach: Double) -> SampleQuery {
        guard edges.count > 1, let first = edges.first, let last = edges.last else { return self }
        var query = self
        if from <= first { query.from = first - reach }
        if to >= last { query.to = last + reach }
        return query
    }
}

extension SourceTable {
    /// Returns the visible excluded sources in order of rank, each with its reason.
    func excluded(
        _ settings: [Int64: Setting], _ order: SourceOrder, seenWith grant: Visibility.Grant
    ) -> [ExcludedSource] {
        order.ranking.filter(order.excluded.contains).compactMap { index in
            let entry = entries[Int(index)]
            guard grant.shows(source: entry.id) else { return nil }
            return ExcludedSource(source: entry.source, reason: settings[entry.id]?.reason ?? "")
        }
    }
}
