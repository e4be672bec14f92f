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
    /// - Complexity: O(samples × log); memory is that of a month.
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
        guard let edges = try dayEdges(of: question, calendar), let end = edges.last else { return }
        let rules = rules.bounded(by: end)
        try read { db in
            let table = try sourceTable(db)
            let order = table.order(try SourceTable.settings(db, type: type.code))
            let conversions = SampleStore.conversions(table.origins, to: target)
            var first = 0
            while first < edges.count - 1 {
                let last = min(first + 31, edges.count - 1)
                var month = question
                (month.from, month.to) = (edges[first], edges[last])
                let batch = try month.batch(reach: rules.gapTolerance, table, db)
                let timeline = Timeline(
                    batch, conversions: conversions, order: order, rules: rules, values: .amounts)
                for day in first..<last {
                    let stretches = timeline.stretches(from: edges[day], to: edges[day + 1])
                    if stretches.isEmpty { continue }
                    try body(
                        MergedDay(
                            start: edges[day], end: edges[day + 1],
                            stretches: stretches.map {
                                .init(
                                    start: $0.start, end: $0.end,
                                    source: batch.sources[Int($0.source)], value: $0.value)
                            }))
                }
                first = last
            }
        }
    }

    /// The borders of local days over a question's range, or over all samples where it is open.
    private func dayEdges(
        of question: SampleQuestion, _ calendar: CalendarBuckets
    ) throws -> [Double]? {
        var (from, to) = (question.from, question.to)
        if from == -.infinity || to == .infinity {
            let everything = SampleQuestion(question.type, sources: question.sources)
            guard let extent = try extent(of: everything) else { return nil }
            if from == -.infinity { from = extent.first }
            // A day is half-open: one that ended with the last moment would leave it out.
            if to == .infinity { to = extent.last.nextUp }
        }
        guard from < to else { return nil }
        var edges = try calendar.edges(from: from, to: to, by: .day)
        if question.from > -.infinity, let first = edges.first { edges[0] = max(first, from) }
        if question.to < .infinity, let last = edges.popLast() { edges.append(min(last, to)) }
        return edges
    }
}
