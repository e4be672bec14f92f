import HealthEngine
import HealthStorage

/// A medication dose, and the medication as far as the record states it: by its name.
///
/// The specification lists no times for doses. A record without `start` is kept as it was sent,
/// because neither `scheduledAt` nor `observedAt` is the time at which a dose was logged.
struct OpenHealthExporterDose {
    var sample: ReceivedSample
    var medication: Medication

    init(_ record: JSONValue, receivedAt: Double) throws(UnreadableRecord) {
        guard let type = Catalogue.type(named: "medicationDoseEvent"), record["start"] != nil
        else { throw .unknown("medicationDose") }
        let frame = try OpenHealthExporterFrame(
            record, receivedAt: receivedAt, missingEnd: .instant)
        guard let name = record["medicationName"]?.string, !name.isEmpty else {
            throw .invalid(.value, field: "medicationName")
        }
        guard let status = Self.status(of: record) else { throw .unknown("medicationDose.status") }
        let scheduled =
            record["scheduledAt"] == nil
            ? nil : try OpenHealthExporterFrame.instant(record, "scheduledAt")
        var dose = MedicationDose(
            medication: Medication.identifier(displayText: name),
            scheduleType: scheduled == nil ? MedicationDose.asNeeded : MedicationDose.bySchedule,
            status: status, scheduled: scheduled)
        if let sent = record["doseUnit"] {
            guard let unit = sent.string.flatMap({ IntakeUnit.named($0) }), unit.factor == 1 else {
                throw .unknown("medicationDose.doseUnit")
            }
            dose.unit = unit.symbol
        }
        if let sent = record["doseQuantity"] {
            guard let amount = sent.number else { throw .invalid(.value, field: "doseQuantity") }
            dose.amount = amount
        }
        sample = frame.sample(type)
        sample.detail = .medicationDose(dose)
        medication = Medication(displayText: name)
        medication.hasSchedule = scheduled != nil
    }

    /// Returns the raw value of HealthKit's name, or of "raw_4"; nil for other words.
    private static func status(of record: JSONValue) -> Int? {
        record["status"]?.string.flatMap(MedicationDose.status(named:))
            ?? OpenHealthExporterSample.rawValue(record["status"])
    }
}
