public import Foundation

extension HKQuery {
    /// Matches doses with a status.
    ///
    /// - Parameter status: The status.
    /// - Returns: The predicate.
    public class func predicateForMedicationDoseEvent(
        status: HKMedicationDoseEvent.LogStatus
    ) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathStatus, .equal, .number(Double(status.rawValue))))
    }

    /// Matches doses with one of some statuses.
    ///
    /// - Parameter statuses: Raw values of `HKMedicationDoseEvent.LogStatus`. Nothing matches an
    ///   empty set.
    /// - Returns: The predicate.
    public class func predicateForMedicationDoseEvent(statuses: Set<NSNumber>) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathStatus, .oneOf,
                .ordered(statuses.map { .number($0.doubleValue) })))
    }

    /// Matches doses that were scheduled for a time.
    ///
    /// - Parameter scheduledDate: The exact time.
    /// - Returns: The predicate.
    public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathScheduledDate, .equal, .date(scheduledDate)))
    }

    /// Matches doses that were scheduled for one of some times.
    ///
    /// - Parameter scheduledDates: The exact times. Nothing matches an empty set.
    /// - Returns: The predicate.
    public class func predicateForMedicationDoseEvent(
        scheduledDates: Set<Date>
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathScheduledDate, .oneOf,
                .ordered(scheduledDates.map { .date($0) })))
    }

    /// Matches doses that were scheduled for a time in an interval. Doses taken as needed never
    /// match. Apple does not document whether the end is included; here it is not.
    ///
    /// - Parameters:
    ///   - startDate: The start (inclusive); nil for no limit.
    ///   - endDate: The end (exclusive); nil for no limit.
    /// - Returns: The predicate.
    public class func predicateForMedicationDoseEvent(
        scheduledStart startDate: Date?, end endDate: Date?
    ) -> NSPredicate {
        let path = HKPredicateKeyPathScheduledDate
        var parts: [PredicateNode] = [.test(path, .notEqual, .null)]
        if let startDate { parts.append(.test(path, .atLeast, .date(startDate))) }
        if let endDate { parts.append(.test(path, .less, .date(endDate))) }
        return HKPredicate(.and(parts))
    }

    /// Matches the doses of a medication.
    ///
    /// - Parameter medicationConceptIdentifier: The identifier of the medication.
    /// - Returns: The predicate.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifier: HKHealthConceptIdentifier
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathMedicationConceptIdentifier, .equal,
                .string(medicationConceptIdentifier.identifier)))
    }

    /// Matches the doses of some medications.
    ///
    /// - Parameter medicationConceptIdentifiers: The identifiers. Nothing matches an empty set.
    /// - Returns: The predicate.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathMedicationConceptIdentifier, .oneOf,
                .ordered(medicationConceptIdentifiers.map { .string($0.identifier) })))
    }

    /// Matches medications that are archived or not.
    ///
    /// - Parameter isArchived: Whether they are archived.
    /// - Returns: The predicate.
    public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
        HKPredicate(
            .test(
                HKUserAnnotatedMedicationPredicateKeyPathIsArchived, .equal,
                .number(isArchived ? 1 : 0)))
    }

    /// Matches medications that have a schedule or not.
    ///
    /// - Parameter hasSchedule: Whether they have one.
    /// - Returns: The predicate.
    public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
        HKPredicate(
            .test(
                HKUserAnnotatedMedicationPredicateKeyPathHasSchedule, .equal,
                .number(hasSchedule ? 1 : 0)))
    }
}
