import HealthTesting
import OpenHealthKit
import Testing

@Suite("Enumerations and option sets")
struct EnumerationsTests {
    @Test(
        "every enumeration case has Apple's raw value",
        .covers(
            "HKActivityMoveMode*", "HKAppleECGAlgorithmVersion*",
            "HKAppleSleepingBreathingDisturbancesClassification*",
            "HKAppleWalkingSteadinessClassification*", "HKAudiogramConductionType*",
            "HKAudiogramSensitivityTestSide*", "HKAuthorizationRequestStatus*",
            "HKAuthorizationStatus*", "HKBiologicalSex*", "HKBloodGlucoseMealTime*",
            "HKBloodType*", "HKBodyTemperatureSensorLocation*", "HKCategoryValue*",
            "HKCyclingFunctionalThresholdPowerTestType*", "HKDevicePlacementSide*",
            "HKElectrocardiogram.Classification*", "HKElectrocardiogram.Lead*",
            "HKElectrocardiogram.SymptomsStatus*",
            "HKError.Code*", "HKFitzpatrickSkinType*", "HKGAD7Assessment.Answer*",
            "HKGAD7Assessment.Risk*", "HKHeartRateMotionContext*", "HKHeartRateRecoveryTestType*",
            "HKHeartRateSensorLocation*", "HKInsulinDeliveryReason*",
            "HKMedicationDoseEvent.LogStatus*", "HKMedicationDoseEvent.ScheduleType*",
            "HKMetricPrefix*",
            "HKPHQ9Assessment.Answer*", "HKPHQ9Assessment.Risk*",
            "HKPhysicalEffortEstimationType*", "HKPrismBase*", "HKQuantityAggregationStyle*",
            "HKStateOfMind.Association*", "HKStateOfMind.Kind*", "HKStateOfMind.Label*",
            "HKStateOfMind.ValenceClassification*", "HKSwimmingStrokeStyle*",
            "HKUpdateFrequency*", "HKUserMotionContext*", "HKVO2MaxTestType*",
            "HKVisionEye*", "HKVisionPrescriptionType.*", "HKWaterSalinity*",
            "HKWeatherCondition*", "HKWheelchairUse*", "HKWorkoutActivityType*",
            "HKWorkoutEventType*", "HKWorkoutSessionLocationType*", "HKWorkoutSessionState*",
            "HKWorkoutSessionType*", "HKWorkoutSwimmingLocationType*"),
        arguments: enumerations)
    func numbers(enumeration: EnumerationRow) {
        for (name, number) in enumeration.numbers {
            #expect(enumeration.name(number) == name)
        }
        let unusedNumber = (enumeration.numbers.values.max() ?? 0) + 1
        #expect(enumeration.name(unusedNumber) == nil)
    }

    @Test(
        "a deprecated name equals the value of the newer name",
        .covers(
            "HKCategoryValueSleepAnalysis.asleep", "HKCategoryValueOvulationTestResult.positive",
            "HKError.Code.noError", "HKQuantityAggregationStyle.discrete",
            "HKStatisticsOptions.discreteMostRecent"))
    func aliases() {
        #expect(HKCategoryValueSleepAnalysis.asleep == .asleepUnspecified)
        #expect(HKCategoryValueOvulationTestResult.positive == .luteinizingHormoneSurge)
        #expect(HKError.Code.noError == .unknownError)
        #expect(HKQuantityAggregationStyle.discrete == .discreteArithmetic)
        #expect(HKStatisticsOptions.discreteMostRecent == .mostRecent)
    }

    @Test(
        "each option has Apple's raw value",
        .covers(
            "HKQueryOptions", "HKQueryOptions.*", "HKStatisticsOptions", "HKStatisticsOptions.*",
            "HKWorkoutEffortRelationshipQueryOptions*"))
    func bits() {
        #expect(HKQueryOptions.strictStartDate.rawValue == 1)
        #expect(HKQueryOptions.strictEndDate.rawValue == 2)
        #expect(HKQueryOptions(rawValue: 3) == [.strictStartDate, .strictEndDate])
        #expect(HKStatisticsOptions.separateBySource.rawValue == 1)
        #expect(HKStatisticsOptions.discreteAverage.rawValue == 2)
        #expect(HKStatisticsOptions.discreteMin.rawValue == 4)
        #expect(HKStatisticsOptions.discreteMax.rawValue == 8)
        #expect(HKStatisticsOptions.cumulativeSum.rawValue == 16)
        #expect(HKStatisticsOptions.mostRecent.rawValue == 32)
        #expect(HKStatisticsOptions.duration.rawValue == 64)
        #expect(HKStatisticsOptions(rawValue: 17) == [.separateBySource, .cumulativeSum])
        #expect(HKWorkoutEffortRelationshipQueryOptions.default.rawValue == 0)
        #expect(HKWorkoutEffortRelationshipQueryOptions.mostRelevant.rawValue == 1)
        #expect(HKWorkoutEffortRelationshipQueryOptions(rawValue: 1) == .mostRelevant)
    }

    @Test(
        "§10.6 every sleep stage counts as asleep; in bed and awake do not",
        .covers("HKCategoryValueSleepAnalysis.allAsleepValues"))
    func asleep() {
        let asleep: Set<HKCategoryValueSleepAnalysis> = [
            .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM,
        ]
        #expect(HKCategoryValueSleepAnalysis.allAsleepValues == asleep)
    }

    @Test(
        "classifications list all their cases",
        .covers(
            "HKAppleWalkingSteadinessClassification.allCases",
            "HKAppleSleepingBreathingDisturbancesClassification.allCases"))
    func allCases() {
        #expect(HKAppleWalkingSteadinessClassification.allCases == [.ok, .low, .veryLow])
        #expect(
            HKAppleSleepingBreathingDisturbancesClassification.allCases
                == [.notElevated, .elevated])
    }

    @Test(
        "walking steadiness has three classes",
        .covers(
            "HKAppleWalkingSteadinessClassification.init(for:)",
            "HKAppleWalkingSteadinessClassification.minimum",
            "HKAppleWalkingSteadinessClassification.maximum"))
    func steadiness() throws {
        typealias Classification = HKAppleWalkingSteadinessClassification
        for (fraction, expected) in [(0.0, Classification.veryLow), (0.3, .low), (0.5, .ok)] {
            let quantity = HKQuantity(unit: .percent(), doubleValue: fraction)
            let classification = try Classification(for: quantity)
            #expect(classification == expected)
            #expect(classification.minimum == quantity)
        }
        #expect(Classification.veryLow.maximum == Classification.low.minimum)
        #expect(Classification.low.maximum == Classification.ok.minimum)
        #expect(Classification.ok.maximum == HKQuantity(unit: .percent(), doubleValue: 1))
        #expect(throws: HKError.self) {
            try Classification(for: HKQuantity(unit: .percent(), doubleValue: 1.1))
        }
        #expect(throws: HKError.self) {
            try Classification(for: HKQuantity(unit: .meter(), doubleValue: 0.5))
        }
    }
}
