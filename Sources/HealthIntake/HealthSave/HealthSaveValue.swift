import HealthEngine
import HealthStorage

/// A number of HealthSave in a unit of HealthKit's notation.
struct HealthSaveValue {
    let value: Double
    let unit: String

    /// Reads `qty`, or a number in `value`, with `unit`.
    ///
    /// The unit is in HealthKit's notation, so "%" is a fraction of one. A record without a unit is
    /// understood only if its type is a count. The others can be in any unit.
    init(
        _ record: JSONValue, of batch: HealthSaveBatch, _ type: SampleType
    ) throws(UnreadableRecord) {
        let field = record["qty"] == nil ? "value" : "qty"
        guard let number = record[field]?.number else { throw .invalid(.value, field: field) }
        let measure = try HealthSaveValue.unit(of: record, batch, type.canonicalUnit)
        value = measure.converted(number)
        unit = measure.symbol
        guard value.isFinite else { throw .invalid(.value, field: field) }
        guard PercentageRange.holds(value, type) else { throw .invalid(.range, field: field) }
    }

    /// Returns the unit of a record.
    ///
    /// - Parameter canonical: A unit that it must be compatible with.
    static func unit(
        of record: JSONValue, _ batch: HealthSaveBatch, _ canonical: String?
    ) throws(UnreadableRecord) -> IntakeUnit {
        guard let stated = record["unit"] else {
            guard canonical == "count" else { throw .unknown("\(batch.metric) without unit") }
            return IntakeUnit("count")
        }
        guard
            let unit = IntakeUnit.named(
                stated.string ?? "", compatibleWith: canonical, .fraction)
        else { throw .invalid(.unit, field: "unit") }
        return unit
    }
}
