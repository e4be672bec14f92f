import OpenHealthKit

/// An enumeration with Apple's raw values, listed independently of the catalogue.
struct EnumerationRow: Sendable, CustomStringConvertible {
    let description: String
    let numbers: [String: Int]
    /// Returns the name of the case with a raw value.
    let name: @Sendable (Int) -> String?

    init<Value: RawRepresentable & Sendable>(_ type: Value.Type, _ numbers: [String: Int])
    where Value.RawValue: FixedWidthInteger & Sendable {
        description = "\(type)"
        self.numbers = numbers
        name = { number in
            Value.RawValue(exactly: number).flatMap { Value(rawValue: $0) }.map { "\($0)" }
        }
    }
}

let enumerations: [EnumerationRow] = [
    EnumerationRow(HKCategoryValue.self, ["notApplicable": 0]),
    EnumerationRow(
        HKCategoryValueAppetiteChanges.self,
        [
            "unspecified": 0, "noChange": 1, "decreased": 2, "increased": 3,
        ]),
    EnumerationRow(HKCategoryValueAppleStandHour.self, ["stood": 0, "idle": 1]),
    EnumerationRow(
        HKCategoryValueAppleWalkingSteadinessEvent.self,
        [
            "initialLow": 1, "initialVeryLow": 2, "repeatLow": 3, "repeatVeryLow": 4,
        ]),
    EnumerationRow(HKCategoryValueAudioExposureEvent.self, ["loudEnvironment": 1]),
    EnumerationRow(
        HKCategoryValueCervicalMucusQuality.self,
        [
            "dry": 1, "sticky": 2, "creamy": 3, "watery": 4, "eggWhite": 5,
        ]),
    EnumerationRow(
        HKCategoryValueContraceptive.self,
        [
            "unspecified": 1, "implant": 2, "injection": 3, "intrauterineDevice": 4,
            "intravaginalRing": 5, "oral": 6, "patch": 7,
        ]),
    EnumerationRow(HKCategoryValueEnvironmentalAudioExposureEvent.self, ["momentaryLimit": 1]),
    EnumerationRow(HKCategoryValueHeadphoneAudioExposureEvent.self, ["sevenDayLimit": 1]),
    EnumerationRow(HKCategoryValueLowCardioFitnessEvent.self, ["lowFitness": 1]),
    EnumerationRow(
        HKCategoryValueMenstrualFlow.self,
        [
            "unspecified": 1, "light": 2, "medium": 3, "heavy": 4, "none": 5,
        ]),
    EnumerationRow(
        HKCategoryValueOvulationTestResult.self,
        [
            "negative": 1, "luteinizingHormoneSurge": 2, "indeterminate": 3, "estrogenSurge": 4,
        ]),
    EnumerationRow(
        HKCategoryValuePregnancyTestResult.self,
        [
            "negative": 1, "positive": 2, "indeterminate": 3,
        ]),
    EnumerationRow(HKCategoryValuePresence.self, ["present": 0, "notPresent": 1]),
    EnumerationRow(
        HKCategoryValueProgesteroneTestResult.self,
        [
            "negative": 1, "positive": 2, "indeterminate": 3,
        ]),
    EnumerationRow(
        HKCategoryValueSeverity.self,
        [
            "unspecified": 0, "notPresent": 1, "mild": 2, "moderate": 3, "severe": 4,
        ]),
    EnumerationRow(
        HKCategoryValueSleepAnalysis.self,
        [
            "inBed": 0, "asleepUnspecified": 1, "awake": 2, "asleepCore": 3, "asleepDeep": 4,
            "asleepREM": 5,
        ]),
    EnumerationRow(
        HKCategoryValueVaginalBleeding.self,
        [
            "unspecified": 1, "light": 2, "medium": 3, "heavy": 4, "none": 5,
        ]),
    EnumerationRow(
        HKAppleSleepingBreathingDisturbancesClassification.self,
        [
            "notElevated": 0, "elevated": 1,
        ]),
    EnumerationRow(HKAppleWalkingSteadinessClassification.self, ["ok": 1, "low": 2, "veryLow": 3]),
    EnumerationRow(HKAudiogramConductionType.self, ["air": 0]),
    EnumerationRow(HKAudiogramSensitivityTestSide.self, ["left": 0, "right": 1]),
    EnumerationRow(HKActivityMoveMode.self, ["activeEnergy": 1, "appleMoveTime": 2]),
    EnumerationRow(HKBiologicalSex.self, ["notSet": 0, "female": 1, "male": 2, "other": 3]),
    EnumerationRow(
        HKBloodType.self,
        [
            "notSet": 0, "aPositive": 1, "aNegative": 2, "bPositive": 3, "bNegative": 4,
            "abPositive": 5, "abNegative": 6, "oPositive": 7, "oNegative": 8,
        ]),
    EnumerationRow(
        HKFitzpatrickSkinType.self,
        [
            "notSet": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6,
        ]),
    EnumerationRow(HKWheelchairUse.self, ["notSet": 0, "no": 1, "yes": 2]),
    EnumerationRow(
        HKError.Code.self,
        [
            "unknownError": 0, "errorHealthDataUnavailable": 1, "errorHealthDataRestricted": 2,
            "errorInvalidArgument": 3, "errorAuthorizationDenied": 4,
            "errorAuthorizationNotDetermined": 5, "errorDatabaseInaccessible": 6,
            "errorUserCanceled": 7, "errorAnotherWorkoutSessionStarted": 8,
            "errorUserExitedWorkoutSession": 9, "errorRequiredAuthorizationDenied": 10,
            "errorNoData": 11, "errorWorkoutActivityNotAllowed": 12, "errorDataSizeExceeded": 13,
            "errorBackgroundWorkoutSessionNotAllowed": 14,
            "errorNotPermissibleForGuestUserMode": 15,
        ]),
    EnumerationRow(HKUpdateFrequency.self, ["immediate": 1, "hourly": 2, "daily": 3, "weekly": 4]),
    EnumerationRow(
        HKAuthorizationStatus.self,
        [
            "notDetermined": 0, "sharingDenied": 1, "sharingAuthorized": 2,
        ]),
    EnumerationRow(
        HKAuthorizationRequestStatus.self,
        [
            "unknown": 0, "shouldRequest": 1, "unnecessary": 2,
        ]),
    EnumerationRow(HKElectrocardiogram.Lead.self, ["appleWatchSimilarToLeadI": 1]),
    EnumerationRow(
        HKElectrocardiogram.Classification.self,
        [
            "notSet": 0, "sinusRhythm": 1, "atrialFibrillation": 2, "inconclusiveLowHeartRate": 3,
            "inconclusiveHighHeartRate": 4, "inconclusivePoorReading": 5, "inconclusiveOther": 6,
            "unrecognized": 100,
        ]),
    EnumerationRow(
        HKElectrocardiogram.SymptomsStatus.self, ["notSet": 0, "none": 1, "present": 2]),
    EnumerationRow(
        HKGAD7Assessment.Risk.self,
        [
            "noneToMinimal": 1, "mild": 2, "moderate": 3, "severe": 4,
        ]),
    EnumerationRow(
        HKGAD7Assessment.Answer.self,
        [
            "notAtAll": 0, "severalDays": 1, "moreThanHalfTheDays": 2, "nearlyEveryDay": 3,
        ]),
    EnumerationRow(
        HKMedicationDoseEvent.LogStatus.self,
        [
            "notInteracted": 1, "notificationNotSent": 2, "snoozed": 3, "taken": 4, "skipped": 5,
            "notLogged": 6,
        ]),
    EnumerationRow(HKMedicationDoseEvent.ScheduleType.self, ["asNeeded": 1, "schedule": 2]),
    EnumerationRow(HKAppleECGAlgorithmVersion.self, ["version1": 1, "version2": 2]),
    EnumerationRow(HKBloodGlucoseMealTime.self, ["preprandial": 1, "postprandial": 2]),
    EnumerationRow(
        HKBodyTemperatureSensorLocation.self,
        [
            "other": 0, "armpit": 1, "body": 2, "ear": 3, "finger": 4, "gastroIntestinal": 5,
            "mouth": 6, "rectum": 7, "toe": 8, "earDrum": 9, "temporalArtery": 10, "forehead": 11,
        ]),
    EnumerationRow(
        HKCyclingFunctionalThresholdPowerTestType.self,
        [
            "maxExercise60Minute": 1, "maxExercise20Minute": 2, "rampTest": 3,
            "predictionExercise": 4,
        ]),
    EnumerationRow(
        HKDevicePlacementSide.self, ["unknown": 0, "left": 1, "right": 2, "central": 3]),
    EnumerationRow(HKHeartRateMotionContext.self, ["notSet": 0, "sedentary": 1, "active": 2]),
    EnumerationRow(
        HKHeartRateRecoveryTestType.self,
        [
            "maxExercise": 1, "predictionSubMaxExercise": 2, "predictionNonExercise": 3,
        ]),
    EnumerationRow(
        HKHeartRateSensorLocation.self,
        [
            "other": 0, "chest": 1, "wrist": 2, "finger": 3, "hand": 4, "earLobe": 5, "foot": 6,
        ]),
    EnumerationRow(HKInsulinDeliveryReason.self, ["basal": 1, "bolus": 2]),
    EnumerationRow(HKPhysicalEffortEstimationType.self, ["activityLookup": 1, "deviceSensed": 2]),
    EnumerationRow(
        HKSwimmingStrokeStyle.self,
        [
            "unknown": 0, "mixed": 1, "freestyle": 2, "backstroke": 3, "breaststroke": 4,
            "butterfly": 5, "kickboard": 6,
        ]),
    EnumerationRow(HKUserMotionContext.self, ["notSet": 0, "stationary": 1, "active": 2]),
    EnumerationRow(
        HKVO2MaxTestType.self,
        [
            "maxExercise": 1, "predictionSubMaxExercise": 2, "predictionNonExercise": 3,
            "predictionStepTest": 4,
        ]),
    EnumerationRow(HKWaterSalinity.self, ["freshWater": 1, "saltWater": 2]),
    EnumerationRow(
        HKWeatherCondition.self,
        [
            "none": 0, "clear": 1, "fair": 2, "partlyCloudy": 3, "mostlyCloudy": 4, "cloudy": 5,
            "foggy": 6, "haze": 7, "windy": 8, "blustery": 9, "smoky": 10, "dust": 11, "snow": 12,
            "hail": 13, "sleet": 14, "freezingDrizzle": 15, "freezingRain": 16,
            "mixedRainAndHail": 17, "mixedRainAndSnow": 18, "mixedRainAndSleet": 19,
            "mixedSnowAndSleet": 20, "drizzle": 21, "scatteredShowers": 22, "showers": 23,
            "thunderstorms": 24, "tropicalStorm": 25, "hurricane": 26, "tornado": 27,
        ]),
    EnumerationRow(HKWorkoutSwimmingLocationType.self, ["unknown": 0, "pool": 1, "openWater": 2]),
    EnumerationRow(
        HKPHQ9Assessment.Risk.self,
        [
            "noneToMinimal": 1, "mild": 2, "moderate": 3, "moderatelySevere": 4, "severe": 5,
        ]),
    EnumerationRow(
        HKPHQ9Assessment.Answer.self,
        [
            "notAtAll": 0, "severalDays": 1, "moreThanHalfTheDays": 2, "nearlyEveryDay": 3,
            "preferNotToAnswer": 4,
        ]),
    EnumerationRow(
        HKQuantityAggregationStyle.self,
        [
            "cumulative": 0, "discreteArithmetic": 1, "discreteTemporallyWeighted": 2,
            "discreteEquivalentContinuousLevel": 3,
        ]),
    EnumerationRow(
        HKStateOfMind.ValenceClassification.self,
        [
            "veryUnpleasant": 1, "unpleasant": 2, "slightlyUnpleasant": 3, "neutral": 4,
            "slightlyPleasant": 5, "pleasant": 6, "veryPleasant": 7,
        ]),
    EnumerationRow(
        HKStateOfMind.Label.self,
        [
            "amazed": 1, "amused": 2, "angry": 3, "anxious": 4, "ashamed": 5, "brave": 6, "calm": 7,
            "content": 8, "disappointed": 9, "discouraged": 10, "disgusted": 11, "embarrassed": 12,
            "excited": 13, "frustrated": 14, "grateful": 15, "guilty": 16, "happy": 17,
            "hopeless": 18, "irritated": 19, "jealous": 20, "joyful": 21, "lonely": 22,
            "passionate": 23, "peaceful": 24, "proud": 25, "relieved": 26, "sad": 27, "scared": 28,
            "stressed": 29, "surprised": 30, "worried": 31, "annoyed": 32, "confident": 33,
            "drained": 34, "hopeful": 35, "indifferent": 36, "overwhelmed": 37, "satisfied": 38,
        ]),
    EnumerationRow(
        HKStateOfMind.Association.self,
        [
            "community": 1, "currentEvents": 2, "dating": 3, "education": 4, "family": 5,
            "fitness": 6, "friends": 7, "health": 8, "hobbies": 9, "identity": 10, "money": 11,
            "partner": 12, "selfCare": 13, "spirituality": 14, "tasks": 15, "travel": 16,
            "work": 17, "weather": 18,
        ]),
    EnumerationRow(HKStateOfMind.Kind.self, ["momentaryEmotion": 1, "dailyMood": 2]),
    EnumerationRow(
        HKMetricPrefix.self,
        [
            "none": 0, "femto": 13, "pico": 1, "nano": 2, "micro": 3, "milli": 4, "centi": 5,
            "deci": 6, "deca": 7, "hecto": 8, "kilo": 9, "mega": 10, "giga": 11, "tera": 12,
        ]),
    EnumerationRow(HKVisionPrescriptionType.self, ["glasses": 1, "contacts": 2]),
    EnumerationRow(HKPrismBase.self, ["none": 0, "up": 1, "down": 2, "in": 3, "out": 4]),
    EnumerationRow(HKVisionEye.self, ["left": 1, "right": 2]),
    EnumerationRow(HKWorkoutSessionLocationType.self, ["unknown": 1, "indoor": 2, "outdoor": 3]),
    EnumerationRow(
        HKWorkoutSessionState.self,
        [
            "notStarted": 1, "running": 2, "ended": 3, "paused": 4, "prepared": 5, "stopped": 6,
        ]),
    EnumerationRow(HKWorkoutSessionType.self, ["primary": 0, "mirrored": 1]),
    EnumerationRow(
        HKWorkoutActivityType.self,
        [
            "americanFootball": 1, "archery": 2, "australianFootball": 3, "badminton": 4,
            "baseball": 5, "basketball": 6, "bowling": 7, "boxing": 8, "climbing": 9, "cricket": 10,
            "crossTraining": 11, "curling": 12, "cycling": 13, "dance": 14,
            "danceInspiredTraining": 15, "elliptical": 16, "equestrianSports": 17, "fencing": 18,
            "fishing": 19, "functionalStrengthTraining": 20, "golf": 21, "gymnastics": 22,
            "handball": 23, "hiking": 24, "hockey": 25, "hunting": 26, "lacrosse": 27,
            "martialArts": 28, "mindAndBody": 29, "mixedMetabolicCardioTraining": 30,
            "paddleSports": 31, "play": 32, "preparationAndRecovery": 33, "racquetball": 34,
            "rowing": 35, "rugby": 36, "running": 37, "sailing": 38, "skatingSports": 39,
            "snowSports": 40, "soccer": 41, "softball": 42, "squash": 43, "stairClimbing": 44,
            "surfingSports": 45, "swimming": 46, "tableTennis": 47, "tennis": 48,
            "trackAndField": 49, "traditionalStrengthTraining": 50, "volleyball": 51, "walking": 52,
            "waterFitness": 53, "waterPolo": 54, "waterSports": 55, "wrestling": 56, "yoga": 57,
            "barre": 58, "coreTraining": 59, "crossCountrySkiing": 60, "downhillSkiing": 61,
            "flexibility": 62, "highIntensityIntervalTraining": 63, "jumpRope": 64,
            "kickboxing": 65, "pilates": 66, "snowboarding": 67, "stairs": 68, "stepTraining": 69,
            "wheelchairWalkPace": 70, "wheelchairRunPace": 71, "taiChi": 72, "mixedCardio": 73,
            "handCycling": 74, "discSports": 75, "fitnessGaming": 76, "cardioDance": 77,
            "socialDance": 78, "pickleball": 79, "cooldown": 80, "swimBikeRun": 82,
            "transition": 83, "underwaterDiving": 84, "other": 3000,
        ]),
    EnumerationRow(
        HKWorkoutEventType.self,
        [
            "pause": 1, "resume": 2, "lap": 3, "marker": 4, "motionPaused": 5, "motionResumed": 6,
            "segment": 7, "pauseOrResumeRequest": 8,
        ]),
]
