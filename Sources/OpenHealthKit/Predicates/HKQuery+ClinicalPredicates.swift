public import Foundation

// Predicates for kinds of objects, or for properties of objects, that are not stored. They exist so
// that apps compile. A query with such a predicate reports errorInvalidArgument, because an empty
// result would be misleading.

extension HKQuery {
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter status: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForMedicationDoseEvent(
        status: HKMedicationDoseEvent.LogStatus
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter statuses: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForMedicationDoseEvent(
        statuses: Set<NSNumber>
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter scheduledDate: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter scheduledDates: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForMedicationDoseEvent(
        scheduledDates: Set<Date>
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameters:
    ///   - startDate: Ignored.
    ///   - endDate: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForMedicationDoseEvent(
        scheduledStart startDate: Date?, end endDate: Date?
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter medicationConceptIdentifier: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifier: HKHealthConceptIdentifier
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter medicationConceptIdentifiers: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter isArchived: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
        unsupported("medications")
    }

    /// Returns a predicate that queries reject, because medications are not stored.
    ///
    /// - Parameter hasSchedule: Ignored.
    /// - Returns: A predicate that queries reject with `errorInvalidArgument`.
    public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
        unsupported("medications")
    }

    private class func unsupported(_ family: String) -> NSPredicate {
        HKPredicate(
            .invalid(
                "Predicate: \(family) are not supported by this store.", text: "FALSEPREDICATE"))
    }
}
