public import Foundation

// Predicates for families of objects that this store doesn't keep. They are there so that apps
// compile; a query that runs one reports errorInvalidArgument, as an empty answer would be a lie.

extension HKQuery {
    /// Refused when a query runs it: what symptoms belong to an electrocardiogram isn't kept.
    public class func predicateForObjectsAssociated(
        electrocardiogram: HKElectrocardiogram
    ) -> NSPredicate {
        unsupported("electrocardiograms' symptoms")
    }

    /// Refused when a query runs it: electrocardiograms' findings aren't kept.
    public class func predicateForElectrocardiograms(
        classification: HKElectrocardiogram.Classification
    ) -> NSPredicate {
        unsupported("electrocardiograms' classifications")
    }

    /// Refused when a query runs it: electrocardiograms' findings aren't kept.
    public class func predicateForElectrocardiograms(
        symptomsStatus: HKElectrocardiogram.SymptomsStatus
    ) -> NSPredicate {
        unsupported("electrocardiograms' symptoms")
    }

    /// Refused when a query runs it: clinical records aren't kept.
    public class func predicateForClinicalRecords(
        withFHIRResourceType resourceType: HKFHIRResourceType
    ) -> NSPredicate {
        unsupported("clinical records")
    }

    /// Refused when a query runs it: clinical records aren't kept.
    public class func predicateForClinicalRecords(
        from source: HKSource, fhirResourceType resourceType: HKFHIRResourceType,
        identifier: String
    ) -> NSPredicate {
        unsupported("clinical records")
    }

    /// Refused when a query runs it: clinical records aren't kept.
    public class func predicateForVerifiableClinicalRecords(
        withRelevantDateWithin dateInterval: DateInterval
    ) -> NSPredicate {
        unsupported("clinical records")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForMedicationDoseEvent(
        status: HKMedicationDoseEvent.LogStatus
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForMedicationDoseEvent(
        statuses: Set<NSNumber>
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForMedicationDoseEvent(
        scheduledDates: Set<Date>
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForMedicationDoseEvent(
        scheduledStart startDate: Date?, end endDate: Date?
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifier: HKHealthConceptIdentifier
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
    ) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
        unsupported("medications")
    }

    /// Refused when a query runs it: medications aren't kept.
    public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
        unsupported("medications")
    }

    private class func unsupported(_ family: String) -> NSPredicate {
        HKPredicate(
            .refused(
                "Predicate: \(family) are not supported by this store.", text: "FALSEPREDICATE"))
    }
}
