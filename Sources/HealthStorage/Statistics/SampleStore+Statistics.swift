import GRDB
public import HealthEngine
import Synchronization

/// Statistics of one type with what is needed to read them.
public struct StatisticsAnswer: Sendable {
    public var type: SampleType
    /// The unit of all values.
    public var unit: String
    /// Populated buckets, in order.
    public var buckets: [Statistics]
    /// What the source indices in ``Statistics/bySource`` mean.
    public var sources: [Source]
    /// Samples that took no part because their unit is unknown or doesn't fit the type, or their
    /// times make no sense.
    public var skipped: SkippedSamples
    /// Sources that took no part because they are excluded, with the reason.
    public var excluded: [ExcludedSource]
    /// Source indices, the winner first.
    public var ranking: [Int32]
}

/// Seconds per value of one category type with what is needed to read them.
public struct CategoryStatisticsAnswer: Sendable {
    public var type: SampleType
    /// Populated buckets, in order.
    public var buckets: [CategoryStatistics]
    /// What the source indices in ``CategoryStatistics/bySource`` mean.
    public var sources: [Source]
    /// Sources that took no part because they are excluded, with the reason.
    public var excluded: [ExcludedSource]
    /// Source indices, the winner first.
    public var ranking: [Int32]
}

/// A source that takes no part in statistics of a type.
public struct ExcludedSource: Hashable, Sendable {
    public var source: Source
    /// "day totals" where the importer set it aside, "chosen" where a person did.
    public var reason: String
}

extension SampleStore {
    /// Statistics of a quantity type over buckets of time, each source's doubles counted once.
    ///
    /// - Parameters:
    ///   - question: Type, sources and visibility; its range is narrowed to the edges.
    ///   - edges: Bucket borders in reference seconds, ascending, as ``CalendarBuckets`` makes them.
    ///   - unit: The unit of the answer, to which every value goes straight from the unit it came in,
    ///     so that no digit is lost on the way; nil for the type's display unit.
    /// - Throws: ``StoreError`` if the type is no quantity type the catalogue knows, or the unit doesn't
    ///   fit it.
    /// - Complexity: O(samples in the range · sources); asked again, O(buckets) and the samples of those
    ///   buckets that edits have touched since. Memory: the samples of a few buckets at a time, for
    ///   merges over years their packed columns (ten bytes a sample, of at most eight million), and the
    ///   newest answers.
    public func statistics(
        _ question: SampleQuestion, over edges: [Double], unit: String? = nil,
        rules: StatisticsRules = StatisticsRules()
    ) throws -> StatisticsAnswer {
        guard let aggregation = question.type.aggregation else {
            throw StoreError(
                .invalidArgument,
                "\(question.type.name) has no sums or averages; see its samples with: "
                    + "openhealth samples \(question.type.name)")
        }
        let unit = try SampleStore.unit(unit, of: question.type)
        let asked = StatisticsMemo.Question(
            type: question.type.code, from: question.from, to: question.to,
            bounds: question.bounds, sources: question.sources,
            grant: question.visibility[question.type.code],
            edges: edges, unit: unit.0, rules: rules, windowSize: question.windowSize)
        return try read { db in
            let stamp = try SourceTable.Stamp(db)
            let known = statisticsMemo.withLock { $0.entry(asked) }
            if let known, known.stamp == stamp { return known.answer }
            let table = try sourceTable(db)
            let reading = try StatisticsReading(
                question, aggregation, over: edges, unit: unit, rules: rules, table, db)
            // What is added to a series shows in no edit.
            if try SeriesExpansion(db, question.type).isNeeded { return try reading.answer() }
            let circumstances = reading.circumstances
            var answer: StatisticsAnswer?
            if let known, known.circumstances.hold(in: circumstances),
                let spans = try EditLog.spans(ofType: asked.type, after: known.edit, db)
            {
                answer = try reading.answer(after: known, edited: spans)
            }
            let found = try answer ?? reading.answer()
            let entry = StatisticsMemo.Entry(
                question: asked, circumstances: circumstances, answer: found, stamp: stamp,
                edit: try EditLog.last(db))
            statisticsMemo.withLock { $0.keep(entry) }
            return found
        }
    }

    /// Seconds per value of a category type over buckets of time.
    ///
    /// At each moment only the highest-ranked source with a sample counts; inside a source the values
    /// may overlap (in bed and asleep), and each is a union of its times.
    ///
    /// - Parameter edges: Bucket borders in reference seconds, ascending.
    /// - Throws: ``StoreError`` if the type isn't a category type, or a source's name fits none or
    ///   several.
    /// - Complexity: O(samples in the range × log).
    public func categoryStatistics(
        _ question: SampleQuestion, over edges: [Double], rules: StatisticsRules = StatisticsRules()
    ) throws -> CategoryStatisticsAnswer {
        guard question.type.kind == .category else {
            throw StoreError(
                .invalidArgument,
                "\(question.type.name) is no category, so there are no times to add up.")
        }
        return try read { db in
            let table = try sourceTable(db)
            let settings = try SourceTable.settings(db, type: question.type.code)
            let order = table.order(settings)
            var answer = CategoryStatisticsAnswer(
                type: question.type, buckets: [], sources: table.sources,
                excluded: table.excluded(
                    settings, order, seenWith: question.visibility[question.type.code]),
                ranking: order.ranking)
            let rules = rules.bounded(by: edges.last ?? .infinity)
            var windows = SampleWindows(
                edges: edges, reach: rules.gapTolerance, table: table, size: question.windowSize)
            try windows.read(question, table, db) { batch, edges in
                answer.buckets += batch.categoryStatistics(over: edges, order: order, rules: rules)
            }
            return answer
        }
    }

    /// The moments between which a question has data: the first start and the latest end, in
    /// reference seconds.
    ///
    /// - Returns: nil if there is none. An undetermined end counts as its start.
    /// - Complexity: O(log n + samples of the last day) for a whole type; O(samples) with sources,
    ///   a range or a narrower visibility.
    public func extent(of question: SampleQuestion) throws -> (first: Double, last: Double)? {
        try read { db in
            let isWholeType =
                question.sources.isEmpty && question.from == -.infinity
                && question.to == .infinity && question.visibility[question.type.code] == .all
            if isWholeType { return try SampleStore.extent(ofType: question.type.code, db) }
            let reader = try SampleReader(db, question, sourceTable(db))
            var extent: (first: Double, last: Double)?
            try reader.forEach { row in
                let end = row.sample.isUndetermined ? row.sample.start : row.sample.end
                extent = (extent?.first ?? row.sample.start, max(extent?.last ?? end, end))
                return .next
            }
            return extent
        }
    }

    /// Only samples of the last day, or longer than a day, can end last.
    static func extent(
        ofType type: Int32, _ db: Database
    ) throws -> (first: Double, last: Double)? {
        let rows = try RawStatement(
            db,
            """
            SELECT (SELECT min(start_time) FROM sample WHERE type = ?1) AS start_time,
                   max(start_time) AS start_time,
                   (SELECT max(end_time) FROM sample
                    WHERE type = ?1 AND end_time < ?2 AND start_time >= (
                        SELECT max(start_time) FROM sample WHERE type = ?1) - 86400) AS end_time,
                   (SELECT max(end_time) FROM sample
                    WHERE type = ?1 AND end_time < ?2 AND end_time - start_time > 86400) AS end_time
            FROM sample WHERE type = ?1
            """)
        rows.bind(type, at: 1)
        rows.bind(Sample.undeterminedEnd, at: 2)
        guard try rows.step(), !rows.isNull(0) else { return nil }
        let last = (1...3).filter { !rows.isNull($0) }.map { rows.double($0) }.max()
        return (rows.double(0), last ?? rows.double(0))
    }

    /// The unit an answer is given in: the one asked for, else the type's display unit.
    ///
    /// - Throws: ``StoreError`` if it is unknown or doesn't fit the type.
    static func unit(_ asked: String?, of type: SampleType) throws -> (String, HealthUnit) {
        guard let usual = type.displayUnit ?? type.canonicalUnit else {
            throw StoreError(
                .invalidArgument, "\(type.name) has no unit that its values could be given in.")
        }
        do {
            let unit = try HealthUnit(asked ?? usual)
            _ = try HealthUnit(usual).conversion(to: unit)
            return (asked ?? usual, unit)
        } catch {
            throw StoreError(
                .invalidArgument, "\(type.name) can't be given in “\(asked ?? usual)”: \(error)")
        }
    }

    /// Each origin's way to a unit; nil where its own is unknown or doesn't fit.
    static func conversions(_ origins: [Origin], to target: HealthUnit) -> [UnitConversion?] {
        var known: [String: UnitConversion?] = [:]
        return origins.map { origin in
            guard let symbol = origin.unit else { return nil }
            if let conversion = known[symbol] { return conversion }
            let conversion = try? HealthUnit(symbol).conversion(to: target)
            known[symbol] = .some(conversion)
            return conversion
        }
    }

}

extension SampleQuestion {
    /// The same question for all that may matter to buckets.
    ///
    /// A question that ends where the buckets do asks for them as they are among their neighbours.
    ///
    /// - Parameter reach: How far beyond its borders samples may matter to a bucket, in seconds
    ///   (``StatisticsRules/gapTolerance``).
    func reaching(_ edges: [Double], beyond reach: Double) -> SampleQuestion {
        guard edges.count > 1, let first = edges.first, let last = edges.last else { return self }
        var question = self
        if from <= first { question.from = first - reach }
        if to >= last { question.to = last + reach }
        return question
    }
}

extension SourceTable {
    /// The excluded sources in order of rank, each with its reason.
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
