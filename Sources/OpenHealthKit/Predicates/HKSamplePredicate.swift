public import Foundation

/// A sample type and a predicate, for the Swift query descriptors.
// `@unchecked Sendable`: all stored properties are immutable, but Foundation on Linux does not
// declare NSPredicate as Sendable.
public struct HKSamplePredicate<Sample>: Equatable, Hashable, @unchecked Sendable
where Sample: HKSample {
    /// The type of the samples to return.
    public let sampleType: HKSampleType
    /// Which samples to return; nil for all.
    public let nsPredicate: NSPredicate?

    init(_ sampleType: HKSampleType, _ predicate: NSPredicate?) {
        self.sampleType = sampleType
        nsPredicate = predicate
    }

    /// The type and predicate in the form that queries with completion handlers take.
    var descriptor: HKQueryDescriptor {
        HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate)
    }
}

extension HKSamplePredicate {
    /// Matches hearing tests.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func audiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKAudiogramSample> {
        HKSamplePredicate<HKAudiogramSample>(.audiogramSampleType(), predicate)
    }

    /// Matches samples of a category type.
    ///
    /// - Parameters:
    ///   - categoryType: The type.
    ///   - predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func categorySample(
        type categoryType: HKCategoryType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCategorySample> {
        HKSamplePredicate<HKCategorySample>(categoryType, predicate)
    }

    /// Matches clinical records of a type.
    ///
    /// - Parameters:
    ///   - clinicalType: The type.
    ///   - predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func clinicalRecord(
        type clinicalType: HKClinicalType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKClinicalRecord> {
        HKSamplePredicate<HKClinicalRecord>(clinicalType, predicate)
    }

    /// Matches correlations of a type.
    ///
    /// - Parameters:
    ///   - correlationType: The type.
    ///   - predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func correlation(
        type correlationType: HKCorrelationType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCorrelation> {
        HKSamplePredicate<HKCorrelation>(correlationType, predicate)
    }

    /// Matches electrocardiograms.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func electrocardiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKElectrocardiogram> {
        HKSamplePredicate<HKElectrocardiogram>(.electrocardiogramType(), predicate)
    }

    /// Matches heartbeat series.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func heartbeatSeries(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKHeartbeatSeriesSample> {
        HKSamplePredicate<HKHeartbeatSeriesSample>(HKSeriesType.heartbeat(), predicate)
    }

    /// Matches samples of a quantity type.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func quantitySample(
        type quantityType: HKQuantityType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKQuantitySample> {
        HKSamplePredicate<HKQuantitySample>(quantityType, predicate)
    }

    /// Matches samples of a type, which can be of any kind: quantity, category, workout and so on.
    ///
    /// - Parameters:
    ///   - sampleType: The type.
    ///   - predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func sample(
        type sampleType: HKSampleType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKSample> {
        HKSamplePredicate<HKSample>(sampleType, predicate)
    }

    /// Matches workouts.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
        HKSamplePredicate<HKWorkout>(.workoutType(), predicate)
    }

    /// Matches workout routes.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func workoutRoute(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkoutRoute> {
        HKSamplePredicate<HKWorkoutRoute>(HKSeriesType.workoutRoute(), predicate)
    }

    /// Matches prescriptions for glasses and contact lenses.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func visionPrescription(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKVisionPrescription> {
        HKSamplePredicate<HKVisionPrescription>(.visionPrescriptionType(), predicate)
    }

    /// Matches states of mind.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func stateOfMind(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKStateOfMind> {
        HKSamplePredicate<HKStateOfMind>(.stateOfMindType(), predicate)
    }

    /// Matches answers to the GAD-7 questionnaire about anxiety.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func gad7Assessment(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKGAD7Assessment> {
        HKSamplePredicate<HKGAD7Assessment>(HKScoredAssessmentType(.GAD7), predicate)
    }

    /// Matches answers to the PHQ-9 questionnaire about depression.
    ///
    /// - Parameter predicate: Which samples to match; nil for all.
    /// - Returns: The type with the predicate.
    public static func phq9Assessment(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKPHQ9Assessment> {
        HKSamplePredicate<HKPHQ9Assessment>(HKScoredAssessmentType(.PHQ9), predicate)
    }
}
