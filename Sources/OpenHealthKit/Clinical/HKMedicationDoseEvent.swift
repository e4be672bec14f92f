public import Foundation
public import HealthEngine

/// A dose of a medication: taken, skipped, or only reminded of.
///
/// Apps cannot create or save doses. They come from devices and imports, or from
/// ``HKHealthStore/logDose(_:of:)`` of a test or a host (Semantics §10.5f).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKMedicationDoseEvent: HKSample, @unchecked Sendable {
    let dose: MedicationDose

    /// Creates a dose from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - dose: The medication, schedule, status and amounts.
    public init(_record: SampleRecord, dose: MedicationDose) {
        self.dose = dose
        super.init(_record: _record)
    }

    /// Decodes a dose; nil if its UUID, type or content is missing.
    public required init?(coder: NSCoder) {
        guard let dose = coder.property(MedicationDose.self, "dose") else { return nil }
        self.dose = dose
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: dose, for: "dose")
    }

    /// The type of the sample.
    open var medicationDoseEventType: HKMedicationDoseEventType {
        sampleType as? HKMedicationDoseEventType ?? .medicationDoseEventType()
    }

    /// Whether the dose belongs to a schedule; `asNeeded` if the stored number is unknown.
    open var scheduleType: ScheduleType { ScheduleType(rawValue: dose.scheduleType) ?? .asNeeded }

    /// The identifier of the medication, equal to ``HKMedicationConcept/identifier``. Medications
    /// that a sender does not name have one identifier together.
    open var medicationConceptIdentifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(_domain: .medication, identifier: dose.medication)
    }

    /// The time that the dose was scheduled for; nil for a dose taken as needed.
    open var scheduledDate: Date? {
        dose.scheduled.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The scheduled amount in ``unit``; nil if it is not recorded.
    open var scheduledDoseQuantity: Double? { dose.scheduledAmount }

    /// The amount taken in ``unit``; nil if it is not recorded.
    open var doseQuantity: Double? { dose.amount }

    /// Whether the dose was taken or skipped; `notLogged` if the status is not known, such as a
    /// word of a localized app.
    open var logStatus: LogStatus { dose.status.flatMap { LogStatus(rawValue: $0) } ?? .notLogged }

    /// The unit of the amounts; `count` if the stored one can't be parsed.
    open var unit: HKUnit { UnitCache.unit(dose.unit) ?? .count() }

    override var medicationDose: MedicationDose? { dose }
    override var detail: SampleDetail? { .medicationDose(dose) }

    override var valueDescription: String {
        let amount = dose.amount.map { "\($0) \(dose.unit) " } ?? ""
        return "\(amount)\(dose.statusName ?? "notLogged")"
    }
}
