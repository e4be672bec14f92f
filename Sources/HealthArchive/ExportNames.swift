internal import HealthEngine

/// The names an export writes for numbers.
enum ExportNames {
    /// The name of a category value, "HKCategoryValueSleepAnalysisAsleepCore"; nil if unknown.
    static func categoryValue(_ rawValue: Int, of enumeration: String) -> String? {
        categoryValues[enumeration]?[rawValue]
    }

    /// "HKWorkoutActivityTypeRunning"; nil if unknown.
    static func workoutActivity(_ rawValue: Int) -> String? { workoutActivities[rawValue] }

    /// "HKWorkoutEventTypePause"; nil if unknown.
    static func workoutEvent(_ rawValue: Int) -> String? {
        workoutEvents.indices.contains(rawValue - 1) ? workoutEvents[rawValue - 1] : nil
    }

    static func type(_ code: Int32) -> SampleType? { types[code] }

    private static let workoutEvents = [
        "Pause", "Resume", "Lap", "Marker", "MotionPaused", "MotionResumed", "Segment",
        "PauseOrResumeRequest",
    ].map { "HKWorkoutEventType" + $0 }

    private static let workoutActivities = [
        37: "HKWorkoutActivityTypeRunning", 52: "HKWorkoutActivityTypeWalking",
        3000: "HKWorkoutActivityTypeOther",
    ]

    private static let categoryValues: [String: [Int: String]] = [
        "HKCategoryValueSleepAnalysis": [
            0: "HKCategoryValueSleepAnalysisInBed",
            1: "HKCategoryValueSleepAnalysisAsleepUnspecified",
            2: "HKCategoryValueSleepAnalysisAwake", 3: "HKCategoryValueSleepAnalysisAsleepCore",
            4: "HKCategoryValueSleepAnalysisAsleepDeep", 5: "HKCategoryValueSleepAnalysisAsleepREM",
        ],
        "HKCategoryValueAppleStandHour": [
            0: "HKCategoryValueAppleStandHourStood", 1: "HKCategoryValueAppleStandHourIdle",
        ],
    ]

    private static let types: [Int32: SampleType] = {
        var types: [Int32: SampleType] = [:]
        func add(_ code: Int32, _ name: String, _ kind: SampleType.Kind, _ values: String? = nil) {
            types[code] = SampleType(
                code: code, identifier: name, name: name, kind: kind, valueEnumeration: values)
        }
        for (code, name) in [
            37: "StepCount", 26: "DistanceWalkingRunning", 29: "FlightsClimbed", 45: "HeartRate",
            49: "RestingHeartRate", 47: "HeartRateVariabilitySDNN", 116: "OxygenSaturation",
            9: "ActiveEnergyBurned", 13: "BasalEnergyBurned", 43: "HeadphoneAudioExposure",
            3: "BodyMass", 104: "BloodPressureSystolic", 103: "BloodPressureDiastolic",
            71: "DietaryEnergyConsumed", 87: "DietaryProtein",
        ] as [Int32: String] {
            add(code, "HKQuantityTypeIdentifier" + name, .quantity)
        }
        add(
            1030, "HKCategoryTypeIdentifierSleepAnalysis", .category,
            "HKCategoryValueSleepAnalysis")
        add(
            1001, "HKCategoryTypeIdentifierAppleStandHour", .category,
            "HKCategoryValueAppleStandHour")
        add(2001, "HKCorrelationTypeIdentifierBloodPressure", .correlation)
        add(2002, "HKCorrelationTypeIdentifierFood", .correlation)
        add(2003, "HKWorkoutTypeIdentifier", .workout)
        add(2004, "HKActivitySummaryTypeIdentifier", .activitySummary)
        return types
    }()
}
