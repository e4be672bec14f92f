import HealthEngine

/// Which types can be asked for, and by which numbers stores keep the answers.
enum AuthorizationTypes {
    /// Whether an app may ask to save samples of a type.
    static func canShare(_ type: HKSampleType) -> Bool {
        !(type is HKCorrelationType || type is HKClinicalType
            || type is HKElectrocardiogramType || readOnly.contains(type.identifier))
    }

    /// Whether an app may ask to read a type.
    static func canRead(_ type: HKObjectType) -> Bool {
        !(type is HKCorrelationType || type.requiresPerObjectAuthorization())
    }

    /// The number under which answers about a type are kept; nil for types the catalogue doesn't
    /// know.
    static func code(of type: HKObjectType) -> Int32? {
        type.row?.code ?? Catalogue.characteristic(identifier: type.identifier)?.code
    }
}
