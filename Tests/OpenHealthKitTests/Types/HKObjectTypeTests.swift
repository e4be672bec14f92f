import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Object types")
struct HKObjectTypeTests {
    @Test("§9.9 types are equal by identifier, also in sets and dictionaries")
    func equality() throws {
        let types: Set<HKObjectType> = [
            HKQuantityType(.stepCount), try #require(.quantityType(forIdentifier: .stepCount)),
            .workoutType(), HKCategoryType(.sleepAnalysis),
        ]
        #expect(types.count == 3)
        #expect(types.contains(HKQuantityType(.stepCount)))
        #expect(HKQuantityType(.stepCount) != HKQuantityType(.heartRate))
        let copy = HKQuantityType(.stepCount).copy() as? HKQuantityType
        #expect(copy == HKQuantityType(.stepCount))
    }

    @Test(
        "a lookup of an unknown identifier returns nil",
        .covers(
            "HKObjectType.quantityType(forIdentifier:)",
            "HKObjectType.categoryType(forIdentifier:)",
            "HKObjectType.characteristicType(forIdentifier:)",
            "HKObjectType.correlationType(forIdentifier:)",
            "HKObjectType.documentType(forIdentifier:)",
            "HKObjectType.clinicalType(forIdentifier:)", "HKObjectType.seriesType(forIdentifier:)",
            "HKObjectType.identifier"))
    func lookUp() {
        #expect(HKObjectType.quantityType(forIdentifier: .init(rawValue: "made up")) == nil)
        let sleep = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
        #expect(HKObjectType.quantityType(forIdentifier: .init(rawValue: sleep)) == nil)
        #expect(HKObjectType.categoryType(forIdentifier: .init(rawValue: "made up")) == nil)
        #expect(HKObjectType.characteristicType(forIdentifier: .init(rawValue: "made up")) == nil)
        #expect(HKObjectType.correlationType(forIdentifier: .init(rawValue: "made up")) == nil)
        #expect(HKObjectType.documentType(forIdentifier: .init(rawValue: "made up")) == nil)
        #expect(HKObjectType.clinicalType(forIdentifier: .init(rawValue: "made up")) == nil)
        #expect(HKObjectType.seriesType(forIdentifier: "made up") == nil)

        #expect(
            HKObjectType.quantityType(forIdentifier: .stepCount)?.identifier
                == "HKQuantityTypeIdentifierStepCount")
        #expect(
            HKObjectType.categoryType(forIdentifier: .sleepAnalysis)
                == HKCategoryType(.sleepAnalysis))
        #expect(
            HKObjectType.characteristicType(forIdentifier: .bloodType)
                == HKCharacteristicType(.bloodType))
        #expect(
            HKObjectType.correlationType(forIdentifier: .bloodPressure)
                == HKCorrelationType(.bloodPressure))
        #expect(HKObjectType.documentType(forIdentifier: .CDA) == HKDocumentType(.CDA))
        #expect(
            HKObjectType.clinicalType(forIdentifier: .labResultRecord)
                == HKClinicalType(.labResultRecord))
        #expect(
            HKObjectType.seriesType(forIdentifier: HKWorkoutRouteTypeIdentifier)
                == HKSeriesType.workoutRoute())
        #expect(HKQuantityType.quantityType(forIdentifier: .stepCount) != nil)
    }

    @Test(
        "types without an identifier enumeration have Apple's identifiers",
        .covers(
            "HKObjectType.workoutType()", "HKObjectType.activitySummaryType()",
            "HKObjectType.audiogramSampleType()", "HKObjectType.electrocardiogramType()",
            "HKObjectType.visionPrescriptionType()", "HKObjectType.stateOfMindType()",
            "HKObjectType.medicationDoseEventType()", "HKObjectType.userAnnotatedMedicationType()",
            "HKSeriesType.workoutRoute()", "HKSeriesType.heartbeat()", "HKWorkoutType",
            "HKActivitySummaryType", "HKAudiogramSampleType", "HKElectrocardiogramType",
            "HKPrescriptionType", "HKStateOfMindType", "HKMedicationDoseEventType",
            "HKUserAnnotatedMedicationType", "HKSeriesType", "HKScoredAssessmentType",
            "HKClinicalType", "HKDocumentType", "HKCorrelationType", "HKCharacteristicType",
            "HKCorrelationType.init(_:)", "HKCharacteristicType.init(_:)"))
    func identifiers() {
        let types: [(HKObjectType, String)] = [
            (.workoutType(), "HKWorkoutTypeIdentifier"),
            (.activitySummaryType(), "HKActivitySummaryTypeIdentifier"),
            (.audiogramSampleType(), "HKDataTypeIdentifierAudiogram"),
            (.electrocardiogramType(), "HKDataTypeIdentifierElectrocardiogram"),
            (.visionPrescriptionType(), "HKVisionPrescriptionTypeIdentifier"),
            (.stateOfMindType(), "HKDataTypeStateOfMind"),
            (
                .medicationDoseEventType(),
                "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"
            ),
            (.userAnnotatedMedicationType(), "HKDataTypeUserAnnotatedMedicationConcept"),
            (HKSeriesType.workoutRoute(), "HKWorkoutRouteTypeIdentifier"),
            (HKSeriesType.heartbeat(), "HKDataTypeIdentifierHeartbeatSeries"),
            (HKScoredAssessmentType(.GAD7), "HKScoredAssessmentTypeIdentifierGAD7"),
            (HKClinicalType(.allergyRecord), "HKClinicalTypeIdentifierAllergyRecord"),
            (HKDocumentType(.CDA), "HKDocumentTypeIdentifierCDA"),
            (HKCorrelationType(.food), "HKCorrelationTypeIdentifierFood"),
            (HKCharacteristicType(.dateOfBirth), "HKCharacteristicTypeIdentifierDateOfBirth"),
        ]
        for (type, identifier) in types { #expect(type.identifier == identifier) }
    }

    @Test(
        "§8.12 prescriptions and medications require per-object authorization",
        .covers("HKObjectType.requiresPerObjectAuthorization()"))
    func perObject() {
        #expect(HKObjectType.visionPrescriptionType().requiresPerObjectAuthorization())
        #expect(HKObjectType.userAnnotatedMedicationType().requiresPerObjectAuthorization())
        #expect(!HKObjectType.workoutType().requiresPerObjectAuthorization())
    }

    @Test(
        "§3.1 a quantity type has its aggregation style and compatible units",
        .covers(
            "HKQuantityType", "HKQuantityType.aggregationStyle",
            "HKQuantityType.is(compatibleWith:)"))
    func quantityTypes() {
        #expect(HKQuantityType(.stepCount).aggregationStyle == .cumulative)
        #expect(HKQuantityType(.bodyMass).aggregationStyle == .discreteArithmetic)
        #expect(HKQuantityType(.heartRate).aggregationStyle == .discreteTemporallyWeighted)
        #expect(
            HKQuantityType(.environmentalAudioExposure).aggregationStyle
                == .discreteEquivalentContinuousLevel)
        #expect(HKQuantityType(.heartRate).is(compatibleWith: HKUnit(from: "count/min")))
        #expect(!HKQuantityType(.heartRate).is(compatibleWith: .meter()))
        #expect(HKQuantityType(.bloodGlucose).is(compatibleWith: HKUnit(from: "mg/dL")))
    }

    @Test(
        "§9.5 documents and quantities have a maximum duration of four days",
        .covers(
            "HKSampleType", "HKSampleType.isMaximumDurationRestricted",
            "HKSampleType.maximumAllowedDuration", "HKSampleType.isMinimumDurationRestricted"))
    func durations() {
        #expect(HKDocumentType(.CDA).isMaximumDurationRestricted)
        #expect(HKDocumentType(.CDA).maximumAllowedDuration == 345_600)
        #expect(HKQuantityType(.stepCount).maximumAllowedDuration == 345_600)
        #expect(!HKCategoryType(.sleepAnalysis).isMaximumDurationRestricted)
        #expect(HKCategoryType(.sleepAnalysis).maximumDuration == nil)
        #expect(!HKQuantityType(.stepCount).isMinimumDurationRestricted)
        #expect(HKQuantityType(.stepCount).minimumDuration == nil)
    }

    @Test(
        "reading the duration limit of a type without one traps",
        .covers("HKSampleType.minimumAllowedDuration"))
    func traps() async {
        await #expect(processExitsWith: .failure) {
            _ = HKCategoryType(.sleepAnalysis).maximumAllowedDuration
        }
        await #expect(processExitsWith: .failure) {
            _ = HKQuantityType(.stepCount).minimumAllowedDuration
        }
    }

    @Test(
        "types with recalibrated estimates are reported as such",
        .covers("HKSampleType.allowsRecalibrationForEstimates"))
    func recalibration() {
        #expect(HKQuantityType(.sixMinuteWalkTestDistance).allowsRecalibrationForEstimates)
        #expect(!HKQuantityType(.stepCount).allowsRecalibrationForEstimates)
    }

    @Test("unarchived types equal the originals")
    func archives() throws {
        let types: [HKObjectType] = [
            HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis), .workoutType(),
            HKSeriesType.workoutRoute(), HKCharacteristicType(.bloodType),
        ]
        for type in types {
            let back = try archived(type)
            #expect(back == type)
            #expect(Swift.type(of: back) == Swift.type(of: type))
        }
    }
}
