import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// Reads the parts of a report that a ``HealthService`` can't return from a store.
struct ReportReading {
    let store: SampleStore
    let calendar: Calendar
    /// The period.
    let days: ClosedRange<CivilDate>
    /// The start of the period, in seconds since the reference date.
    let from: Double
    /// The end of the period (exclusive), in seconds since the reference date.
    let to: Double
    /// The start of as many days before the period, in seconds since the reference date.
    let fromBefore: Double

    /// Returns nil if no day of the period exists in the time zone.
    init?(_ store: SampleStore, _ days: ClosedRange<CivilDate>, _ calendar: Calendar) {
        guard let range = calendar.interval(of: days),
            let whole = calendar.interval(of: ReportPage.withDaysBefore(days))
        else { return nil }
        self.store = store
        self.calendar = calendar
        self.days = days
        from = range.start.timeIntervalSinceReferenceDate
        to = range.end.timeIntervalSinceReferenceDate
        fromBefore = whole.start.timeIntervalSinceReferenceDate
    }

    /// Returns the day of a time in seconds since the reference date.
    func day(_ time: Double) -> CivilDate {
        calendar.civilDate(of: Date(timeIntervalSinceReferenceDate: time))
    }

    /// Returns the names of the included sources with samples of a quantity in the period, by
    /// priority.
    ///
    /// - Complexity: O(samples in the period), from column segments where there are any.
    func sources(of type: SampleType) throws -> [String] {
        var rules = StatisticsRules()
        rules.separation = .bySource
        let found = try store.statistics(
            SampleQuery(type, from: from, to: to), over: [from, to], rules: rules)
        let excluded = Set(found.excluded.map(\.source.bundleIdentifier))
        let present = Set(found.buckets.flatMap { bucket in (bucket.bySource ?? [:]).keys })
        return found.ranking.filter { present.contains($0) }.compactMap { index -> String? in
            let place = Int(index)
            guard found.sources.indices.contains(place),
                !excluded.contains(found.sources[place].bundleIdentifier)
            else { return nil }
            return PrintableText.name(found.sources[place].name)
        }.firstOccurrences
    }

    /// Returns the bundle identifiers of the sources that are excluded from any of some types.
    func excludedSources(of types: [SampleType]) throws -> Set<String> {
        try types.reduce(into: []) { excluded, type in
            excluded.formUnion(try store.sourcePriority(of: type).excluded)
        }
    }
}

extension SampleBatch {
    /// The source of a sample; nil if it has none.
    func knownSource(of sample: Sample) -> Source? {
        guard origins.indices.contains(Int(sample.origin)) else { return nil }
        let source = Int(origins[Int(sample.origin)].source)
        return sources.indices.contains(source) ? sources[source] : nil
    }
}

/// Converts values of samples from the units in which they were recorded.
struct RecordedUnits {
    private let target: HealthUnit?
    private var conversions: [String: UnitConversion?] = [:]

    /// - Parameter symbol: The unit to convert to, such as "mmHg".
    init(_ symbol: String) { target = try? HealthUnit(symbol) }

    /// Returns the value of a sample; nil if its unit is unknown or doesn't fit, or if the value
    /// isn't finite.
    mutating func value(of sample: Sample, in batch: SampleBatch) -> Double? {
        guard let target, batch.origins.indices.contains(Int(sample.origin)),
            let symbol = batch.origins[Int(sample.origin)].unit
        else { return nil }
        let conversion: UnitConversion?
        if let known = conversions[symbol] {
            conversion = known
        } else {
            conversion = (try? HealthUnit(symbol)).flatMap { try? $0.conversion(to: target) }
            conversions.updateValue(conversion, forKey: symbol)
        }
        guard let value = conversion.map({ $0(sample.value) }), value.isFinite else { return nil }
        return value
    }
}
