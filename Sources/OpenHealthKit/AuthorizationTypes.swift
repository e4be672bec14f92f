import HealthEngine

/// Which types can be asked for, and by which numbers a store keeps the answers.
enum AuthorizationTypes {
    /// Characteristics aren't samples, so the catalogue gives them no code; the numbers are stored
    /// and never change.
    static let characteristics: [String: Int32] = [
        "HKCharacteristicTypeIdentifierActivityMoveMode": 3001,
        "HKCharacteristicTypeIdentifierBiologicalSex": 3002,
        "HKCharacteristicTypeIdentifierBloodType": 3003,
        "HKCharacteristicTypeIdentifierDateOfBirth": 3004,
        "HKCharacteristicTypeIdentifierFitzpatrickSkinType": 3005,
        "HKCharacteristicTypeIdentifierWheelchairUse": 3006,
        "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse": 3007,
    ]

    /// Types that only Apple's own software writes (§8.5), as far as they are known.
    static let readOnly: Set<String> = [
        "HKQuantityTypeIdentifierAppleExerciseTime",
        "HKQuantityTypeIdentifierAppleStandTime",
        "HKQuantityTypeIdentifierAppleSleepingWristTemperature",
        "HKQuantityTypeIdentifierAppleWalkingSteadiness",
        "HKQuantityTypeIdentifierAtrialFibrillationBurden",
        "HKQuantityTypeIdentifierWalkingHeartRateAverage",
        "HKCategoryTypeIdentifierAppleStandHour",
        "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent",
        "HKCategoryTypeIdentifierHighHeartRateEvent",
        "HKCategoryTypeIdentifierHypertensionEvent",
        "HKCategoryTypeIdentifierLowHeartRateEvent",
    ]

    /// Whether an app may ask to save samples of a type.
    static func canShare(_ type: HKSampleType) -> Bool {
        !(type is HKCorrelationType || type is HKClinicalType
            || type is HKElectrocardiogramType || readOnly.contains(type.identifier))
    }

    /// Whether an app may ask to read a type.
    static func canRead(_ type: HKObjectType) -> Bool {
        !(type is HKCorrelationType || type.requiresPerObjectAuthorization())
    }

    /// The number under which answers about a type are kept; nil for types nobody knows.
    static func code(of type: HKObjectType) -> Int32? {
        Catalogue.type(identifier: type.identifier)?.code ?? characteristics[type.identifier]
    }

    /// The identifier behind a number.
    static func identifier(of code: Int32) -> String? {
        Catalogue.type(code: code)?.identifier
            ?? characteristics.first { $0.value == code }?.key
    }
}
