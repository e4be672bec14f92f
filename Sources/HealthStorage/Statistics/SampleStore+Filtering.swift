import GRDB
public import HealthEngine

extension SampleStore {
    /// Returns the statistics of all samples that match a request. Samples enter whole, as in a
    /// query without buckets (Semantics §2.3).
    ///
    /// - Parameters:
    ///   - request: The samples.
    ///   - rules: The rules of the merge and the averages.
    ///   - visibility: What the caller may read.
    /// - Returns: One bucket, from the earliest start to the latest end of the samples of included
    ///   sources; nil if there are no such samples. The unit is that of the newest matching sample,
    ///   or the type's canonical unit if that one doesn't fit.
    /// - Throws: ``StoreError`` of code `invalidArgument` if the type has no statistics.
    /// - Complexity: O(n log n) for n samples, all of which are held in memory.
    package func overallStatistics(
        _ request: SampleRequest, rules: StatisticsRules = StatisticsRules(),
        visibility: Visibility = .everything
    ) throws -> StatisticsResult? {
        try read { db in
            let frame = try StatisticsFrame(db, sourceTable(db), request, unit: nil, visibility)
            var batch = SampleBatch(sources: frame.table.sources, origins: frame.table.origins)
            var series = try SeriesExpansion(db, request.type)
            var extent: (first: Double, last: Double)?
            try frame.matcher.forEach { row in
                if !frame.order.excluded.contains(frame.source(of: row)) {
                    let end = row.sample.isUndetermined ? row.sample.start : row.sample.end
                    extent = (extent?.first ?? row.sample.start, max(extent?.last ?? end, end))
                }
                try series.pass(row.sample) { batch.samples.append($0) }
                return .next
            }
            try series.finish { batch.samples.append($0) }
            batch.sort()
            var result = frame.result
            result.buckets = batch.statistics(
                of: frame.aggregation, over: [-.infinity, .infinity],
                conversions: frame.conversions, order: frame.order, rules: rules)
            result.skipped = batch.skippedSamples(
                conversions: frame.conversions, order: frame.order, rules: rules)
            guard !result.buckets.isEmpty, let extent else { return nil }
            result.buckets[0].start = extent.first
            result.buckets[0].end = extent.last
            return result
        }
    }

    /// Returns the statistics of the samples that match a request over buckets of time. The filter
    /// selects samples, and the buckets divide those that cross a boundary (Semantics §2.4).
    ///
    /// - Parameters:
    ///   - request: The samples.
    ///   - edges: The boundaries of the buckets in seconds since the reference date, ascending, for
    ///     example from `CalendarBuckets`. Buckets are half-open.
    ///   - rules: The rules of the merge and the averages.
    ///   - visibility: What the caller may read.
    ///   - unit: The unit of the values; nil for the unit of the newest matching sample, so that
    ///     values in one unit are not converted. If that unit doesn't fit the type, or there is no
    ///     sample, the type's canonical unit is used.
    /// - Returns: The buckets with data.
    /// - Throws: ``StoreError`` of code `invalidArgument` if the type has no statistics or the unit
    ///   doesn't fit it.
    /// - Complexity: O(n log n) for n samples in the range. Memory: the samples of a few buckets at
    ///   a time.
    public func statistics(
        _ request: SampleRequest, over edges: [Double], rules: StatisticsRules = StatisticsRules(),
        visibility: Visibility = .everything, unit: String? = nil
    ) throws -> StatisticsResult {
        let residual = request.filter.residualFilter
        if residual == .everything
            || residual.testsOnlyOrigins && visibility[request.type.code].objects == nil
        {
            var query = SampleQuery(request.type, visibility: visibility)
            query.bounds = request.filter.timeBounds
            query.originFilter = residual
            let unit = try unit ?? recordedUnit(of: request, visibility)
            return try statistics(query, over: edges, unit: unit, rules: rules)
        }
        return try read { db in
            let frame = try StatisticsFrame(db, sourceTable(db), request, unit: unit, visibility)
            guard edges.count > 1, let first = edges.first, let last = edges.last else {
                return frame.result
            }
            let rules = rules.bounded(by: last)
            var sweep = StatisticsSweep(
                of: frame.aggregation, over: edges, origins: frame.table.origins,
                sources: frame.table.entries.count, conversions: frame.conversions,
                order: frame.order, rules: rules)
            var series = try SeriesExpansion(db, request.type)
            let (low, high) = (first - rules.gapTolerance, last + rules.gapTolerance)
            try frame.matcher.forEach(from: low, to: high) { row in
                try series.pass(row.sample) { sweep.add($0) }
                return .next
            }
            try series.finish { sweep.add($0) }
            var result = frame.result
            (result.buckets, result.skipped) = sweep.finish()
            return result
        }
    }

    /// Returns the unit of the newest matching sample, see ``StatisticsFrame/recordedUnit(_:_:)``.
    private func recordedUnit(
        of request: SampleRequest, _ visibility: Visibility
    ) throws -> String? {
        try read { db in
            let table = try sourceTable(db)
            let matcher = RequestMatcher(db, request, table, visibility)
            return try StatisticsFrame.recordedUnit(matcher, table)
        }
    }

    /// Returns the earliest start and the latest end of the samples that match a request.
    ///
    /// - Parameters:
    ///   - request: The samples.
    ///   - visibility: What the caller may read.
    /// - Returns: Times in seconds since the reference date; nil without samples. An undetermined
    ///   end counts as the start.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n + samples of the last day and longer ones) if there is no filter and
    ///   the whole type is visible; O(samples) if there is no filter and visibility is limited.
    ///   With a filter, O(samples up to the first match and from a day before the last match on).
    public func extent(
        of request: SampleRequest, visibility: Visibility = .everything
    ) throws -> (first: Double, last: Double)? {
        if request.filter == .everything, request.type.kind != .correlation {
            return try extent(of: SampleQuery(request.type, visibility: visibility))
        }
        return try read { db in
            let matcher = try RequestMatcher(db, request, sourceTable(db), visibility)
            var first: Double?
            try matcher.forEach { row in
                first = row.sample.start
                return .stop
            }
            guard let first else { return nil }
            var last = first
            try matcher.forEach(.descending) { row in
                last = row.sample.effectiveEnd
                return .stop
            }
            // A sample that starts earlier can end later.
            try matcher.forEach(from: last) { row in
                last = max(last, row.sample.effectiveEnd)
                return .next
            }
            return (first, last)
        }
    }

    /// Returns the sources of the samples that match a request (Semantics §10.2).
    ///
    /// - Parameters:
    ///   - request: The samples.
    ///   - visibility: What the caller may read.
    /// - Returns: The sources, with the versions that recorded the samples.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(samples within the filter's time bounds).
    package func sources(
        _ request: SampleRequest, visibility: Visibility = .everything
    ) throws -> StoredSources {
        try read { db in
            let table = try sourceTable(db)
            var isMatched = [Bool](repeating: false, count: table.origins.count)
            try RequestMatcher(db, request, table, visibility).forEach { row in
                if row.sample.origin >= 0 { isMatched[Int(row.sample.origin)] = true }
                return .next
            }
            let origins = zip(table.origins, isMatched).filter(\.1).map(\.0)
            return SampleStore.sources(of: origins, table)
        }
    }

    private static func sources(of origins: [Origin], _ table: SourceTable) -> StoredSources {
        var sources: [Source] = []
        var index: [Int32: Int32] = [:]
        let matched = Set(origins.map(\.source).filter { $0 >= 0 })
        let byIdentifier = matched.sorted {
            let (a, b) = (table.entries[Int($0)].source, table.entries[Int($1)].source)
            return a.bundleIdentifier < b.bundleIdentifier
        }
        for source in byIdentifier {
            index[source] = Int32(sources.count)
            sources.append(table.entries[Int(source)].source)
        }
        var revisions: [Origin] = []
        for origin in origins {
            guard let source = index[origin.source] else { continue }
            let revision = Origin(
                source: source, version: origin.version, productType: origin.productType,
                operatingSystemVersion: origin.operatingSystemVersion)
            if !revisions.contains(revision) { revisions.append(revision) }
        }
        return StoredSources(sources: sources, revisions: revisions)
    }
}

extension Sample {
    /// The end, or the start if the end is undetermined.
    fileprivate var effectiveEnd: Double { isUndetermined ? start : end }
}

/// The data that statistics of a request need in addition to the samples.
private struct StatisticsFrame {
    let table: SourceTable
    let order: SourceOrder
    let conversions: [UnitConversion?]
    let aggregation: SampleType.Aggregation
    let matcher: RequestMatcher
    /// The result without buckets.
    let result: StatisticsResult

    init(
        _ db: Database, _ table: SourceTable, _ request: SampleRequest, unit: String?,
        _ visibility: Visibility
    ) throws {
        guard let aggregation = request.type.aggregation else {
            throw StoreError(.noStatistics(type: request.type.name))
        }
        self.aggregation = aggregation
        self.table = table
        let settings = try SourceTable.settings(db, type: request.type.code)
        order = table.order(settings)
        matcher = RequestMatcher(db, request, table, visibility)
        let (symbol, target) = try SampleStore.unit(
            unit ?? StatisticsFrame.recordedUnit(matcher, table), of: request.type)
        conversions = SampleStore.conversions(table.origins, to: target)
        result = StatisticsResult(
            type: request.type, unit: symbol, buckets: [], sources: table.sources,
            skipped: SkippedSamples(),
            excluded: table.excluded(settings, order, seenWith: visibility[request.type.code]),
            ranking: order.ranking)
    }

    /// Returns the unit of a request's newest sample. If it doesn't fit the type, or there is no
    /// sample, returns the type's canonical unit; nil if the type has none.
    ///
    /// Only visible samples are considered, so that the unit doesn't reveal others.
    static func recordedUnit(_ matcher: RequestMatcher, _ table: SourceTable) throws -> String? {
        let type = matcher.request.type
        // An invalid unit string, here and below, is treated like a missing unit.
        guard let canonical = type.canonicalUnit, let target = try? HealthUnit(canonical) else {
            return nil
        }
        var recorded = canonical
        try matcher.forEach(.descending) { row in
            guard row.sample.origin >= 0,
                let symbol = table.origins[Int(row.sample.origin)].unit,
                let unit = try? HealthUnit(symbol), unit.isCompatible(with: target)
            else { return .stop }
            recorded = symbol
            return .stop
        }
        return recorded
    }

    /// Returns the index of a row's source; -1 for none.
    func source(of row: MatchedRow) -> Int32 {
        row.sample.origin < 0 ? -1 : table.origins[Int(row.sample.origin)].source
    }
}
