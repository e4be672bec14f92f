import HealthEngine

/// The app's names of metrics. They are its English labels in snake case, and changed between
/// versions.
enum HealthAutoExportMetricNames {
    /// Returns the type of a metric; nil for an unknown name.
    static func type(_ name: String) -> SampleType? {
        types[normalized(name)].flatMap(Catalogue.type(named:))
    }

    /// Returns a name in lower case, with "_" for each run of other characters than letters and
    /// digits: "weight_body_mass" for "Weight & Body Mass".
    static func normalized(_ name: String) -> String {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
    }

    private static let types: [String: String] = {
        var types: [String: String] = [:]
        for (type, list) in names {
            for name in list.split(separator: " ") { types[String(name)] = type }
        }
        return types
    }()

    /// The names of each type's metric.
    private static let names = activity.merging(body) { $1 }.merging(heart) { $1 }
        .merging(other) { $1 }.merging(nutrition) { $1 }

    private static let activity = [
        "stepCount": "step_count",
        "distanceWalkingRunning":
            "walking_running_distance walk_run_distance distance_walking_running",
        "distanceCycling": "cycling_distance distance_cycling",
        "distanceSwimming": "swimming_distance distance_swimming",
        "distanceWheelchair": "wheelchair_distance distance_wheelchair",
        "distanceDownhillSnowSports": "downhill_snow_sports distance_downhill_snow_sports",
        "flightsClimbed": "flights_climbed",
        "pushCount": "wheelchair_push_count push_count",
        "swimmingStrokeCount": "swim_stroke_count swimming_stroke_count",
        "activeEnergyBurned": "active_energy active_energy_burned",
        "basalEnergyBurned": "basal_energy_burned basal_energy resting_energy",
        "appleExerciseTime": "apple_exercise_time",
        "appleMoveTime": "apple_move_time",
        "appleStandTime": "apple_stand_time apple_standtime",
        "appleStandHour": "apple_stand_hour",
        "physicalEffort": "physical_effort",
        "timeInDaylight": "time_in_daylight",
        "runningSpeed": "running_speed",
        "runningPower": "running_power",
        "runningStrideLength": "running_stride_length",
        "runningVerticalOscillation": "running_vertical_oscillation",
        "runningGroundContactTime": "running_ground_contact_time",
        "cyclingSpeed": "cycling_speed",
        "cyclingPower": "cycling_power",
        "cyclingCadence": "cycling_cadence",
        "cyclingFunctionalThresholdPower": "cycling_functional_threshold_power",
        "walkingSpeed": "walking_speed",
        "walkingStepLength": "walking_step_length",
        "walkingAsymmetryPercentage": "walking_asymmetry_percentage",
        "walkingDoubleSupportPercentage": "walking_double_support_percentage",
        "stairAscentSpeed": "stair_speed_up",
        "stairDescentSpeed": "stair_speed_down",
        "sixMinuteWalkTestDistance": "six_minute_walking_test_distance",
        "underwaterDepth": "underwater_depth under_water_depth",
        "waterTemperature": "underwater_temperature under_water_temperature",
    ]

    private static let body = [
        "bodyMass": "weight_body_mass body_mass weight",
        "height": "height",
        "bodyMassIndex": "body_mass_index",
        "bodyFatPercentage": "body_fat_percentage",
        "leanBodyMass": "lean_body_mass",
        "waistCircumference": "waist_circumference",
        "appleSleepingWristTemperature": "apple_sleeping_wrist_temperature wrist_temperature",
        "bodyTemperature": "body_temperature",
        "basalBodyTemperature": "basal_body_temperature",
        "electrodermalActivity": "electrodermal_activity",
    ]

    private static let heart = [
        "heartRate": "heart_rate",
        "restingHeartRate": "resting_heart_rate",
        "walkingHeartRateAverage": "walking_heart_rate_average walking_heart_rate",
        "heartRateVariabilitySDNN": "heart_rate_variability heart_rate_variability_sdnn",
        "heartRateRecoveryOneMinute": "cardio_recovery heart_rate_recovery_one_minute",
        "vo2Max": "vo2_max vo2max",
        "atrialFibrillationBurden": "atrial_fibrillation_burden",
        "highHeartRateEvent": "high_heart_rate_notifications",
        "lowHeartRateEvent": "low_heart_rate_notifications",
        "irregularHeartRhythmEvent": "irregular_heart_rate_notifications",
        "bloodPressure": "blood_pressure",
        "peripheralPerfusionIndex": "peripheral_perfusion_index",
    ]

    private static let other = [
        "respiratoryRate": "respiratory_rate",
        "oxygenSaturation": "blood_oxygen_saturation oxygen_saturation",
        "appleSleepingBreathingDisturbances": "breathing_disturbances",
        "forcedVitalCapacity": "forced_vital_capacity",
        "forcedExpiratoryVolume1": "forced_expiratory_volume_1 forced_expiratory_volume",
        "peakExpiratoryFlowRate": "peak_expiratory_flow_rate",
        "inhalerUsage": "inhaler_usage",
        "bloodGlucose": "blood_glucose",
        "insulinDelivery": "insulin_delivery",
        "bloodAlcoholContent": "blood_alcohol_content",
        "numberOfAlcoholicBeverages": "number_of_alcoholic_beverages alcohol_consumption",
        "numberOfTimesFallen": "number_of_times_fallen number_of_time_fallen",
        "environmentalAudioExposure": "environmental_audio_exposure environmental_audio",
        "headphoneAudioExposure": "headphone_audio_exposure headphone_audio",
        "uvExposure": "uv_exposure",
        "mindfulSession": "mindful_minutes",
        "handwashingEvent": "handwashing",
        "toothbrushingEvent": "toothbrushing",
        "sexualActivity": "sexual_activity",
        "sleepAnalysis": "sleep_analysis",
    ]

    private static let nutrition = [
        "dietaryEnergyConsumed": "dietary_energy",
        "dietaryWater": "dietary_water water",
        "dietaryCarbohydrates": "carbohydrates",
        "dietaryProtein": "protein",
        "dietaryFiber": "fiber",
        "dietaryFatTotal": "total_fat",
        "dietaryFatSaturated": "saturated_fat",
        "dietaryFatPolyunsaturated": "polyunsaturated_fat",
        "dietaryFatMonounsaturated": "monounsaturated_fat monosaturated_fat",
        "dietarySugar": "dietary_sugar sugar",
        "dietaryCholesterol": "cholesterol dietary_cholesterol",
        "dietaryCaffeine": "caffeine dietary_caffeine",
        "dietarySodium": "sodium",
        "dietaryPotassium": "potassium",
        "dietaryCalcium": "calcium",
        "dietaryIron": "iron",
        "dietaryMagnesium": "magnesium",
        "dietaryPhosphorus": "phosphorus",
        "dietaryZinc": "zinc",
        "dietaryCopper": "copper",
        "dietaryManganese": "manganese",
        "dietaryChloride": "chloride",
        "dietaryThiamin": "thiamin",
        "dietaryRiboflavin": "riboflavin",
        "dietaryNiacin": "niacin",
        "dietaryPantothenicAcid": "pantothenic_acid",
        "dietaryVitaminA": "vitamin_a",
        "dietaryVitaminB6": "vitamin_b6",
        "dietaryVitaminB12": "vitamin_b12",
        "dietaryVitaminC": "vitamin_c",
        "dietaryVitaminD": "vitamin_d",
        "dietaryVitaminE": "vitamin_e",
        "dietaryVitaminK": "vitamin_k",
        "dietaryFolate": "folate",
        "dietaryBiotin": "dietary_biotin biotin",
        "dietaryChromium": "chromium",
        "dietaryIodine": "iodine",
        "dietaryMolybdenum": "molybdenum",
        "dietarySelenium": "selenium",
    ]
}
