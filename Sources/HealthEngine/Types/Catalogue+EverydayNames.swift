// The names that people say and type for types, besides Apple's.
extension Catalogue {
    /// Returns the type with a name as people write it: `steps`, `HRV`, `Heart rate`, `step-count`.
    ///
    /// - Parameter name: Apple's Swift name, the identifier or a everyday name. Case, spaces, hyphens
    ///   and underscores don't matter.
    /// - Returns: The type, or nil for another name.
    /// - Complexity: O(n) in the name's length.
    package static func type(called name: String) -> SampleType? {
        if let exact = type(named: name) { return exact }
        let key = everydayKey(name)
        return everydayNames[key].flatMap { type(named: $0) } ?? typesByKey[key]
    }

    /// Returns the name of the type that a mistyped name probably means; nil if none is near.
    ///
    /// - Complexity: O(number of types).
    package static func suggestion(for name: String) -> String? {
        let key = everydayKey(name)
        guard (3...60).contains(key.utf8.count) else { return nil }
        if let near = SpellingSuggestion.best(for: key, among: sortedKeys) {
            return typesByKey[near]?.name
        }
        if let near = SpellingSuggestion.best(for: key, among: sortedEverydayNames) {
            return everydayNames[near]
        }
        // A part of a name, if only one has it: "glucose".
        let containing = types.filter { everydayKey($0.name).contains(key) }
        return containing.count == 1 ? containing[0].name : nil
    }

    /// Returns the lowercase letters and digits of a name.
    private static func everydayKey(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static let typesByKey: [String: SampleType] = Dictionary(
        types.flatMap { [(everydayKey($0.name), $0), (everydayKey($0.identifier), $0)] },
        uniquingKeysWith: { first, _ in first })

    // In order, so that of two equally near names the same one is found each time.
    private static let sortedKeys = typesByKey.keys.sorted()
    private static let sortedEverydayNames = everydayNames.keys.sorted()

    /// Apple's names by everyday ones, without spaces.
    private static let everydayNames: [String: String] = [
        "activeenergy": "activeEnergyBurned",
        "afib": "atrialFibrillationBurden",
        "alcohol": "numberOfAlcoholicBeverages",
        "basalenergy": "basalEnergyBurned",
        "bloodoxygen": "oxygenSaturation",
        "bloodsugar": "bloodGlucose",
        "bmi": "bodyMassIndex",
        "bodyfat": "bodyFatPercentage",
        "bodyweight": "bodyMass",
        "breathing": "respiratoryRate",
        "breathingrate": "respiratoryRate",
        "caffeine": "dietaryCaffeine",
        "calories": "activeEnergyBurned",
        "calorieseaten": "dietaryEnergyConsumed",
        "carbohydrates": "dietaryCarbohydrates",
        "carbs": "dietaryCarbohydrates",
        "cardiofitness": "vo2Max",
        "climbed": "flightsClimbed",
        "cycling": "distanceCycling",
        "cyclingdistance": "distanceCycling",
        "daylight": "timeInDaylight",
        "diastolic": "bloodPressureDiastolic",
        "distance": "distanceWalkingRunning",
        "ecg": "electrocardiogram",
        "energy": "activeEnergyBurned",
        "exercise": "appleExerciseTime",
        "exercisetime": "appleExerciseTime",
        "falls": "numberOfTimesFallen",
        "fat": "dietaryFatTotal",
        "fiber": "dietaryFiber",
        "flights": "flightsClimbed",
        "floors": "flightsClimbed",
        "glucose": "bloodGlucose",
        "headphones": "headphoneAudioExposure",
        "heartratevariability": "heartRateVariabilitySDNN",
        "hr": "heartRate",
        "hrv": "heartRateVariabilitySDNN",
        "insulin": "insulinDelivery",
        "meditation": "mindfulSession",
        "mindfulminutes": "mindfulSession",
        "mindfulness": "mindfulSession",
        "mood": "stateOfMind",
        "moveminutes": "appleMoveTime",
        "noise": "environmentalAudioExposure",
        "oxygen": "oxygenSaturation",
        "period": "menstrualFlow",
        "protein": "dietaryProtein",
        "pulse": "heartRate",
        "resting": "restingHeartRate",
        "restingenergy": "basalEnergyBurned",
        "restinghr": "restingHeartRate",
        "rhr": "restingHeartRate",
        "rides": "distanceCycling",
        "sleep": "sleepAnalysis",
        "sodium": "dietarySodium",
        "spo2": "oxygenSaturation",
        "stand": "appleStandHour",
        "standhours": "appleStandHour",
        "standtime": "appleStandTime",
        "steps": "stepCount",
        "sugar": "dietarySugar",
        "swimming": "distanceSwimming",
        "swimmingdistance": "distanceSwimming",
        "systolic": "bloodPressureSystolic",
        "temperature": "bodyTemperature",
        "walking": "distanceWalkingRunning",
        "walkingheartrate": "walkingHeartRateAverage",
        "water": "dietaryWater",
        "weight": "bodyMass",
        "wheelchair": "distanceWheelchair",
        "workouts": "workout",
        "wristtemperature": "appleSleepingWristTemperature",
    ]
}
