import HealthEngine
import HealthStorage

// Medications and their doses.
extension ChangesDetail {
    /// Reads a dose: `{"medication":"…","scheduleType":2,"status":4,"unit":"count","amount":1}`.
    static func medicationDose(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> MedicationDose {
        func number(_ name: String) throws(UnreadableRecord) -> Double? {
            try ChangesFields.optionalNumber(value[name], "\(field).\(name)")
        }
        guard value.members != nil else { throw .invalid(.value, field: field) }
        let medication = try ChangesFields.uuid(value["medication"], field + ".medication")
        let unit = value["unit"]?.string ?? "count"
        guard (try? HealthUnit(unit)) != nil else { throw .invalid(.unit, field: field + ".unit") }
        return MedicationDose(
            medication: "\(medication)",
            scheduleType: value["scheduleType"]?.integer ?? MedicationDose.asNeeded,
            status: value["status"]?.integer, unit: unit, amount: try number("amount"),
            scheduledAmount: try number("scheduledAmount"),
            scheduled: try ChangesFields.optionalInstant(
                value["scheduled"], field + ".scheduled"))
    }

    /// Reads a medication, a record of the type `medication`.
    static func medication(_ record: JSONValue) throws(UnreadableRecord) -> Medication {
        let identifier = try ChangesFields.uuid(record["identifier"], "identifier")
        guard let text = record["displayText"]?.string else {
            throw .invalid(.value, field: "displayText")
        }
        var codings: [MedicationCoding] = []
        for element in try ChangesFields.elements(record["codings"], "codings") {
            guard let system = element["system"]?.string, let code = element["code"]?.string else {
                throw .invalid(.value, field: "codings")
            }
            codings.append(
                MedicationCoding(
                    system: system, version: element["version"]?.string, code: code))
        }
        var medication = Medication(
            identifier: "\(identifier)", displayText: text,
            generalForm: record["form"]?.string ?? "unknown", codings: codings,
            nickname: record["nickname"]?.string)
        medication.isArchived = record["isArchived"]?.bool
        medication.hasSchedule = record["hasSchedule"]?.bool ?? false
        return medication
    }
}
