import HealthEngine

/// How often samples of a type are usually written.
enum RecordingFrequency: Int, Comparable, Sendable {
    /// Some thousands in ten years at most: records, documents, tests, events.
    case rare
    /// Some a day at most: body mass, workouts, meals.
    case daily
    /// Many a day: heart rate, steps, stages of sleep.
    case often

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    init(_ type: SampleType) {
        if type.kind == .other {
            self = Self.seriesAndEntries.contains(type.name) ? .daily : .rare
        } else if type.kind == .correlation || type.kind == .workout
            || type.name.hasPrefix("dietary") || Self.dailyNames.contains(type.name)
        {
            self = .daily
        } else if type.kind == .quantity {
            self = Self.rareQuantities.contains(type.name) ? .rare : .often
        } else {
            self = Self.frequentCategories.contains(type.name) ? .often : .rare
        }
    }

    /// Creates the frequency of the most frequent one of known types.
    init(_ types: PossibleTypes) {
        self = types.known.map { Self($0) }.max() ?? .often
    }

    /// Creates the frequency for a class of types, such as `HKClinicalType`.
    init(className: String?) {
        switch className {
        case "HKClinicalType", "HKDocumentType", "HKPrescriptionType", "HKAudiogramSampleType",
            "HKElectrocardiogramType", "HKScoredAssessmentType", "HKCharacteristicType":
            self = .rare
        case "HKWorkoutType", "HKSeriesType", "HKCorrelationType", "HKCategoryType",
            "HKStateOfMindType", "HKMedicationDoseEventType":
            self = .daily
        default: self = .often
        }
    }

    private static let seriesAndEntries: Set<String> = [
        "workoutRoute", "heartbeatSeries", "stateOfMind", "medicationDoseEvent", "activitySummary",
    ]

    private static let rareQuantities: Set<String> = [
        "height", "waistCircumference", "vo2Max", "sixMinuteWalkTestDistance",
        "cyclingFunctionalThresholdPower", "atrialFibrillationBurden", "appleWalkingSteadiness",
        "numberOfTimesFallen", "bloodAlcoholContent",
    ]

    private static let dailyNames: Set<String> = [
        "bodyMass", "bodyMassIndex", "bodyFatPercentage", "leanBodyMass", "restingHeartRate",
        "walkingHeartRateAverage", "heartRateVariabilitySDNN", "heartRateRecoveryOneMinute",
        "appleSleepingWristTemperature", "appleSleepingBreathingDisturbances",
        "basalBodyTemperature", "bodyTemperature", "bloodPressureSystolic",
        "bloodPressureDiastolic", "forcedExpiratoryVolume1", "forcedVitalCapacity",
        "peakExpiratoryFlowRate", "electrodermalActivity", "inhalerUsage",
        "numberOfAlcoholicBeverages", "uvExposure", "nikeFuel", "workoutEffortScore",
        "estimatedWorkoutEffortScore", "menstrualFlow", "mindfulSession", "handwashingEvent",
        "toothbrushingEvent", "cervicalMucusQuality", "intermenstrualBleeding", "lactation",
        "sexualActivity", "peripheralPerfusionIndex",
    ]

    private static let frequentCategories: Set<String> = ["sleepAnalysis", "appleStandHour"]
}
