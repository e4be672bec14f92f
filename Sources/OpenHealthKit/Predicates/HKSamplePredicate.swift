public import Foundation

/// A type of sample and a predicate on it, for the Swift descriptors.
// Immutable: Foundation doesn't call NSPredicate sendable on Linux.
public struct HKSamplePredicate<Sample>: Equatable, Hashable, @unchecked Sendable
where Sample: HKSample {
    /// The type asked for.
    public let sampleType: HKSampleType
    /// Which samples are asked for; nil for all.
    public let nsPredicate: NSPredicate?

    init(_ sampleType: HKSampleType, _ predicate: NSPredicate?) {
        self.sampleType = sampleType
        nsPredicate = predicate
    }

    /// As the completion-handler queries ask.
    var descriptor: HKQueryDescriptor {
        HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate)
    }
}

extension HKSamplePredicate {
    /// Hearing tests.
    public static func audiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKAudiogramSample> {
        HKSamplePredicate<HKAudiogramSample>(.audiogramSampleType(), predicate)
    }

    /// Samples of a category type.
    public static func categorySample(
        type categoryType: HKCategoryType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCategorySample> {
        HKSamplePredicate<HKCategorySample>(categoryType, predicate)
    }

    /// Clinical records of a type.
    public static func clinicalRecord(
        type clinicalType: HKClinicalType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKClinicalRecord> {
        HKSamplePredicate<HKClinicalRecord>(clinicalType, predicate)
    }

    /// Correlations of a type.
    public static func correlation(
        type correlationType: HKCorrelationType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCorrelation> {
        HKSamplePredicate<HKCorrelation>(correlationType, predicate)
    }

    /// Electrocardiograms.
    public static func electrocardiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKElectrocardiogram> {
        HKSamplePredicate<HKElectrocardiogram>(.electrocardiogramType(), predicate)
    }

    /// Heartbeat series.
    public static func heartbeatSeries(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKHeartbeatSeriesSample> {
        HKSamplePredicate<HKHeartbeatSeriesSample>(HKSeriesType.heartbeat(), predicate)
    }

    /// Samples of a quantity type.
    public static func quantitySample(
        type quantityType: HKQuantityType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKQuantitySample> {
        HKSamplePredicate<HKQuantitySample>(quantityType, predicate)
    }

    /// Samples of any type.
    public static func sample(
        type sampleType: HKSampleType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKSample> {
        HKSamplePredicate<HKSample>(sampleType, predicate)
    }

    /// Workouts.
    public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
        HKSamplePredicate<HKWorkout>(.workoutType(), predicate)
    }

    /// Routes of workouts.
    public static func workoutRoute(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkoutRoute> {
        HKSamplePredicate<HKWorkoutRoute>(HKSeriesType.workoutRoute(), predicate)
    }

    /// Prescriptions for glasses and contacts.
    public static func visionPrescription(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKVisionPrescription> {
        HKSamplePredicate<HKVisionPrescription>(.visionPrescriptionType(), predicate)
    }

    /// States of mind.
    public static func stateOfMind(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKStateOfMind> {
        HKSamplePredicate<HKStateOfMind>(.stateOfMindType(), predicate)
    }

    /// Answers to the seven questions about anxiety.
    public static func gad7Assessment(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKGAD7Assessment> {
        HKSamplePredicate<HKGAD7Assessment>(HKScoredAssessmentType(.GAD7), predicate)
    }

    /// Answers to the nine questions about depression.
    public static func phq9Assessment(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKPHQ9Assessment> {
        HKSamplePredicate<HKPHQ9Assessment>(HKScoredAssessmentType(.PHQ9), predicate)
    }
}
