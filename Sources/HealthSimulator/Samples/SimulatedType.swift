internal import HealthEngine

/// The types of a simulated person's data.
enum SimulatedType: String, CaseIterable, Sendable {
    case stepCount = "HKQuantityTypeIdentifierStepCount"
    case distanceWalkingRunning = "HKQuantityTypeIdentifierDistanceWalkingRunning"
    case flightsClimbed = "HKQuantityTypeIdentifierFlightsClimbed"
    case heartRate = "HKQuantityTypeIdentifierHeartRate"
    case restingHeartRate = "HKQuantityTypeIdentifierRestingHeartRate"
    case heartRateVariability = "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
    case oxygenSaturation = "HKQuantityTypeIdentifierOxygenSaturation"
    case activeEnergyBurned = "HKQuantityTypeIdentifierActiveEnergyBurned"
    case basalEnergyBurned = "HKQuantityTypeIdentifierBasalEnergyBurned"
    case headphoneAudioExposure = "HKQuantityTypeIdentifierHeadphoneAudioExposure"
    case bodyMass = "HKQuantityTypeIdentifierBodyMass"
    case bloodPressureSystolic = "HKQuantityTypeIdentifierBloodPressureSystolic"
    case bloodPressureDiastolic = "HKQuantityTypeIdentifierBloodPressureDiastolic"
    case dietaryEnergyConsumed = "HKQuantityTypeIdentifierDietaryEnergyConsumed"
    case dietaryProtein = "HKQuantityTypeIdentifierDietaryProtein"
    case sleepAnalysis = "HKCategoryTypeIdentifierSleepAnalysis"
    case appleStandHour = "HKCategoryTypeIdentifierAppleStandHour"
    case bloodPressure = "HKCorrelationTypeIdentifierBloodPressure"
    case food = "HKCorrelationTypeIdentifierFood"
    case workout = "HKWorkoutTypeIdentifier"
    case activitySummary = "HKActivitySummaryTypeIdentifier"
}

extension SimulatedType {
    /// The catalogue's code of this type; -1 if the catalogue lacks it.
    var code: Int32 { Self.codes[self] ?? -1 }

    private static let codes = Dictionary(
        uniqueKeysWithValues: allCases.map {
            ($0, Catalogue.type(identifier: $0.rawValue)?.code ?? -1)
        })
}
