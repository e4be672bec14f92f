import Foundation
import GRDB
public import HealthCalendar
public import HealthEngine

extension SampleStore {
    /// The largest number of sources for which a calibration runs.
    static let maximumCalibratedSources = 64

    /// The gap tolerances that a calibration tries, in seconds.
    static let calibratedTolerances: [Double] = [60, 300, 900, 1800, 3600]

    /// Finds the source order and exclusions of a type that best reproduce the Health app's totals.
    ///
    /// ```swift
    /// let steps = try store.type(named: "stepCount")
    /// let found = try store.calibration(
    ///     of: steps, displayedTotals: [.init(CivilDate(2024, 3, 10), 7210)], in: berlin, now: now)
    /// found.best.setting.order.map(\.name)   // ["iPhone", "Watch"]
    /// if let proposal = found.proposal { try store.apply(proposal, to: steps) }
    /// ```
    /// For up to six sources with data on the days, all orders of all subsets are tried. For more,
    /// a local search is used. Gap tolerances are tried only if no setting without one matches.
    /// Nothing is saved.
    ///
    /// - Parameters:
    ///   - type: A cumulative type.
    ///   - displayedTotals: The days and their totals, in any order, each day once.
    ///   - calendar: The calendar whose days are meant.
    ///   - now: The current time in seconds since the reference date. No day may begin after it.
    ///   - unit: The unit of the totals; nil for the type's display unit.
    /// - Returns: The best setting, with the current one and the ties.
    /// - Throws: ``CalibrationError`` for a type that isn't cumulative, invalid days or values, and
    ///   a day without data; ``StoreError`` if the unit doesn't fit the type or more than 64
    ///   sources have data on the days.
    /// - Complexity: O(settings × samples of the days). With six sources there are 1,957 settings
    ///   for each tolerance.
    public func calibration(
        of type: SampleType, displayedTotals: [Calibration.DisplayedTotal],
        in calendar: CalendarBuckets, now: Double, unit: String? = nil
    ) throws -> Calibration {
        let days = try SampleStore.days(of: type, displayedTotals, calendar, now)
        let (symbol, target) = try SampleStore.unit(unit, of: type)
        return try read { db in
            let table = try sourceTable(db)
            let settings = try SourceTable.settings(db, type: type.code)
            let data = try CalibrationData(type, days, table, table.order(settings), target, db)
            var search = data.search
            let current = search.totals(search.current)
            let best = search.best(tolerances: [0])
            let bestWithTolerance =
                best.distance > 0 ? search.best(tolerances: SampleStore.calibratedTolerances) : nil
            func outcome(_ candidate: CalibrationSearch.Candidate, _ totals: [Double])
                -> Calibration.Outcome
            {
                data.outcome(candidate, totals, distance: search.distance(of: totals))
            }
            return Calibration(
                type: type, unit: symbol, displayedTotals: days.map(\.total),
                current: outcome(search.current, current),
                best: outcome(best.candidate, best.totals), ties: best.ties.count - 1,
                ambiguities: data.ambiguities(best.ties.map(\.ranking)),
                withTolerance: bestWithTolerance.flatMap {
                    $0.distance < best.distance * (1 - 1e-9)
                        ? outcome($0.candidate, $0.totals) : nil
                },
                settingsTried: search.settingsTried, coverage: search.coverage,
                dayTotals: table.excluded(settings, data.order, seenWith: .all)
                    .filter { $0.reason == SampleStore.dayTotalsReason }.map(\.source)
                    .filter(data.sources.contains))
        }
    }

    private static func days(
        of type: SampleType, _ displayedTotals: [Calibration.DisplayedTotal],
        _ calendar: CalendarBuckets, _ now: Double
    ) throws(CalibrationError) -> [CalibrationData.Day] {
        guard type.aggregation == .cumulative else { throw .notSummed(type.name) }
        if displayedTotals.isEmpty { throw .noDays }
        var days: [CalibrationData.Day] = []
        for total in displayedTotals.sorted(by: { $0.day < $1.day }) {
            let day = total.day
            guard days.last?.total.day != day else { throw .duplicateDay(day) }
            // A day without boundaries doesn't exist in the time zone.
            guard let start = calendar.start(year: day.year, month: day.month, day: day.day),
                let edges = try? calendar.edges(from: start, to: start.nextUp, by: .day),
                edges.count > 1
            else { throw .noSuchDay(day, zone: calendar.calendar.timeZone.identifier) }
            guard edges[0] <= now else { throw .future(day) }
            guard total.value.isFinite, total.value >= 0 else { throw .invalidAmount(day) }
            days.append(.init(total: total, start: edges[0], end: edges[1]))
        }
        return days
    }
}

/// The samples of a calibration's days and the sources that have them.
private struct CalibrationData {
    struct Day {
        var total: Calibration.DisplayedTotal
        var start: Double
        var end: Double
    }

    let days: [Day]
    let order: SourceOrder
    /// The sources with data on at least one of the days, in the current order, including excluded
    /// ones.
    let sources: [Source]
    /// The sources' indices in the batches.
    private let indices: [Int32]
    private let batches: [SampleBatch]
    private let conversions: [UnitConversion?]
    private let sourcesByDay: [Set<Int>]

    init(
        _ type: SampleType, _ days: [Day], _ table: SourceTable, _ order: SourceOrder,
        _ target: HealthUnit, _ db: Database
    ) throws {
        self.days = days
        self.order = order
        let conversions = SampleStore.conversions(table.origins, to: target)
        self.conversions = conversions
        let reach = SampleStore.calibratedTolerances.max() ?? 0
        batches = try days.map { day in
            try SampleQuery(type, from: day.start, to: day.end).batch(reach: reach, table, db)
        }
        var withoutExclusions = order
        withoutExclusions.excluded = []
        let indicesByDay = zip(days, batches).map { day, batch in
            var rules = StatisticsRules()
            rules.horizon = day.end
            return Set(
                Timeline(batch, conversions: conversions, order: withoutExclusions, rules: rules)
                    .amounts(from: day.start, to: day.end).bySource.keys)
        }
        let sourceCount = indicesByDay.reduce(into: Set()) { $0.formUnion($1) }.count
        guard sourceCount <= SampleStore.maximumCalibratedSources else {
            throw StoreError(
                .tooManySources(sourceCount, limit: SampleStore.maximumCalibratedSources))
        }
        for (day, found) in zip(days, indicesByDay) where found.isEmpty {
            throw CalibrationError.noData(day.total.day, type: type.name)
        }
        let all = indicesByDay.reduce(into: Set()) { $0.formUnion($1) }
        let indices = order.ranking.filter(all.contains)
        self.indices = indices
        sources = indices.map { table.sources[Int($0)] }
        sourcesByDay = indicesByDay.map { found in
            Set(indices.indices.filter { found.contains(indices[$0]) })
        }
    }

    var search: CalibrationSearch {
        let included = indices.indices.filter { !order.excluded.contains(indices[$0]) }
        return CalibrationSearch(
            sources: sources.count, current: .init(ranking: Array(included)),
            displayedTotals: days.map(\.total), sourcesByDay: sourcesByDay, total: total)
    }

    private func total(day: Int, ranking: [Int], tolerance: Double) -> Double {
        if ranking.isEmpty { return 0 }
        var rules = StatisticsRules()
        rules.gapTolerance = tolerance
        rules.horizon = days[day].end
        let included = ranking.map { indices[$0] }
        let order = SourceOrder(
            ranking: included, excluded: Set(self.order.ranking).subtracting(included))
        return Timeline(batches[day], conversions: conversions, order: order, rules: rules)
            .amounts(from: days[day].start, to: days[day].end).merged
    }

    func outcome(
        _ candidate: CalibrationSearch.Candidate, _ totals: [Double], distance: Double
    ) -> Calibration.Outcome {
        let excluded = sources.indices.filter { !candidate.ranking.contains($0) }
        return Calibration.Outcome(
            setting: .init(
                order: candidate.ranking.map { sources[$0] },
                excluded: excluded.map { sources[$0] },
                gapTolerance: candidate.tolerance),
            totals: totals,
            residuals: zip(totals, days).map { $0 - $1.total.value },
            fits: zip(totals, days).map { $1.total.distance(to: $0) == 0 }, distance: distance)
    }

    /// Returns the sources that only some rankings include, and the pairs of sources that rankings
    /// order differently.
    func ambiguities(_ rankings: [[Int]]) -> [Calibration.Ambiguity] {
        var ambiguities: [Calibration.Ambiguity] = []
        for a in sources.indices {
            let inclusions = rankings.filter { $0.contains(a) }.count
            if inclusions > 0, inclusions < rankings.count {
                ambiguities.append(.participation(sources[a]))
            }
        }
        for a in sources.indices {
            for b in sources.indices where b > a {
                let first = rankings.compactMap { ranking -> Bool? in
                    guard let x = ranking.firstIndex(of: a), let y = ranking.firstIndex(of: b)
                    else { return nil }
                    return x < y
                }
                if Set(first).count == 2 { ambiguities.append(.order(sources[a], sources[b])) }
            }
        }
        return ambiguities
    }
}
