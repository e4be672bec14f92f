import HealthCalendar
import HealthEngine

// The same names as in stored details, with dates as text.
extension JSONText {
    static func clinicalRecord(_ record: ClinicalRecord) -> JSONText {
        .object([
            "clinicalRecord": .object([
                "resourceType": .string(record.resourceType),
                "identifier": .string(record.identifier),
                "fhirVersion": .string(record.fhirVersion),
                "displayName": .string(record.displayName),
                "sourceURL": record.sourceURL.map(JSONText.string),
                "file": record.file.map(JSONText.string),
                "resource": .string(record.resource),
            ])
        ])
    }

    static func document(_ document: ClinicalDocument) -> JSONText {
        .object([
            "document": .object([
                "title": .string(document.title),
                "patientName": .string(document.patientName),
                "authorName": .string(document.authorName),
                "custodianName": .string(document.custodianName),
                "text": document.text.map(JSONText.string),
                "base64": document.base64.map(JSONText.string),
            ])
        ])
    }

    static func verifiableClinicalRecord(
        _ record: VerifiableClinicalRecord, _ calendar: CalendarBuckets
    ) -> JSONText {
        .object([
            "verifiableClinicalRecord": .object([
                "recordTypes": .array(record.recordTypes.map(JSONText.string)),
                "issuer": .string(record.issuer),
                "fullName": .string(record.fullName),
                "dateOfBirth": record.dateOfBirth.map(JSONText.string),
                "issued": .string(calendar.text(record.issued)),
                "expires": record.expires.map { .string(calendar.text($0)) },
                "itemNames": .array(record.itemNames.map(JSONText.string)),
                "sourceType": record.sourceType.map(JSONText.string),
                "data": .string(record.data),
            ])
        ])
    }
}
