import HealthEngine
import HealthStorage

/// A value of Open Health Exporter in a unit of HealthKit's notation.
struct OpenHealthExporterValue {
    let value: Double
    let unit: String

    /// Reads `value` and `unit`. "%" is 0 to 100.
    ///
    /// - Parameters:
    ///   - record: A record, component or total.
    ///   - type: The type of the value.
    /// - Throws: A value outside the possible range is unknown under "quality". This format's
    ///   senders state such values, so that they must be kept, and must not enter an answer.
    init(_ record: JSONValue, of type: SampleType) throws(UnreadableRecord) {
        guard let number = record["value"]?.number else { throw .invalid(.value, field: "value") }
        guard
            let unit = IntakeUnit.named(
                record["unit"]?.string ?? "", compatibleWith: type.canonicalUnit, .hundred)
        else { throw .invalid(.unit, field: "unit") }
        value = unit.converted(number)
        self.unit = unit.symbol
        guard value.isFinite else { throw .invalid(.value, field: "value") }
        guard PercentageRange.holds(value, type) else { throw .unknown("quality") }
    }
}
