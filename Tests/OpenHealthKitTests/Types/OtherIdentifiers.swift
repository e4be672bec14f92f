import OpenHealthKit

/// Apple's strings, listed independently of the catalogue.
let correlationTypeIdentifiers: [(HKCorrelationTypeIdentifier, String)] = [
    (.bloodPressure, "HKCorrelationTypeIdentifierBloodPressure"),
    (.food, "HKCorrelationTypeIdentifierFood"),
]

let characteristicTypeIdentifiers: [(HKCharacteristicTypeIdentifier, String)] = [
    (.activityMoveMode, "HKCharacteristicTypeIdentifierActivityMoveMode"),
    (.biologicalSex, "HKCharacteristicTypeIdentifierBiologicalSex"),
    (.bloodType, "HKCharacteristicTypeIdentifierBloodType"),
    (.dateOfBirth, "HKCharacteristicTypeIdentifierDateOfBirth"),
    (.fitzpatrickSkinType, "HKCharacteristicTypeIdentifierFitzpatrickSkinType"),
    (.wheelchairUse, "HKCharacteristicTypeIdentifierWheelchairUse"),
]

let documentTypeIdentifiers: [(HKDocumentTypeIdentifier, String)] = [
    (.CDA, "HKDocumentTypeIdentifierCDA")
]

let clinicalTypeIdentifiers: [(HKClinicalTypeIdentifier, String)] = [
    (.allergyRecord, "HKClinicalTypeIdentifierAllergyRecord"),
    (.clinicalNoteRecord, "HKClinicalTypeIdentifierClinicalNoteRecord"),
    (.conditionRecord, "HKClinicalTypeIdentifierConditionRecord"),
    (.immunizationRecord, "HKClinicalTypeIdentifierImmunizationRecord"),
    (.labResultRecord, "HKClinicalTypeIdentifierLabResultRecord"),
    (.medicationRecord, "HKClinicalTypeIdentifierMedicationRecord"),
    (.procedureRecord, "HKClinicalTypeIdentifierProcedureRecord"),
    (.vitalSignRecord, "HKClinicalTypeIdentifierVitalSignRecord"),
    (.coverageRecord, "HKClinicalTypeIdentifierCoverageRecord"),
]

let scoredAssessmentTypeIdentifiers: [(HKScoredAssessmentTypeIdentifier, String)] = [
    (.GAD7, "HKScoredAssessmentTypeIdentifierGAD7"),
    (.PHQ9, "HKScoredAssessmentTypeIdentifierPHQ9"),
]

let fhirResourceTypes: [(HKFHIRResourceType, String)] = [
    (.allergyIntolerance, "AllergyIntolerance"),
    (.condition, "Condition"),
    (.coverage, "Coverage"),
    (.diagnosticReport, "DiagnosticReport"),
    (.documentReference, "DocumentReference"),
    (.immunization, "Immunization"),
    (.medicationDispense, "MedicationDispense"),
    (.medicationOrder, "MedicationOrder"),
    (.medicationRequest, "MedicationRequest"),
    (.medicationStatement, "MedicationStatement"),
    (.observation, "Observation"),
    (.procedure, "Procedure"),
]

let fhirReleases: [(HKFHIRRelease, String)] = [
    (.dstu2, "DSTU2"),
    (.r4, "R4"),
    (.unknown, "unknown"),
]

let medicationForms: [(HKMedicationGeneralForm, String)] = [
    (.capsule, "capsule"),
    (.cream, "cream"),
    (.device, "device"),
    (.drops, "drops"),
    (.foam, "foam"),
    (.gel, "gel"),
    (.inhaler, "inhaler"),
    (.injection, "injection"),
    (.liquid, "liquid"),
    (.lotion, "lotion"),
    (.ointment, "ointment"),
    (.patch, "patch"),
    (.powder, "powder"),
    (.spray, "spray"),
    (.suppository, "suppository"),
    (.tablet, "tablet"),
    (.topical, "topical"),
    (.unknown, "unknown"),
]

let recordSourceTypes: [(HKVerifiableClinicalRecordSourceType, String)] = [
    (.smartHealthCard, "SMARTHealthCard"),
    (.euDigitalCOVIDCertificate, "EUDigitalCOVIDCertificate"),
]

let recordCredentialTypes: [(HKVerifiableClinicalRecordCredentialType, String)] = [
    (.covid19, "https://smarthealth.cards#covid19"),
    (.immunization, "https://smarthealth.cards#immunization"),
    (.laboratory, "https://smarthealth.cards#laboratory"),
    (.recovery, "https://smarthealth.cards#recovery"),
]

let healthConceptDomains: [(HKHealthConceptDomain, String)] = [
    (.medication, "HKHealthConceptDomainMedication")
]
