import Foundation
import HealthTesting
import Testing

@testable import HealthArchive

@Suite("What a FHIR resource says about its clinical type and name")
struct FHIRHeadingTests {
    @Test(
        "each resource type has its clinical type; observations by their category",
        arguments: [
            ("AllergyIntolerance", "", "AllergyRecord"), ("Condition", "", "ConditionRecord"),
            ("Coverage", "", "CoverageRecord"), ("DiagnosticReport", "", "LabResultRecord"),
            ("DocumentReference", "", "ClinicalNoteRecord"),
            ("Immunization", "", "ImmunizationRecord"),
            ("MedicationDispense", "", "MedicationRecord"),
            ("MedicationOrder", "", "MedicationRecord"),
            ("MedicationRequest", "", "MedicationRecord"),
            ("MedicationStatement", "", "MedicationRecord"), ("Procedure", "", "ProcedureRecord"),
            ("Observation", "laboratory", "LabResultRecord"),
            ("Observation", "vital-signs", "VitalSignRecord"),
            ("Observation", "social-history", nil), ("Observation", "", nil),
            ("Encounter", "", nil),
        ])
    func types(_ type: String, _ category: String, _ expected: String?) {
        let heading = FHIRHeading(
            "{\"resourceType\":\"\(type)\","
                + "\"category\":[{\"coding\":[{\"code\":\"\(category)\"}]}]}")
        #expect(heading?.clinicalType == expected.map { "HKClinicalTypeIdentifier" + $0 })
    }

    @Test("an observation of both categories has no clinical type")
    func bothCategories() {
        let heading = FHIRHeading(
            """
            {"resourceType":"Observation","category":[{"coding":[{"code":"laboratory"}]},
            {"coding":[{"code":"vital-signs"}]}]}
            """)
        #expect(heading?.categories == ["laboratory", "vital-signs"])
        #expect(heading?.clinicalType == nil)
    }

    @Test(
        "the name is the code's text or display, as each resource type has it",
        arguments: [
            ("\"code\":{\"text\":\" A b \",\"coding\":[{\"display\":\"C\"}]}", "A b"),
            ("\"code\":{\"coding\":[{\"code\":\"1\"},{\"display\":\"C\"}]}", "C"),
            ("\"vaccineCode\":{\"text\":\"Tetanus\"}", "Tetanus"),
            ("\"medicationCodeableConcept\":{\"text\":\"Aspirin\"}", "Aspirin"),
            ("\"medicationReference\":{\"display\":\"Ibuprofen\"}", "Ibuprofen"),
            (
                "\"medicationReference\":{\"reference\":\"#m\"},\"contained\":[{\"id\":\"n\"},"
                    + "{\"id\":\"m\",\"code\":{\"text\":\"Insulin\"}}]", "Insulin"
            ),
            ("\"substance\":{\"text\":\"Nuts\"}", "Nuts"),
            ("\"type\":{\"text\":\"Letter\"},\"description\":\"D\"", "Letter"),
            ("\"type\":[{\"text\":\"First\"}]", "First"), ("\"description\":\"D\"", "D"),
            ("\"code\":\"not a concept\"", nil), ("\"code\":{\"text\":7,\"coding\":{}}", nil),
            ("\"category\":[\"food\",{\"coding\":7}]", nil),
        ])
    func names(_ members: String, _ expected: String?) throws {
        let heading = try #require(FHIRHeading("{\"resourceType\":\"X\",\(members)}"))
        #expect(heading.displayName == expected)
    }

    /// Resources of the reference implementation, with the name and category it reads from them.
    private static let reference = """
        import json, sys, importlib, fhir.resources
        r4 = "" if fhir.resources.__fhir_version__.startswith("4.0") else ".R4B"
        def make(kind, **fields):
            module = importlib.import_module(f"fhir.resources{r4}.{kind.lower()}")
            made = getattr(module, kind)(**fields)
            text = made.json() if hasattr(made, "json") else made.model_dump_json()
            code = getattr(made, "code", None) or getattr(made, "vaccineCode", None) \\
                or getattr(made, "medicationCodeableConcept", None) or getattr(made, "type", None)
            name = code.text or next(c.display for c in code.coding if c.display)
            print(json.dumps([kind, name, text]))
        concept = {"coding": [{"system": "http://loinc.org", "code": "1", "display": "Päck \\"1\\""}]}
        person = {"reference": "Patient/1"}
        lab = [{"coding": [{"code": "laboratory"}]}]
        make("Observation", status="final", code=concept, category=lab)
        make("Observation", status="final", code={"text": "Pulse"},
             category=[{"coding": [{"code": "vital-signs"}]}])
        make("Condition", subject=person, code=concept)
        make("AllergyIntolerance", patient=person, code={"text": "Nuts"}, category=["food"])
        make("Immunization", patient=person, status="completed", vaccineCode=concept,
             occurrenceDateTime="2024-03-10")
        make("Procedure", subject=person, status="completed", code=concept)
        make("DiagnosticReport", status="final", code={"text": "Panel"}, category=lab)
        make("MedicationRequest", subject=person, status="active", intent="order",
             medicationCodeableConcept={"text": "Aspirin"})
        make("DocumentReference", status="current", type={"text": "Letter"},
             content=[{"attachment": {"contentType": "text/plain"}}])
        """

    @Test(
        "resources of Python's fhir.resources have the names that it reads",
        .enabled(if: Python.withFHIR != nil, "Python with fhir.resources is missing."))
    func reference() throws {
        let python = try #require(Python.withFHIR)
        let lines = try Python.run(Self.reference, by: python).split(separator: "\n")
        #expect(lines.count == 9)
        for line in lines {
            let parts = try JSONDecoder().decode([String].self, from: Data(line.utf8))
            let heading = try #require(FHIRHeading(parts[2]))
            #expect(heading.resourceType == parts[0])
            #expect(heading.displayName == parts[1])
            #expect(heading.clinicalType != nil, "\(parts[0])")
        }
    }
}
