import Foundation
import HealthEngine

/// The parts of a FHIR resource that determine its clinical type and its name for people.
///
/// ```
/// {"resourceType":"Observation","id":"17","category":[{"coding":[{"code":"laboratory"}]}],
///  "code":{"text":"Hemoglobin"},…}
/// ```
/// Members of another form, as in other versions of FHIR, count as missing.
struct FHIRHeading {
    var resourceType: String
    var id: String?
    /// The codes of all categories.
    var categories: [String]
    /// The name for people: a text or a display of the code; nil without one.
    var displayName: String?

    private static let maximumNameLength = 500

    /// Reads a resource; nil if it is no JSON object with a resource type.
    ///
    /// - Complexity: O(bytes). Nesting beyond 512 levels is not JSON to the decoder.
    init?(_ json: String) {
        guard !json.utf8.contains(0),
            let body = try? JSONDecoder().decode(FHIRBody.self, from: Data(json.utf8)),
            let type = body.resourceType?.value, !type.isEmpty
        else { return nil }
        resourceType = type
        id = body.id?.value
        categories = body.category?.values.flatMap(\.codes) ?? []
        displayName = body.name.map { String($0.prefix(FHIRHeading.maximumNameLength)) }
    }
}

extension FHIRHeading {
    /// Returns the identifier of the clinical type of the resource (Semantics §10.10); nil if it
    /// has none or its categories don't determine it.
    var clinicalType: String? {
        let name: String
        switch resourceType {
        case "AllergyIntolerance": name = "AllergyRecord"
        case "Condition": name = "ConditionRecord"
        case "Coverage": name = "CoverageRecord"
        case "DiagnosticReport": name = "LabResultRecord"
        case "DocumentReference": name = "ClinicalNoteRecord"
        case "Immunization": name = "ImmunizationRecord"
        case "MedicationDispense", "MedicationOrder", "MedicationRequest", "MedicationStatement":
            name = "MedicationRecord"
        case "Observation":
            let isLaboratory = categories.contains("laboratory")
            guard isLaboratory != categories.contains("vital-signs") else { return nil }
            name = isLaboratory ? "LabResultRecord" : "VitalSignRecord"
        case "Procedure": name = "ProcedureRecord"
        default: return nil
        }
        return SampleType.clinicalPrefix + name
    }
}

/// The members of all resource types that name a resource, in any version of FHIR.
private struct FHIRBody: Decodable {
    var resourceType: Lenient<String>?
    var id: Lenient<String>?
    var category: OneOrMany<FHIRConcept>?
    var code: Lenient<FHIRConcept>?
    var vaccineCode: Lenient<FHIRConcept>?
    var medicationCodeableConcept: Lenient<FHIRConcept>?
    var medicationReference: Lenient<FHIRReference>?
    var contained: OneOrMany<FHIRContained>?
    var substance: Lenient<FHIRConcept>?
    var type: OneOrMany<FHIRConcept>?
    var description: Lenient<String>?

    /// The first name in this order: the code, vaccine, medication, or substance; the type of a
    /// document or coverage; the description.
    var name: String? {
        let concepts = [code, vaccineCode, medicationCodeableConcept, substance]
        let names =
            concepts.map { $0?.value?.name }
            + [medicationReference?.value?.display?.value, containedName]
            + (type?.values ?? []).map(\.name) + [description?.value]
        for case let name? in names {
            let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
            if !trimmed.isEmpty { return trimmed }
        }
        return nil
    }

    /// The name of the medication in the resource itself, to which `"#id"` refers.
    private var containedName: String? {
        guard let target = medicationReference?.value?.reference?.value, target.hasPrefix("#")
        else { return nil }
        return contained?.values.first { $0.id?.value == String(target.dropFirst()) }?
            .code?.value?.name
    }
}

private struct FHIRContained: Decodable {
    var id: Lenient<String>?
    var code: Lenient<FHIRConcept>?
}

private struct FHIRReference: Decodable {
    var reference: Lenient<String>?
    var display: Lenient<String>?
}

/// A `CodeableConcept`.
private struct FHIRConcept: Decodable {
    struct Coding: Decodable {
        var code: Lenient<String>?
        var display: Lenient<String>?
    }

    var text: Lenient<String>?
    var coding: OneOrMany<Coding>?

    var codes: [String] { coding?.values.compactMap { $0.code?.value } ?? [] }

    var name: String? {
        let text = text?.value ?? ""
        if !text.isEmpty { return text }
        return coding?.values.lazy.compactMap { $0.display?.value }.first { !$0.isEmpty }
    }
}

/// A value that is nil if it has another form.
private struct Lenient<Value: Decodable>: Decodable {
    var value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// A list, of which elements of another form are left out, or a single element.
private struct OneOrMany<Value: Decodable>: Decodable {
    var values: [Value]

    init(from decoder: any Decoder) throws {
        if let list = try? [Lenient<Value>](from: decoder) {
            values = list.compactMap(\.value)
        } else {
            values = (try? Value(from: decoder)).map { [$0] } ?? []
        }
    }
}
