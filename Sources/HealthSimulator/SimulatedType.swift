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
    /// The catalogue's number for this type.
    var code: Int32 {
        switch self {
        case .stepCount: 37
        case .distanceWalkingRunning: 26
        case .flightsClimbed: 29
        case .heartRate: 45
        case .restingHeartRate: 49
        case .heartRateVariability: 47
        case .oxygenSaturation: 116
        case .activeEnergyBurned: 9
        case .basalEnergyBurned: 13
        case .headphoneAudioExposure: 43
        case .bodyMass: 3
        case .bloodPressureSystolic: 104
        case .bloodPressureDiastolic: 103
        case .dietaryEnergyConsumed: 71
        case .dietaryProtein: 87
        case .sleepAnalysis: 1030
        case .appleStandHour: 1001
        case .bloodPressure: 2001
        case .food: 2002
        case .workout: 2003
        case .activitySummary: 2004
        }
    }
}
