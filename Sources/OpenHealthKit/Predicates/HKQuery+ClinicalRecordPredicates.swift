public import Foundation

extension HKQuery {
    /// Matches clinical records whose FHIR resource has a type.
    ///
    /// - Parameter resourceType: The type of the resource.
    /// - Returns: The predicate.
    public class func predicateForClinicalRecords(
        withFHIRResourceType resourceType: HKFHIRResourceType
    ) -> NSPredicate {
        HKPredicate(ofResourceType(resourceType))
    }

    /// Matches the clinical records of a source whose FHIR resource has a type and an identifier.
    /// An identifier is unique within its source only.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - resourceType: The type of the resource.
    ///   - identifier: The identifier of the resource.
    /// - Returns: The predicate.
    public class func predicateForClinicalRecords(
        from source: HKSource, fhirResourceType resourceType: HKFHIRResourceType,
        identifier: String
    ) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            predicateForObjects(from: [source]),
            HKPredicate(ofResourceType(resourceType)),
            HKPredicate(
                .test(
                    HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, .equal,
                    .string(identifier))),
        ])
    }

    /// Matches signed clinical records whose relevant date is within an interval.
    ///
    /// - Parameter dateInterval: The interval; both ends belong to it.
    /// - Returns: The predicate.
    public class func predicateForVerifiableClinicalRecords(
        withRelevantDateWithin dateInterval: DateInterval
    ) -> NSPredicate {
        HKPredicate(
            .and([
                .test(PredicateKey.relevantDatePath, .atLeast, .date(dateInterval.start)),
                .test(PredicateKey.relevantDatePath, .atMost, .date(dateInterval.end)),
            ]))
    }

    private class func ofResourceType(_ type: HKFHIRResourceType) -> PredicateNode {
        .test(
            HKPredicateKeyPathClinicalRecordFHIRResourceType, .equal, .string(type.rawValue))
    }
}
