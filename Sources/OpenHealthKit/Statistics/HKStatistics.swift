public import Foundation
public import HealthEngine

/// The statistics of a quantity type over an interval: sum, average, minimum, maximum, most recent
/// value and duration.
///
/// A value is nil if it was not requested or if there is no data. A value of 0 is a quantity, not
/// nil (Semantics §5.8). Sources that are excluded for the type contribute to no value (Semantics
/// §1.10).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let type: HKQuantityType
    private let statistics: Statistics
    private let options: HKStatisticsOptions
    /// The unit of all values except durations. Queries use the unit of the matching sample that
    /// starts last, or the type's canonical unit if that one does not suit the type.
    let unit: HKUnit
    /// The sources that the keys of `statistics.bySource` index.
    private let allSources: [HKSource]

    /// Creates statistics from the engine's statistics. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _type: The quantity type.
    ///   - statistics: The computed values; they must include what `options` request.
    ///   - options: The values that are visible.
    ///   - unit: The unit of the values. Durations are always in seconds.
    ///   - sources: The sources that the keys of `statistics.bySource` index.
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

    /// Decodes statistics; nil if the type, unit or values are missing or invalid.
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

    /// The quantity type.
    open var quantityType: HKQuantityType { type }

    /// The start of the bucket; for a query without buckets, the earliest start of the samples
    /// (Semantics §2.3).
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: statistics.start) }

    /// The end of the bucket (exclusive); for a query without buckets, the latest end of the
    /// samples.
    open var endDate: Date { Date(timeIntervalSinceReferenceDate: statistics.end) }

    /// The sources with matching samples, including those entirely covered by higher-priority
    /// sources, but not excluded ones. Nil without `.separateBySource` (Semantics §4).
    open var sources: [HKSource]? {
        guard options.contains(.separateBySource) else { return nil }
        return (statistics.bySource ?? [:]).keys.sorted().compactMap { index in
            allSources.indices.contains(Int(index)) ? allSources[Int(index)] : nil
        }
    }

    /// Returns the average of a discrete type over all sources. The aggregation style of the type
    /// determines the formula (Semantics §3.2–3.4).
    ///
    /// - Returns: The average; nil if it was not requested or there is no data.
    open func averageQuantity() -> HKQuantity? { quantity(.discreteAverage, merged.average) }

    /// Returns the average over the samples of one source only.
    ///
    /// - Parameter source: The source.
    /// - Returns: The average; nil without `.separateBySource`, if it was not requested, or if the
    ///   source has no data.
    open func averageQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteAverage, values(of: source)?.average)
    }

    /// Returns the smallest value of a discrete type over all sources.
    ///
    /// - Returns: The minimum; nil if it was not requested or there is no data.
    open func minimumQuantity() -> HKQuantity? { quantity(.discreteMin, merged.minimum) }

    /// Returns the smallest value of one source.
    ///
    /// - Parameter source: The source.
    /// - Returns: The minimum; nil without `.separateBySource`, if it was not requested, or if the
    ///   source has no data.
    open func minimumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMin, values(of: source)?.minimum)
    }

    /// Returns the largest value of a discrete type over all sources.
    ///
    /// - Returns: The maximum; nil if it was not requested or there is no data.
    open func maximumQuantity() -> HKQuantity? { quantity(.discreteMax, merged.maximum) }

    /// Returns the largest value of one source.
    ///
    /// - Parameter source: The source.
    /// - Returns: The maximum; nil without `.separateBySource`, if it was not requested, or if the
    ///   source has no data.
    open func maximumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMax, values(of: source)?.maximum)
    }

    /// Returns the quantity with the latest start. Among equal starts, the later end decides
    /// (Semantics §3.5). The whole quantity is returned, even if its sample extends beyond the
    /// bucket.
    ///
    /// - Returns: The value; nil if it was not requested or there is no data.
    open func mostRecentQuantity() -> HKQuantity? { quantity(.mostRecent, merged.mostRecent) }

    /// Returns the quantity of one source with the latest start.
    ///
    /// - Parameter source: The source.
    /// - Returns: The value; nil without `.separateBySource`, if it was not requested, or if the
    ///   source has no data.
    open func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.mostRecent, values(of: source)?.mostRecent)
    }

    /// Returns the interval of the quantity that ``mostRecentQuantity()`` returns.
    ///
    /// - Returns: The interval; nil if it was not requested or there is no data.
    open func mostRecentQuantityDateInterval() -> DateInterval? { interval(merged) }

    /// Returns the interval of the quantity that ``mostRecentQuantity(for:)`` returns.
    ///
    /// - Parameter source: The source.
    /// - Returns: The interval; nil without `.separateBySource`, if it was not requested, or if the
    ///   source has no data.
    open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
        values(of: source).flatMap { interval($0) }
    }

    /// Returns the sum of a cumulative type over all sources. Where samples of several sources
    /// overlap, only the highest-priority source contributes (Semantics §1).
    ///
    /// - Returns: The sum; nil if it was not requested or there is no data.
    open func sumQuantity() -> HKQuantity? { quantity(.cumulativeSum, merged.sum) }

    /// Returns the sum of one source's samples as if there were no other source (Semantics §4.2).
    /// Where sources overlap, these sums together exceed ``sumQuantity()``. Overlapping samples of
    /// the same source add up (Semantics §1.4).
    ///
    /// - Parameter source: The source.
    /// - Returns: The sum; nil without `.separateBySource`, if it was not requested, or if the
    ///   source has no data.
    open func sumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.cumulativeSum, values(of: source)?.sum)
    }

    /// Returns the time that the samples cover within the bucket, in seconds. The time of
    /// overlapping samples is not counted twice.
    ///
    /// - Returns: The duration; nil if it was not requested or there is no data.
    open func duration() -> HKQuantity? { seconds(merged) }

    /// Returns the time that one source's samples cover within the bucket, in seconds. The time of
    /// overlapping samples is not counted twice.
    ///
    /// - Parameter source: The source.
    /// - Returns: The duration; nil without `.separateBySource`, if it was not requested, or if the
    ///   source has no data.
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

    /// The type, interval and values, such as "HKQuantityTypeIdentifierStepCount 2026-03-01
    /// 00:00:00 +0000 - …, sum 8432 count".
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

extension HKStatistics {
    /// The archived form of statistics.
    struct Archive: Codable {
        struct Values: Codable {
            var sum, average, minimum, maximum, mostRecent: Double?
            var mostRecentStart, mostRecentEnd, duration: Double?
            var count: Int
        }

        var start, end: Double
        var merged: Values
        var bySource: [Int32: Values]?
        var options: UInt

        init(_ statistics: Statistics, options: HKStatisticsOptions) {
            start = statistics.start
            end = statistics.end
            merged = Values(statistics.merged)
            bySource = statistics.bySource?.mapValues { Values($0) }
            self.options = options.rawValue
        }

        var statistics: Statistics {
            Statistics(
                start: start, end: end, merged: merged.values,
                bySource: bySource?.mapValues(\.values))
        }
    }
}

extension HKStatistics.Archive.Values {
    init(_ values: Statistics.Values) {
        sum = values.sum
        average = values.average
        minimum = values.minimum
        maximum = values.maximum
        mostRecent = values.mostRecent
        mostRecentStart = values.mostRecentStart
        mostRecentEnd = values.mostRecentEnd
        duration = values.duration
        count = values.count
    }

    var values: Statistics.Values {
        var values = Statistics.Values(count: count)
        values.sum = sum
        values.average = average
        values.minimum = minimum
        values.maximum = maximum
        values.mostRecent = mostRecent
        values.mostRecentStart = mostRecentStart
        values.mostRecentEnd = mostRecentEnd
        values.duration = duration
        return values
    }
}
