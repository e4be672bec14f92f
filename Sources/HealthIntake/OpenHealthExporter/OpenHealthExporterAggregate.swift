import HealthEngine
import HealthStorage

/// Reads aggregates, the totals and averages of intervals.
enum OpenHealthExporterAggregate {
    static func total(
        _ record: JSONValue, from exporter: String
    ) throws(UnreadableRecord) -> ExternalTotal {
        let type = try OpenHealthExporterMetric.sampleType(of: record)
        let word = record["statistic"]?.string ?? ""
        guard let statistic = statistics[word] else { throw .unknown("aggregate \(word)") }
        let bucket = try interval(of: record)
        // An interval without samples has no value, which differs from 0.
        guard let content = record["value"] else { throw .unknown("aggregate without value") }
        guard let number = content.number else { throw .invalid(.value, field: "value") }
        let measure = try unit(of: record, statistic, type)
        let value = measure.converted(number)
        guard value.isFinite else { throw .invalid(.value, field: "value") }
        let isOfType = [.average, .minimum, .maximum, .latest].contains(statistic)
        guard !isOfType || PercentageRange.holds(value, type) else { throw .unknown("quality") }
        let scope = record["sourceScope"]?.string ?? ""
        return ExternalTotal(
            type: type.code, statistic: statistic, start: bucket.start, end: bucket.end,
            value: value, unit: measure.symbol,
            source: scope == "single" ? record["sourceName"]?.string ?? "" : "",
            series: series(of: record, from: exporter),
            revision: Int64(record["emitSeq"]?.integer ?? 0), index: 0)
    }

    private static let statistics: [String: ExternalTotal.Statistic] = [
        "sum": .sum, "mean": .average, "weightedMean": .average, "min": .minimum, "max": .maximum,
        "count": .count, "duration": .duration, "mostRecent": .latest,
    ]

    private static func interval(
        of record: JSONValue
    ) throws(UnreadableRecord) -> (start: Double, end: Double) {
        let start = try OpenHealthExporterFrame.instant(record, "bucketStart")
        let end: Double
        if record["bucketEnd"] == nil, let length = record["bucketDurationSeconds"]?.number {
            end = start + length
        } else {
            end = try OpenHealthExporterFrame.instant(record, "bucketEnd")
        }
        guard end > start else { throw .invalid(.endBeforeStart, field: "bucketEnd") }
        return (start, end)
    }

    private static func unit(
        of record: JSONValue, _ statistic: ExternalTotal.Statistic, _ type: SampleType
    ) throws(UnreadableRecord) -> IntakeUnit {
        let text = record["unit"]?.string
        let unit =
            switch statistic {
            case .count: IntakeUnit.named(text ?? "count", compatibleWith: "count", .hundred)
            case .duration: IntakeUnit.named(text ?? "", compatibleWith: "s", .hundred)
            default:
                IntakeUnit.named(text ?? "", compatibleWith: type.canonicalUnit, .hundred)
            }
        guard let unit else { throw .invalid(.unit, field: "unit") }
        return unit
    }

    /// Returns what distinguishes totals of one type, statistic and interval: the exporter, since
    /// each one counts its revisions, and the sender's key of the bucket.
    ///
    /// A total that the sender itself computed is no revision of one that HealthKit computed.
    private static func series(of record: JSONValue, from exporter: String) -> String {
        var parts = [exporter]
        for field in ["statistic", "granularity", "tzId", "sourceScope"] {
            parts.append(record[field]?.string ?? "")
        }
        if record["computation"]?.string == "localSampleFold" { parts.append("localSampleFold") }
        return parts.map(escaped).joined(separator: "|")
    }

    /// Returns a part of a key with `\` before the separator, as in the sender's keys.
    private static func escaped(_ part: String) -> String {
        var text = ""
        for scalar in part.unicodeScalars.prefix(200) {
            if scalar == "|" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
