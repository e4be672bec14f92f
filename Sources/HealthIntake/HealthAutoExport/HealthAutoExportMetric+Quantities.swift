import HealthEngine
import HealthStorage

// Quantities: metrics with one number for each datum, heart rates and blood pressures.
extension HealthAutoExportMetric {
    func addQuantity(_ datum: JSONValue, to pages: inout IntakePages) {
        guard let moment = moment(of: datum, &pages) else { return }
        guard datum.member(ignoringCase: "qty") != nil else {
            return addWithoutValue("qty", datum, to: &pages)
        }
        guard let value = value("qty", of: type, in: datum, &pages), let unit else { return }
        let attribute = attribute(of: datum)
        if isSample(type, moment) {
            var sample = sample(type, moment.span, datum, metadata: attribute?.metadata ?? [:])
            sample.origin.unit = unit.symbol
            sample.value = value
            pages.add(sample)
        } else if let attribute, attribute.isKnown {
            // A total of the basal insulin alone is no total of the insulin.
            keepUnknown("by \(attribute.field)", datum, &pages)
        } else {
            let statistic: ExternalTotal.Statistic =
                type.aggregation == .cumulative ? .sum : .average
            addTotal(statistic, value, unit.symbol, of: type, moment, datum, to: &pages)
        }
    }

    /// A property that divides the samples of a type: the meal time of a blood glucose, or the
    /// reason of an insulin delivery.
    private struct Attribute {
        var field: String
        /// Whether it is one of HealthKit's values.
        var isKnown: Bool
        var metadata: Metadata
    }

    /// The field, HealthKit's metadata key and its values by folded word, for each type.
    private static let attributes:
        [String: (field: String, key: String, values: [String: Double])] = [
            "bloodGlucose":
                ("mealTime", "HKBloodGlucoseMealTime", ["beforemeal": 1, "aftermeal": 2]),
            "insulinDelivery": ("reason", "HKInsulinDeliveryReason", ["basal": 1, "bolus": 2]),
        ]

    private func attribute(of datum: JSONValue) -> Attribute? {
        guard let (field, key, values) = HealthAutoExportMetric.attributes[type.name],
            let word = datum[field]?.string, !word.isEmpty
        else { return nil }
        let folded = HealthAutoExportReader.folded(word)
        if let value = values[folded] {
            return Attribute(field: field, isKnown: true, metadata: [key: .number(value)])
        }
        if folded == "unspecified" { return nil }
        return Attribute(
            field: field, isKnown: false,
            metadata: [HealthAutoExportReader.key(field): .string(word)])
    }

    // MARK: - Heart rates

    /// Adds the minimum, average and maximum of an interval. Three equal numbers of a point are one
    /// reading.
    func addHeartRate(_ datum: JSONValue, to pages: inout IntakePages) {
        let fields: [(name: String, statistic: ExternalTotal.Statistic)] = [
            ("Min", .minimum), ("Avg", .average), ("Max", .maximum),
        ]
        let present = fields.filter { datum.member(ignoringCase: $0.name) != nil }
        if present.isEmpty { return addQuantity(datum, to: &pages) }
        guard let moment = moment(of: datum, &pages) else { return }
        var values: [Double] = []
        for field in present {
            guard let value = value(field.name, of: type, in: datum, &pages) else { return }
            values.append(value)
        }
        guard let unit, let first = values.first else { return }
        if isSample(type, moment), values.allSatisfy({ $0 == first }) {
            var sample = sample(type, moment.span, datum)
            sample.origin.unit = unit.symbol
            sample.value = first
            pages.add(sample)
        } else {
            for (field, value) in zip(present, values) {
                addTotal(field.statistic, value, unit.symbol, of: type, moment, datum, to: &pages)
            }
        }
    }

    // MARK: - Blood pressures

    func addBloodPressure(_ datum: JSONValue, to pages: inout IntakePages) {
        guard let moment = moment(of: datum, &pages) else { return }
        let fields = ["systolic", "diastolic"]
        if fields.allSatisfy({ datum.member(ignoringCase: $0) == nil }) {
            return addWithoutValue("systolic", datum, to: &pages)
        }
        var members: [(type: SampleType, value: Double)] = []
        for field in fields {
            let name = field == "systolic" ? "bloodPressureSystolic" : "bloodPressureDiastolic"
            guard let type = Catalogue.type(named: name),
                let value = value(field, of: type, in: datum, &pages)
            else { return }
            members.append((type, value))
        }
        guard let unit else { return }
        guard isSample(type, moment) else {
            for member in members {
                addTotal(
                    .average, member.value, unit.symbol, of: member.type, moment, datum,
                    to: &pages)
            }
            return
        }
        let parent = pages.add(sample(type, moment.span, datum))
        for member in members {
            var sample = sample(member.type, moment.span, datum)
            sample.origin.unit = unit.symbol
            sample.value = member.value
            pages.add(sample, memberOf: parent)
        }
    }
}
