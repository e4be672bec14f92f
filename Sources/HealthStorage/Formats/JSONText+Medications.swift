internal import HealthCalendar
package import HealthEngine

// Medications and their doses as JSON for other programs.
extension JSONText {
    /// Returns a dose: `{"medication":"…","scheduleType":2,"status":4,"statusName":"taken",…}`.
    ///
    /// - Parameters:
    ///   - dose: The dose.
    ///   - calendar: The time zone of the scheduled time.
    /// - Returns: A JSON object.
    static func medicationDose(_ dose: MedicationDose, _ calendar: CalendarBuckets) -> JSONText {
        .object([
            "medication": .string(dose.medication), "scheduleType": .integer(dose.scheduleType),
            "status": dose.status.map(JSONText.integer),
            "statusName": dose.statusName.map(JSONText.string),
            "unit": .string(dose.unit), "amount": dose.amount.map(JSONText.number),
            "scheduledAmount": dose.scheduledAmount.map(JSONText.number),
            "scheduled": dose.scheduled.map { .string(calendar.text($0)) },
        ])
    }

    /// Returns a medication as a record of the type `medication`.
    ///
    /// - Parameter medication: The medication.
    /// - Returns: A JSON object.
    package static func medication(_ medication: Medication) -> JSONText {
        .object([
            "type": .string("medication"), "identifier": .string(medication.identifier),
            "displayText": .string(medication.displayText),
            "nickname": medication.nickname.map(JSONText.string),
            "form": .string(medication.generalForm),
            "isArchived": medication.isArchived.map(JSONText.bool),
            "hasSchedule": .bool(medication.hasSchedule),
            "codings": .array(
                medication.codings.map {
                    .object([
                        "system": .string($0.system), "version": $0.version.map(JSONText.string),
                        "code": .string($0.code),
                    ])
                }),
        ])
    }
}

extension SampleLines {
    /// Returns one line for each medication, of the type `medication`: for CSV nothing, because its
    /// columns are those of a sample.
    ///
    /// - Parameter medications: The medications.
    /// - Returns: The lines, each with a final line feed.
    /// - Complexity: O(length of the medications).
    package func text(medications: [Medication]) -> String {
        guard format == .jsonLines else { return "" }
        return medications.map { JSONText.medication($0).text + "\n" }.joined()
    }
}
