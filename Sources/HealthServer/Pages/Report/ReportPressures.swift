import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension ReportReading {
    /// A pair of systolic and diastolic pressure, in mmHg.
    private struct Pair: Hashable {
        /// The start, in seconds since the reference date.
        var time: Double
        var systolic: Double
        var diastolic: Double
    }

    /// Returns the section of blood pressures; nil without pairs in the period.
    ///
    /// - Complexity: O(log n + pairs in the period and as many days before it).
    func pressures() throws -> ReportPage.Section? {
        guard let (systolic, diastolic) = Self.pressureMetrics else { return nil }
        let (pairs, sources) = try pressurePairs()
        let inPeriod = pairs.filter { $0.time >= from }
        let upper = ReportDays(points(pairs, \.systolic), of: systolic, in: days, calendar)
        let lower = ReportDays(points(pairs, \.diastolic), of: diastolic, in: days, calendar)
        guard var first = upper.measure, var second = lower.measure,
            let all = Self.part(inPeriod)
        else { return nil }
        (first.average, second.average) = (all.systolic, all.diastolic)
        var section = ReportPage.Section(.bloodPressure, upper)
        section.measures = [first, second]
        section.pressures = ReportPage.Pressures(
            pairs: inPeriod.count,
            morning: Self.part(inPeriod.filter { (4..<12).contains(hour($0.time)) }),
            evening: Self.part(inPeriod.filter { (16..<24).contains(hour($0.time)) }))
        section.sources = sources
        section.chart = chart(inPeriod, systolic)
        return section
    }

    private static var pressureMetrics: (Metric, Metric)? {
        guard let systolic = Metric(name: "bloodPressureSystolic"),
            let diastolic = Metric(name: "bloodPressureDiastolic")
        else { return nil }
        return (systolic, diastolic)
    }

    /// Returns the pairs of the period and of as many days before it in order of time, each once,
    /// and the names of the sources of those in the period.
    private func pressurePairs() throws -> (pairs: [Pair], sources: [String]) {
        guard let pairType = Catalogue.type(named: "bloodPressure"),
            let systolic = Catalogue.type(named: "bloodPressureSystolic"),
            let diastolic = Catalogue.type(named: "bloodPressureDiastolic")
        else { return ([], []) }
        let excluded = try excludedSources(of: [systolic, diastolic])
        let filter = SampleFilter.and([
            .test(.start, .compare(.atLeast, .date(fromBefore))),
            .test(.start, .compare(.less, .date(to))),
        ])
        let found = try store.objects([SampleRequest(pairType, filter)])
        let batch = found.batch
        var values = [(systolic: Double?, diastolic: Double?)](
            repeating: (nil, nil), count: found.count)
        var units = RecordedUnits("mmHg")
        for (member, parent) in batch.parents where values.indices.contains(parent) {
            let sample = batch.samples[member]
            if sample.type == systolic.code {
                values[parent].systolic = units.value(of: sample, in: batch)
            } else if sample.type == diastolic.code {
                values[parent].diastolic = units.value(of: sample, in: batch)
            }
        }
        var pairs: [Pair] = []
        var names: [String] = []
        // The same pair from two apps is one pair.
        var seen: Set<Pair> = []
        for (sample, value) in zip(batch.samples, values) {
            guard let systolic = value.systolic, let diastolic = value.diastolic else { continue }
            let source = batch.knownSource(of: sample)
            if let source, excluded.contains(source.bundleIdentifier) { continue }
            let pair = Pair(time: sample.start, systolic: systolic, diastolic: diastolic)
            guard seen.insert(pair).inserted else { continue }
            pairs.append(pair)
            if sample.start >= from, let source { names.append(PrintableText.name(source.name)) }
        }
        return (pairs.sorted { $0.time < $1.time }, names.firstOccurrences)
    }

    /// Returns the averages of the pairs; nil without any.
    private static func part(_ pairs: [Pair]) -> ReportPage.Pressures.Part? {
        guard let systolic = ReportDays.mean(pairs.map(\.systolic)),
            let diastolic = ReportDays.mean(pairs.map(\.diastolic))
        else { return nil }
        return .init(pairs: pairs.count, systolic: systolic, diastolic: diastolic)
    }

    /// Returns the hour that local clocks show at a time.
    private func hour(_ time: Double) -> Int {
        calendar.localTime(at: Date(timeIntervalSinceReferenceDate: time)).secondOfDay / 3600
    }

    /// Returns the average, lowest and highest value of each day with pairs.
    private func points(
        _ pairs: [Pair], _ value: (Pair) -> Double
    ) -> [HealthSeries.Point] {
        Dictionary(grouping: pairs) { day($0.time) }.map { day, pairs in
            let values = pairs.map(value)
            return HealthSeries.Point(
                start: calendar.midnight(day), end: calendar.midnight(day.advanced(by: 1)),
                value: ReportDays.mean(values), minimum: values.min(), maximum: values.max())
        }
    }

    /// Returns the systolic averages, with the diastolic ones as the minimum.
    private func chart(_ pairs: [Pair], _ systolic: Metric) -> ReportPage.Chart {
        let points = Dictionary(grouping: pairs) { day($0.time) }.map { day, pairs in
            let upper = ReportDays.mean(pairs.map(\.systolic))
            return HealthSeries.Point(
                start: calendar.midnight(day), end: calendar.midnight(day.advanced(by: 1)),
                value: upper, minimum: ReportDays.mean(pairs.map(\.diastolic)), maximum: upper)
        }
        return ReportDays(points, of: systolic, in: days, calendar).chart
    }
}
