import Foundation
import HealthKit
import HealthTesting
import Testing

/// Clinical records of an import, with code in the manner of apps.
@Suite struct RecordsReaderTests {
    private let person: ImportedExport
    private let reader: RecordsReader

    private static func element(_ type: String, _ id: String, _ version: String = "4.0.1") -> String
    {
        "<ClinicalRecord type=\"\(type)\" identifier=\"\(id)\" sourceName=\"Hospital am See\" "
            + "sourceURL=\"https://fhir.example.com/\(type)/\(id)\" fhirVersion=\"\(version)\" "
            + "receivedDate=\"2026-05-28 08:00:00 +0200\" "
            + "resourceFilePath=\"/clinical-records/\(type)-\(id).json\"/>"
    }

    private static let hemoglobin = """
        {"resourceType": "Observation", "id": "a1", "status": "final",
         "category": [{"coding": [{"code": "laboratory"}]}],
         "code": {"coding": [{"system": "http://loinc.org", "code": "718-7",
          "display": "Hemoglobin [Mass/volume] in Blood"}], "text": "Hämoglobin"},
         "valueQuantity": {"value": 7.25, "unit": "g/dl"}}
        """
    private static let pulse = """
        {"resourceType":"Observation","id":"b2","category":{"coding":[{"code":"vital-signs"}]},
        "code":{"coding":[{"display":"Heart rate"}]},"valueQuantity":{"value":72,"unit":"/min"}}
        """
    private static let penicillin = """
        {"resourceType":"AllergyIntolerance","code":{"text":"Penicillin"}}
        """

    init() throws {
        person = try ImportedExport(
            [
                Self.element("Observation", "a1"), Self.element("Observation", "b2", "1.0.2"),
                Self.element("AllergyIntolerance", "c3"),
            ],
            files: [
                "clinical-records/Observation-a1.json": Self.hemoglobin,
                "clinical-records/Observation-b2.json": Self.pulse,
                "clinical-records/AllergyIntolerance-c3.json": Self.penicillin,
            ])
        reader = RecordsReader(healthStore: person.store)
    }

    @Test(
        "a record has its type, name, provider, version and the bytes of its resource",
        .covers(
            "HKClinicalRecord", "HKClinicalRecord.clinicalType", "HKClinicalRecord.displayName",
            "HKClinicalRecord.fhirResource", "HKFHIRResource", "HKFHIRResource.fhirVersion",
            "HKFHIRVersion.fhirRelease", "HKClinicalType.init(_:)"))
    func records() async throws {
        try await reader.authorize()
        let record = try #require(try await reader.records(.labResultRecord).first)
        #expect(record.displayName == "Hämoglobin")
        #expect(record.clinicalType == HKClinicalType(.labResultRecord))
        #expect(record.sourceRevision.source.name == "Hospital am See")
        let resource = try #require(record.fhirResource)
        #expect(resource.data == Data(Self.hemoglobin.utf8))
        #expect(resource.identifier == "a1" && resource.resourceType == .observation)
        #expect(resource.fhirVersion == .primaryR4())
        #expect(resource.sourceURL?.absoluteString == "https://fhir.example.com/Observation/a1")
        #expect(reader.quantity(of: record) == "7.25 g/dl")
        let pulse = try #require(try await reader.records(.vitalSignRecord).first)
        #expect(pulse.displayName == "Heart rate")
        #expect(pulse.fhirResource?.fhirVersion == .primaryDSTU2())
        #expect(reader.quantity(of: pulse) == nil)
        #expect(pulse.startDate == pulse.endDate)
        #expect(pulse.startDate == ISO8601DateFormatter().date(from: "2026-05-28T06:00:00Z"))
        #expect(try await reader.records(.allergyRecord).map(\.displayName) == ["Penicillin"])
        #expect(try await reader.records(.coverageRecord).isEmpty)
    }

    @Test(
        "records are found by resource type, identifier and source",
        .covers(
            "HKQuery.predicateForClinicalRecords(from:fhirResourceType:identifier:)",
            "HKQuery.predicateForClinicalRecords(withFHIRResourceType:)",
            "HKSamplePredicate.clinicalRecord(type:predicate:)",
            "HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier",
            "HKPredicateKeyPathClinicalRecordFHIRResourceType"))
    func predicates() async throws {
        try await reader.authorize()
        let observations = HKQuery.predicateForClinicalRecords(withFHIRResourceType: .observation)
        let reports = HKQuery.predicateForClinicalRecords(withFHIRResourceType: .diagnosticReport)
        #expect(try await reader.records(.labResultRecord, matching: observations).count == 1)
        #expect(try await reader.records(.labResultRecord, matching: reports).isEmpty)
        let record = try #require(try await reader.records(.labResultRecord).first)
        #expect(try await reader.record(like: record).map(\.uuid) == [record.uuid])
        #expect(observations.evaluate(with: record) && !reports.evaluate(with: record))
        let byKey = NSPredicate(
            format: "%K == %@ AND %K == %@",
            HKPredicateKeyPathClinicalRecordFHIRResourceType, "Observation",
            HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, "other")
        #expect(try await reader.records(.labResultRecord, matching: byKey).isEmpty)
    }

    @Test("a later export's changed record is new, and the old one deleted")
    func changes() async throws {
        try await reader.authorize()
        let before = try await reader.changes(.labResultRecord, since: nil)
        #expect(before.new.count == 1)
        try person.next(
            [Self.element("Observation", "a1"), Self.element("Observation", "d4")],
            files: [
                "clinical-records/Observation-a1.json":
                    Self.hemoglobin.replacing("7.25", with: "7.5"),
                "clinical-records/Observation-d4.json":
                    Self.hemoglobin.replacing("Hämoglobin", with: "Hematocrit"),
            ], day: 2)
        let after = try await reader.changes(.labResultRecord, since: before.anchor)
        #expect(Set(after.new.map(\.displayName)) == ["Hämoglobin", "Hematocrit"])
        #expect(after.deleted.count <= 1)
        #expect(try await reader.records(.vitalSignRecord).isEmpty)
    }

    @Test("apps can't request to save clinical records")
    func sharing() async throws {
        await #expect(throws: HKError.self) {
            try await person.store.requestAuthorization(
                toShare: [HKClinicalType(.labResultRecord)], read: [])
        }
    }
}
