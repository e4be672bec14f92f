import HealthEngine

/// Which types can be requested, and the numeric codes that identify them in stored grants.
enum AuthorizationTypes {
    /// Whether an app may request to save samples of a type (Semantics §8.5).
    static func canShare(_ type: HKSampleType) -> Bool {
        !(type is HKCorrelationType || type is HKClinicalType
            || type.identifier == VerifiableClinicalRecord.typeIdentifier
            || type is HKElectrocardiogramType || type is HKMedicationDoseEventType
            || readOnly.contains(type.identifier))
    }

    /// Whether an app may request to read a type (Semantics §8.5, §8.12).
    static func canRead(_ type: HKObjectType) -> Bool {
        !(type is HKCorrelationType || type.requiresPerObjectAuthorization())
    }

    /// Returns the code under which grants for a sample type or characteristic type are stored; nil
    /// for types that are not in the catalogue.
    static func code(of type: HKObjectType) -> Int32? {
        type.row?.code ?? Catalogue.characteristic(identifier: type.identifier)?.code
    }
}
