import HealthEngine
import HealthStorage

/// Reads the content of hearing tests: `{"points":[…]}`, as `openhealth export --format jsonl`
/// writes it.
enum ChangesAudiogram {
    static func audiogram(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> Audiogram {
        guard value.members != nil else { throw .invalid(.value, field: field) }
        var audiogram = Audiogram()
        for element in try ChangesFields.elements(value["points"], field + ".points") {
            var point = Audiogram.Point(
                frequency: try ChangesFields.quantity(
                    element["frequency"], field + ".frequency", of: "Hz"))
            for test in try ChangesFields.elements(element["tests"], field + ".tests") {
                point.tests.append(try self.test(test, field))
            }
            audiogram.points.append(point)
        }
        return audiogram
    }

    private static func test(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> Audiogram.Test {
        let sides = ["left": Audiogram.Test.left, "right": Audiogram.Test.right]
        let side = try ChangesFields.named(value["side"], sides, field + ".side")
        let conduction =
            value["conduction"] == nil
            ? Audiogram.Test.air
            : try ChangesFields.named(
                value["conduction"], ["air": Audiogram.Test.air], field + ".conduction")
        return Audiogram.Test(
            sensitivity: try ChangesFields.quantity(
                value["sensitivity"], field + ".sensitivity", of: "dBHL"),
            side: side, conduction: conduction, masked: value["masked"]?.bool ?? false,
            clamping: Audiogram.Clamping(
                lower: try ChangesFields.optionalNumber(
                    value["clampingLowerBound"], field + ".clampingLowerBound"),
                upper: try ChangesFields.optionalNumber(
                    value["clampingUpperBound"], field + ".clampingUpperBound")))
    }
}

extension ChangesFields {
    /// Reads `{"value":…,"unit":…}`.
    ///
    /// - Parameter dimension: A unit with which the unit must be compatible.
    static func quantity(
        _ value: JSONValue?, _ field: String, of dimension: String
    ) throws(UnreadableRecord) -> RecordedQuantity {
        guard let number = value?["value"]?.number, let unit = value?["unit"]?.string else {
            throw .invalid(.value, field: field)
        }
        let quantity = RecordedQuantity(number, unit)
        guard quantity.value(in: dimension) != nil else { throw .invalid(.unit, field: field) }
        return quantity
    }

    static func optionalQuantity(
        _ value: JSONValue?, _ field: String, of dimension: String
    ) throws(UnreadableRecord) -> RecordedQuantity? {
        value == nil ? nil : try quantity(value, field, of: dimension)
    }

    /// Reads the name of a value, or its number.
    static func named(
        _ value: JSONValue?, _ names: [String: Int], _ field: String
    ) throws(UnreadableRecord) -> Int {
        if let name = value?.string, let number = names[name] { return number }
        if let number = value?.number, let number = Int(exactly: number) { return number }
        throw .invalid(.value, field: field)
    }
}
