import GRDB
public import HealthEngine

/// The stretches of one local day that count, each with its winning source.
public struct MergedDay: Sendable {
    /// `[start, end)` in reference seconds; the first and last day are cut at the question's range.
    public var start: Double
    public var end: Double
    /// In order of start; they add up to the day's sum.
    public var stretches: [Explanation.Segment]
}

extension SampleStore {
    /// Hands the timeline of an amount, counted once, to `body` day by day, as one consistent look
    /// at the file. Days without samples are left out.
    ///
    /// Each day's stretches add up to what ``statistics(_:over:unit:rules:)`` gives for it, so a
    /// stretch over midnight comes as two.
    ///
    /// - Parameter unit: The unit of the answer; nil for the type's display unit.
    /// - Throws: ``StoreError`` if the type isn't cumulative or the unit doesn't fit it, and what
    ///   `body` throws.
    /// - Complexity: O(samples × log), however far the range reaches beyond them; memory is that of a
    ///   month.
    public func forEachMergedDay(
        _ question: SampleQuestion, in calendar: CalendarBuckets, unit: String? = nil,
        rules: StatisticsRules = StatisticsRules(), _ body: (MergedDay) throws -> Void
    ) throws {
        let type = question.type
        guard type.aggregation == .cumulative else {
            throw StoreError(
                .invalidArgument, "\(type.name) is not summed, so it has no timeline of amounts.")
        }
        let target = try SampleStore.unit(unit, of: type).1
        guard let range = try range(of: question) else { return }
        let rules = rules.bounded(by: range.to)
        try read { db in
            let table = try sourceTable(db)
            let order = table.order(try SourceTable.settings(db, type: type.code))
            let conversions = SampleStore.conversions(table.origins, to: target)
            var position = range.from
            while position < range.to {
                let edges = try dayEdges(from: position, of: question, to: range.to, calendar)
                guard edges.count > 1, let end = edges.last else { return }
                var month = question
                (month.from, month.to) = (edges[0], end)
                let batch = try month.batch(reach: rules.gapTolerance, table, db)
                if batch.samples.isEmpty {
                    // On to the next sample: years may lie between.
                    (month.from, month.to) = (end, range.to)
                    guard let next = try month.firstStart(table, db) else { return }
                    position = max(next, end)
                    continue
                }
                position = end
                let timeline = Timeline(
                    batch, conversions: conversions, order: order, rules: rules, values: .amounts)
                for (start, end) in zip(edges, edges.dropFirst()) {
                    let stretches = timeline.stretches(from: start, to: end)
                    if stretches.isEmpty { continue }
                    try body(
                        MergedDay(
                            start: start, end: end,
                            stretches: stretches.map {
                                .init(
                                    start: $0.start, end: $0.end,
                                    source: batch.sources[Int($0.source)], value: $0.value)
                            }))
                }
            }
        }
    }

    /// A question's range, or that of all samples where it is open.
    private func range(of question: SampleQuestion) throws -> (from: Double, to: Double)? {
        var (from, to) = (question.from, question.to)
        if from == -.infinity || to == .infinity {
            let everything = SampleQuestion(question.type, sources: question.sources)
            guard let extent = try extent(of: everything) else { return nil }
            if from == -.infinity { from = extent.first }
            // A day is half-open: one that ended with the last moment would leave it out.
            if to == .infinity { to = extent.last.nextUp }
        }
        return from < to ? (from, to) : nil
    }

    /// The borders of a month's local days from a moment on, cut at the question's range.
    private func dayEdges(
        from position: Double, of question: SampleQuestion, to end: Double,
        _ calendar: CalendarBuckets
    ) throws -> [Double] {
        var edges = try calendar.edges(
            from: position, to: min(end, position + 31 * 86_400), by: .day)
        if question.from > -.infinity, let first = edges.first {
            edges[0] = max(first, question.from)
        }
        if question.to < .infinity, let last = edges.popLast() {
            edges.append(min(last, question.to))
        }
        return edges
    }
}

extension SampleQuestion {
    /// When the first sample starts that the question is about; nil if there is none.
    fileprivate func firstStart(_ table: SourceTable, _ db: Database) throws -> Double? {
        var start: Double?
        try SampleReader(db, self, table).forEach { row in
            start = row.sample.start
            return .stop
        }
        return start
    }
}
