import HealthEngine
import HealthStorage

/// Reads the totals and averages that HealthKit merged.
enum HealthSaveTotal {
    /// Returns whether a record is a total, and no sample.
    ///
    /// - In version 2, each sample has a UUID. A number without one is a total.
    /// - In version 1, no record has one. A number is a sample only if the record states an end and
    ///   a source.
    static func isTotal(
        _ record: JSONValue, of batch: HealthSaveBatch, _ type: SampleType
    ) -> Bool {
        guard record["uuid"] == nil else { return false }
        switch type.kind {
        case .quantity:
            let hasEnd = HealthSaveTime.ends.contains { record[$0] != nil }
            let isComplete = hasEnd && !HealthSaveFrame.sourceName(of: record).isEmpty
            return batch.version == .second || !isComplete
        case .category: return record["qty"] != nil && record["value"] == nil
        default: return false
        }
    }

    /// Reads a total.
    ///
    /// A date without a time is a day of 24 hours. A time without an end leaves the interval open:
    /// start and end of the total are then equal.
    static func total(
        _ record: JSONValue, of batch: HealthSaveBatch, _ type: SampleType
    ) throws(UnreadableRecord) -> ExternalTotal {
        guard let start = try HealthSaveTime(record, HealthSaveTime.starts) else {
            throw .invalid(.date, field: "date")
        }
        var end = start.seconds + (start.isDay ? secondsOfDay : 0)
        if let stated = try HealthSaveTime(record, HealthSaveTime.ends) {
            // Whether a last day is included isn't stated.
            if stated.isDay { throw .invalid(.date, field: stated.field) }
            end = stated.seconds
        }
        guard end >= start.seconds else { throw .invalid(.endBeforeStart, field: "endDate") }
        var total = ExternalTotal(
            type: type.code, statistic: .sum, start: start.seconds, end: end, value: 0, unit: "",
            source: HealthSaveFrame.sourceName(of: record), index: 0)
        if type.kind == .category {
            try addTime(to: &total, record, batch)
        } else {
            let measured = try HealthSaveValue(record, of: batch, type)
            (total.value, total.unit) = (measured.value, measured.unit)
            total.statistic = type.aggregation == .cumulative ? .sum : .average
        }
        return total
    }

    private static let secondsOfDay = 86_400.0

    /// Reads the number of a category's samples, or their duration, as the unit shows.
    private static func addTime(
        to total: inout ExternalTotal, _ record: JSONValue, _ batch: HealthSaveBatch
    ) throws(UnreadableRecord) {
        guard let value = record["qty"]?.number else { throw .invalid(.value, field: "qty") }
        guard let text = record["unit"]?.string else {
            throw .unknown("\(batch.metric) without unit")
        }
        if let unit = IntakeUnit.named(text, compatibleWith: "s", .fraction) {
            total.statistic = .duration
            (total.value, total.unit) = (unit.converted(value), unit.symbol)
        } else if let unit = IntakeUnit.named(text, compatibleWith: "count", .fraction) {
            total.statistic = .count
            (total.value, total.unit) = (unit.converted(value), unit.symbol)
        } else {
            throw .invalid(.unit, field: "unit")
        }
    }
}
