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

    /// Matches the symptoms that belong to an electrocardiogram: none here.
    ///
    /// On a phone, the app that records an electrocardiogram links samples of symptoms to it. No
    /// export or app tells a store which ones, so no sample matches (Semantics §10.5c). See
    /// ``HKElectrocardiogram/symptomsStatus`` for whether there were symptoms; the exported words
    /// are metadata under `export.symptoms`.
    ///
    /// - Parameter electrocardiogram: The electrocardiogram.
    /// - Returns: The predicate.
    public class func predicateForObjectsAssociated(
        electrocardiogram: HKElectrocardiogram
    ) -> NSPredicate {
        HKPredicate(.never)
    }
}
