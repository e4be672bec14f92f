import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The output of `stats` for any type except sleep.
struct StatsResult {
    /// The values of a bucket, or of one source in it: a sum, readings, or times by category value.
    enum Values {
        case sum(Statistics.Values)
        case readings(Statistics.Values)
        case times(CategoryStatistics.Values)
    }

    struct Bucket {
        var start: Double
        var end: Double
        var values: Values
        /// The values of each source, highest priority first; nil unless requested.
        var sources: [(source: Source, values: Values)]?
        /// Apple's totals that are part of the sum; nil if it comes from samples only.
        var appleTotal: AppleTotal?
    }

    var type: SampleType
    var unit: String
    var calendar: CalendarBuckets
    var step = Step.each(.day)
    /// Whether the buckets are in order of their values instead of time.
    var isRanked = false
    /// The borders of all buckets, including those without data.
    var edges: [Double] = []
    var buckets: [Bucket]
    var excluded: [ExcludedSource]
    var skipped = SkippedSamples()
    /// The sources selected with `--source`; empty for all.
    var chosen: [String]

    init(
        _ store: SampleStore, _ query: SampleQuery, over edges: [Double], unit: String?,
        rules: StatisticsRules, calendar: CalendarBuckets
    ) throws {
        type = query.type
        self.calendar = calendar
        chosen = query.sources
        self.edges = edges
        if type.kind == .category {
            let result = try store.categoryStatistics(query, over: edges, rules: rules)
            self.unit = "s"
            excluded = result.excluded
            buckets = result.buckets.map { bucket in
                Bucket(
                    start: bucket.start, end: bucket.end, values: .times(bucket.merged),
                    sources: bucket.bySource.map { values in
                        result.ranking.compactMap { index in
                            values[index].map { (result.sources[Int(index)], .times($0)) }
                        }
                    })
            }
        } else {
            let result = try store.statistics(query, over: edges, unit: unit, rules: rules)
            let isSum = query.type.aggregation == .cumulative
            func values(_ values: Statistics.Values) -> Values {
                let values = unit == nil ? values : values.settled
                return isSum ? .sum(values) : .readings(values)
            }
            self.unit = result.unit
            excluded = result.excluded
            skipped = result.skipped
            buckets = result.buckets.map { bucket in
                Bucket(
                    start: bucket.start, end: bucket.end, values: values(bucket.merged),
                    sources: bucket.bySource.map { found in
                        result.ranking.compactMap { index in
                            found[index].map { (result.sources[Int(index)], values($0)) }
                        }
                    })
            }
        }
    }

    init(
        type: SampleType, unit: String, calendar: CalendarBuckets, buckets: [Bucket] = [],
        excluded: [ExcludedSource] = [], chosen: [String] = []
    ) {
        self.type = type
        self.unit = unit
        self.calendar = calendar
        self.buckets = buckets
        self.excluded = excluded
        self.chosen = chosen
    }
}

extension Statistics.Values {
    /// The values without the digits that only result from rounding in a unit conversion.
    fileprivate var settled: Self {
        var values = self
        values.sum = sum.map(NumberText.roundedConversion)
        values.average = average.map(NumberText.roundedConversion)
        values.minimum = minimum.map(NumberText.roundedConversion)
        values.maximum = maximum.map(NumberText.roundedConversion)
        values.mostRecent = mostRecent.map(NumberText.roundedConversion)
        return values
    }
}

/// Names of category values.
enum ValueName {
    /// Returns Apple's Swift name of a value, such as "asleepCore", or the number if it has none.
    static func name(_ value: Int, of type: SampleType) -> String {
        type.valueEnumeration.flatMap { Catalogue.value(value, of: $0)?.name } ?? String(value)
    }
}

/// The JSON output of `stats`.
enum StatsJSON {
    static func value(_ result: StatsResult) -> JSONText {
        .object([
            "type": .string(result.type.identifier),
            "unit": .string(result.unit),
            "timeZone": .string(result.calendar.calendar.timeZone.identifier),
            "buckets": .array(
                result.buckets.map { bucket in
                    var members: [(key: String, value: JSONText)] = [
                        ("start", .string(result.calendar.text(bucket.start))),
                        ("end", .string(result.calendar.text(bucket.end))),
                    ]
                    members += values(bucket.values, result.type)
                    if let found = bucket.sources {
                        members.append(("sources", sources(found, result.type)))
                    }
                    if let total = bucket.appleTotal {
                        members.append(("fromTotals", fromTotals(total)))
                    }
                    return .object(members)
                }),
            "excluded": result.excluded.isEmpty ? nil : .array(result.excluded.map(excluded)),
            "skipped": skipped(result.skipped),
        ])
    }

    /// Returns Apple's total and the sum of the samples that it replaces.
    static func fromTotals(_ total: AppleTotal) -> JSONText {
        .object([
            "apple": .number(total.value), "own": .number(total.own),
            "provisional": .bool(total.isProvisional),
        ])
    }

    private static func sources(
        _ sources: [(source: Source, values: StatsResult.Values)], _ type: SampleType
    ) -> JSONText {
        .array(
            sources.map { source, found in
                .object(
                    [
                        ("name", .string(source.name)),
                        ("bundleIdentifier", .string(source.bundleIdentifier)),
                    ] + values(found, type))
            })
    }

    private static func values(
        _ values: StatsResult.Values, _ type: SampleType
    ) -> [(key: String, value: JSONText)] {
        switch values {
        case .sum(let values): return [("sum", .amount(values.sum))]
        case .readings(let values):
            return [
                ("average", .amount(values.average)), ("minimum", .amount(values.minimum)),
                ("maximum", .amount(values.maximum)), ("mostRecent", .amount(values.mostRecent)),
            ]
        case .times(let values):
            let seconds = values.seconds.sorted { $0.key < $1.key }
            let counts = values.counts.sorted { $0.key < $1.key }
            return [
                (
                    "seconds",
                    .object(seconds.map { (ValueName.name($0.key, of: type), .number($0.value)) })
                ),
                ("count", .integer(values.count)),
                (
                    "counts",
                    .object(counts.map { (ValueName.name($0.key, of: type), .integer($0.value)) })
                ),
            ]
        }
    }

    static func excluded(_ excluded: ExcludedSource) -> JSONText {
        .object([
            "name": .string(excluded.source.name),
            "bundleIdentifier": .string(excluded.source.bundleIdentifier),
            "reason": .string(excluded.reason),
        ])
    }

    /// Returns the numbers of skipped samples; nil if there are none.
    static func skipped(_ skipped: SkippedSamples) -> JSONText? {
        if skipped.isEmpty { return nil }
        return .object([
            "unconvertible": .integer(skipped.unconvertible.values.reduce(0, +)),
            "malformed": .integer(skipped.malformed),
            "notBegun": .integer(skipped.notBegun),
        ])
    }
}

/// The CSV output of `stats`.
enum StatsCSV {
    static func text(_ result: StatsResult) -> String {
        let hasSources = result.buckets.contains { $0.sources != nil }
        var header = ["start", "end"]
        switch result.type.aggregation {
        case .cumulative: header += ["sum"]
        case nil: header += ["value", "seconds", "count"]
        default: header += ["average", "minimum", "maximum", "mostRecent"]
        }
        header += ["unit"]
        if hasSources { header += ["source", "bundleIdentifier"] }
        let hasTotals = result.buckets.contains { $0.appleTotal != nil }
        if hasTotals { header += ["fromTotals"] }
        var text = CSVText.row(header)
        let unit = [result.unit]
        for bucket in result.buckets {
            let time = [result.calendar.text(bucket.start), result.calendar.text(bucket.end)]
            for cells in rows(bucket.values, result.type) {
                let total = hasTotals ? [CSVText.number(bucket.appleTotal?.value)] : []
                text += CSVText.row(time + cells + unit + (hasSources ? ["", ""] : []) + total)
            }
            for (source, values) in bucket.sources ?? [] {
                for cells in rows(values, result.type) {
                    text += CSVText.row(
                        time + cells + unit + [source.name, source.bundleIdentifier])
                }
            }
        }
        return text
    }

    private static func rows(_ values: StatsResult.Values, _ type: SampleType) -> [[String]] {
        switch values {
        case .sum(let values): [[CSVText.number(values.sum)]]
        case .readings(let values):
            [
                [values.average, values.minimum, values.maximum, values.mostRecent]
                    .map(CSVText.number)
            ]
        case .times(let values):
            values.seconds.sorted { $0.key < $1.key }.map { value, seconds in
                [
                    ValueName.name(value, of: type), CSVText.number(seconds),
                    String(values.counts[value] ?? 0),
                ]
            }
        }
    }
}
