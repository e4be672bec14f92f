public import Foundation

extension HKQuery {
    /// Matches electrocardiograms with a classification.
    ///
    /// - Parameter classification: The classification.
    /// - Returns: The predicate.
    public class func predicateForElectrocardiograms(
        classification: HKElectrocardiogram.Classification
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathECGClassification, .equal,
                .number(Double(classification.rawValue))))
    }

    /// Matches electrocardiograms with a symptoms status.
    ///
    /// - Parameter symptomsStatus: The symptoms status.
    /// - Returns: The predicate.
    public class func predicateForElectrocardiograms(
        symptomsStatus: HKElectrocardiogram.SymptomsStatus
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathECGSymptomsStatus, .equal,
                .number(Double(symptomsStatus.rawValue))))
    }
}
