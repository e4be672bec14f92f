public import Foundation
public import HealthEngine

/// What a stretch of time holds of one quantity type: sums, averages, extremes.
///
/// A nil means that nobody asked for the value or that there is no data, never zero
/// (Semantics §5.8).
// Immutable.
open class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let type: HKQuantityType
    private let statistics: Statistics
    private let options: HKStatisticsOptions
    /// The unit that the values were recorded in, if they had one in common.
    let unit: HKUnit
    /// By the source indices of `statistics`.
    private let allSources: [HKSource]

    /// Statistics of the engine's; not Apple's.
    ///
    /// - Parameters:
    ///   - statistics: Computed with what `options` ask for, or with more.
    ///   - unit: The unit of its values.
    ///   - sources: What the indices in `bySource` mean.
    public init(
        _type: HKQuantityType, statistics: Statistics, options: HKStatisticsOptions, unit: HKUnit,
        sources: [HKSource]
    ) {
        type = _type
        self.statistics = statistics
        self.options = options
        self.unit = unit
        allSources = sources
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads archived statistics; nil without their type.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.string("type"), let unit = coder.value(HKUnit.self, "unit"),
            let type = HKSampleType.of(identifier: identifier) as? HKQuantityType,
            let data = coder.data("values"),
            let archive = try? PropertyListDecoder().decode(Archive.self, from: data)
        else { return nil }
        self.type = type
        self.unit = unit
        statistics = archive.statistics
        options = HKStatisticsOptions(rawValue: archive.options)
        allSources = coder.array(of: HKSource.self, "sources")
    }

    open func encode(with coder: NSCoder) {
        coder.encode(type.identifier, for: "type")
        coder.encode(unit, forKey: "unit")
        coder.encode(allSources as NSArray, forKey: "sources")
        let archive = Archive(statistics, options: options)
        coder.encode(try? PropertyListEncoder().encode(archive), for: "values")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// What was measured.
    open var quantityType: HKQuantityType { type }

    /// The bucket's start; of a query without buckets the earliest start of its samples
    /// (Semantics §2.3).
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: statistics.start) }

    /// The bucket's end; of a query without buckets the latest end of its samples.
    open var endDate: Date { Date(timeIntervalSinceReferenceDate: statistics.end) }

    /// Who took part, also those whose every moment a higher source had; nil without
    /// `.separateBySource` (Semantics §4).
    open var sources: [HKSource]? {
        guard options.contains(.separateBySource) else { return nil }
        return (statistics.bySource ?? [:]).keys.sorted().compactMap { index in
            allSources.indices.contains(Int(index)) ? allSources[Int(index)] : nil
        }
    }

    /// The mean by the type's style, over all sources.
    open func averageQuantity() -> HKQuantity? { quantity(.discreteAverage, merged.average) }

    /// The mean of one source's own samples; nil without `.separateBySource`.
    open func averageQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteAverage, values(of: source)?.average)
    }

    /// The smallest value of all sources.
    open func minimumQuantity() -> HKQuantity? { quantity(.discreteMin, merged.minimum) }

    /// The smallest value of one source; nil without `.separateBySource`.
    open func minimumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMin, values(of: source)?.minimum)
    }

    /// The largest value of all sources.
    open func maximumQuantity() -> HKQuantity? { quantity(.discreteMax, merged.maximum) }

    /// The largest value of one source; nil without `.separateBySource`.
    open func maximumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMax, values(of: source)?.maximum)
    }

    /// The value that starts last.
    open func mostRecentQuantity() -> HKQuantity? { quantity(.mostRecent, merged.mostRecent) }

    /// The value of one source that starts last; nil without `.separateBySource`.
    open func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.mostRecent, values(of: source)?.mostRecent)
    }

    /// The time of ``mostRecentQuantity()``.
    open func mostRecentQuantityDateInterval() -> DateInterval? { interval(merged) }

    /// The time of ``mostRecentQuantity(for:)``.
    open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
        values(of: source).flatMap { interval($0) }
    }

    /// The sum with every moment counted for one source only (Semantics §1).
    open func sumQuantity() -> HKQuantity? { quantity(.cumulativeSum, merged.sum) }

    /// The sum of one source's own samples, unreduced, so that sources may add up to more than
    /// ``sumQuantity()``; nil without `.separateBySource`.
    open func sumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.cumulativeSum, values(of: source)?.sum)
    }

    /// The time that samples cover, overlaps counted once, in seconds.
    open func duration() -> HKQuantity? { seconds(merged) }

    /// The time that one source's samples cover; nil without `.separateBySource`.
    open func duration(for source: HKSource) -> HKQuantity? {
        values(of: source).flatMap { seconds($0) }
    }

    private var merged: Statistics.Values { statistics.merged }

    private func values(of source: HKSource) -> Statistics.Values? {
        guard options.contains(.separateBySource),
            let index = allSources.firstIndex(of: source)
        else { return nil }
        return statistics.bySource?[Int32(truncatingIfNeeded: index)]
    }

    private func quantity(_ option: HKStatisticsOptions, _ value: Double?) -> HKQuantity? {
        guard options.contains(option), let value else { return nil }
        return HKQuantity(_unit: unit, value: value)
    }

    private func seconds(_ values: Statistics.Values) -> HKQuantity? {
        guard options.contains(.duration), let seconds = values.duration else { return nil }
        return HKQuantity(_unit: .second(), value: seconds)
    }

    private func interval(_ values: Statistics.Values) -> DateInterval? {
        guard options.contains(.mostRecent), let start = values.mostRecentStart,
            let end = values.mostRecentEnd
        else { return nil }
        return DateInterval(reference: start, end)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKStatistics else { return false }
        return type == other.type && statistics == other.statistics && unit == other.unit
            && options == other.options && sources == other.sources
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(statistics.start)
        hasher.combine(statistics.end)
        return hasher.finalize()
    }

    /// "HKQuantityTypeIdentifierStepCount 2026-03-01 00:00:00 +0000 - …, sum 8432 count".
    open override var description: String {
        let values = [
            ("sum", sumQuantity()), ("average", averageQuantity()),
            ("minimum", minimumQuantity()), ("maximum", maximumQuantity()),
            ("most recent", mostRecentQuantity()), ("duration", duration()),
        ]
        let texts = values.compactMap { name, value in value.map { "\(name) \($0)" } }
        return (["\(type) \(startDate) - \(endDate)"] + texts).joined(separator: ", ")
    }
}
