import HealthEngine
import HealthStorage

/// Reads the details of clinical records, clinical documents and signed records. Their contents
/// are text, and are not parsed again.
enum ChangesClinical {
    static func record(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> ClinicalRecord {
        ClinicalRecord(
            resourceType: try text("resourceType", of: value, field),
            identifier: try text("identifier", of: value, field),
            fhirVersion: value["fhirVersion"]?.string ?? "",
            displayName: value["displayName"]?.string ?? "",
            sourceURL: value["sourceURL"]?.string, file: value["file"]?.string,
            resource: try text("resource", of: value, field))
    }

    static func document(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> ClinicalDocument {
        let document = ClinicalDocument(
            title: value["title"]?.string ?? "", patientName: value["patientName"]?.string ?? "",
            authorName: value["authorName"]?.string ?? "",
            custodianName: value["custodianName"]?.string ?? "", text: value["text"]?.string,
            base64: value["base64"]?.string)
        guard (document.text == nil) != (document.base64 == nil) else {
            throw .invalid(.value, field: field + ".text")
        }
        return document
    }

    static func verifiableRecord(
        _ value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> VerifiableClinicalRecord {
        var expires: Double?
        if let date = value["expires"] {
            expires = try ChangesFields.instant(date, field + ".expires")
        }
        return VerifiableClinicalRecord(
            recordTypes: try texts(value["recordTypes"], field + ".recordTypes"),
            issuer: value["issuer"]?.string ?? "", fullName: value["fullName"]?.string ?? "",
            dateOfBirth: value["dateOfBirth"]?.string,
            issued: try ChangesFields.instant(value["issued"], field + ".issued"),
            expires: expires, itemNames: try texts(value["itemNames"], field + ".itemNames"),
            sourceType: value["sourceType"]?.string, data: try text("data", of: value, field))
    }

    private static func text(
        _ name: String, of value: JSONValue, _ field: String
    ) throws(UnreadableRecord) -> String {
        guard let text = value[name]?.string, !text.isEmpty else {
            throw .invalid(.value, field: "\(field).\(name)")
        }
        return text
    }

    private static func texts(
        _ value: JSONValue?, _ field: String
    ) throws(UnreadableRecord) -> [String] {
        guard let value else { return [] }
        var texts: [String] = []
        for element in try ChangesFields.elements(value, field) {
            guard let text = element.string else { throw .invalid(.value, field: field) }
            texts.append(text)
        }
        return texts
    }
}
