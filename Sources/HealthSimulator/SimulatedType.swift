/// The types a simulated person has data of.
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
    /// The number samples carry for this type.
    var code: Int32 { Self.codes[self] ?? -1 }

    private static let codes: [SimulatedType: Int32] = {
        var codes: [SimulatedType: Int32] = [:]
        for (index, type) in allCases.enumerated() { codes[type] = Int32(index + 1) }
        return codes
    }()
}
