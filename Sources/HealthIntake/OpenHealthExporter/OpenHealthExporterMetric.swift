import HealthEngine

/// The names of metrics of Open Health Exporter's catalogue.
enum OpenHealthExporterMetric {
    /// Returns the type of a record.
    ///
    /// HealthKit's identifier takes precedence over the name of the metric: records outside the
    /// sender's catalogue have only the identifier.
    static func sampleType(of record: JSONValue) throws(UnreadableRecord) -> SampleType {
        if let identifier = record["hkIdentifier"]?.string {
            guard let type = Catalogue.type(identifier: identifier) else {
                throw .unknown(identifier)
            }
            return type
        }
        guard let name = record["metricId"]?.string else { throw .unknown("metricId") }
        guard let known = type(named: name) else { throw .unknown(name) }
        return known
    }

    /// Returns the type of a metric; nil for an unknown name.
    static func type(named name: String) -> SampleType? {
        names[name].flatMap { Catalogue.type(named: $0) }
    }

    /// HealthKit's name of each metric.
    static let names: [String: String] = [
        "step_count": "stepCount", "heart_rate": "heartRate",
        "resting_heart_rate": "restingHeartRate",
        "walking_heart_rate_average": "walkingHeartRateAverage",
        "heart_rate_variability_sdnn": "heartRateVariabilitySDNN",
        "active_energy": "activeEnergyBurned", "basal_energy": "basalEnergyBurned",
        "walking_running_distance": "distanceWalkingRunning",
        "cycling_distance": "distanceCycling", "swimming_distance": "distanceSwimming",
        "wheelchair_distance": "distanceWheelchair", "flights_climbed": "flightsClimbed",
        "push_count": "pushCount", "swimming_stroke_count": "swimmingStrokeCount",
        "body_mass_index": "bodyMassIndex", "exercise_time": "appleExerciseTime",
        "stand_time": "appleStandTime", "apple_move_time": "appleMoveTime",
        "time_in_daylight": "timeInDaylight", "body_mass": "bodyMass",
        "lean_body_mass": "leanBodyMass", "height": "height",
        "body_fat_percentage": "bodyFatPercentage", "oxygen_saturation": "oxygenSaturation",
        "respiratory_rate": "respiratoryRate", "vo2_max": "vo2Max",
        "blood_glucose": "bloodGlucose", "body_temperature": "bodyTemperature",
        "basal_body_temperature": "basalBodyTemperature", "dietary_water": "dietaryWater",
        "blood_pressure_systolic": "bloodPressureSystolic",
        "blood_pressure_diastolic": "bloodPressureDiastolic", "walking_speed": "walkingSpeed",
        "running_speed": "runningSpeed", "cycling_speed": "cyclingSpeed",
        "stair_ascent_speed": "stairAscentSpeed",
        "environmental_audio_exposure": "environmentalAudioExposure",
        "physical_effort": "physicalEffort",
    ]
}
