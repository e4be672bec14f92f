import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Identifiers and constants")
struct ConstantsTests {
    @Test(
        "each quantity type identifier is Apple's string and is in the catalogue",
        .covers(
            "HKQuantityTypeIdentifier", "HKQuantityTypeIdentifier.*", "HKQuantityType.init(_:)"),
        arguments: quantityTypeIdentifiers)
    func quantityIdentifiers(identifier: HKQuantityTypeIdentifier, string: String) throws {
        #expect(identifier.rawValue == string)
        #expect(HKQuantityTypeIdentifier(rawValue: string) == identifier)
        #expect(HKQuantityType(identifier).identifier == string)
        let type = try #require(HKObjectType.quantityType(forIdentifier: identifier))
        #expect(type == HKQuantityType(identifier))
        let row = try #require(Catalogue.type(identifier: string))
        let unit = try #require(row.canonicalUnit)
        #expect(type.is(compatibleWith: HKUnit(from: unit)))
        #expect("\(type.aggregationStyle)" == row.aggregation.map { "\($0)" })
    }

    @Test(
        "each category type identifier is Apple's string and is in the catalogue",
        .covers(
            "HKCategoryType", "HKCategoryTypeIdentifier", "HKCategoryTypeIdentifier.*",
            "HKCategoryType.init(_:)"),
        arguments: categoryTypeIdentifiers)
    func categoryIdentifiers(identifier: HKCategoryTypeIdentifier, string: String) {
        #expect(identifier.rawValue == string)
        #expect(HKCategoryTypeIdentifier(rawValue: string) == identifier)
        #expect(HKCategoryType(identifier).identifier == string)
        #expect(HKObjectType.categoryType(forIdentifier: identifier) == HKCategoryType(identifier))
    }

    @Test(
        "the other identifiers are Apple's strings",
        .covers(
            "HKCorrelationTypeIdentifier", "HKCorrelationTypeIdentifier.*",
            "HKCharacteristicTypeIdentifier", "HKCharacteristicTypeIdentifier.*",
            "HKClinicalTypeIdentifier", "HKClinicalTypeIdentifier.*",
            "HKDocumentTypeIdentifier", "HKDocumentTypeIdentifier.*",
            "HKScoredAssessmentTypeIdentifier", "HKScoredAssessmentTypeIdentifier.*"))
    func otherIdentifiers() {
        expectStrings(correlationTypeIdentifiers)
        expectStrings(characteristicTypeIdentifiers)
        expectStrings(documentTypeIdentifiers)
        expectStrings(clinicalTypeIdentifiers)
        expectStrings(scoredAssessmentTypeIdentifiers)
        expectStrings(fhirResourceTypes)
        expectStrings(fhirReleases)
        expectStrings(medicationForms)
        expectStrings(recordSourceTypes)
        expectStrings(recordCredentialTypes)
        expectStrings(healthConceptDomains)
    }

    @Test("every type of the catalogue has an identifier constant")
    func complete() {
        let known =
            Set(quantityTypeIdentifiers.map(\.1)).union(categoryTypeIdentifiers.map(\.1))
        let rows = Catalogue.types.filter { $0.kind == .quantity || $0.kind == .category }
        #expect(Set(rows.map(\.identifier)) == known)
    }

    @Test("each metadata key is Apple's string", .covers("HKMetadataKey*"), arguments: metadataKeys)
    func keys(constant: String, string: String) {
        #expect(constant == string)
        #expect(Catalogue.metadataKey(string) != nil)
    }

    @Test(
        "each constant is Apple's string",
        .covers(
            "HKPredicateKeyPath*", "HKUserAnnotatedMedicationPredicateKeyPath*",
            "HKSampleSortIdentifier*", "HKWorkoutSortIdentifier*", "HKDevicePropertyKey*",
            "HKSourceRevisionAnyVersion", "HKSourceRevisionAnyProductType", "HKErrorDomain",
            "HKDetailedCDAValidationErrorKey", "HKWorkoutTypeIdentifier",
            "HKWorkoutRouteTypeIdentifier", "HKDataTypeIdentifierHeartbeatSeries",
            "HKDataTypeIdentifierStateOfMind", "HKVisionPrescriptionTypeIdentifier"),
        arguments: stringConstants)
    func strings(constant: String, string: String) {
        #expect(constant == string)
    }

    private func expectStrings<Identifier: RawRepresentable>(_ rows: [(Identifier, String)])
    where Identifier.RawValue == String {
        for (identifier, string) in rows {
            #expect(identifier.rawValue == string)
            #expect(Identifier(rawValue: string)?.rawValue == string)
        }
    }
}
