public import Foundation
import HealthEngine
import HealthStorage

/// A medication that a test or a host puts into a store. Not part of Apple's API.
public struct MedicationEntry: Hashable, Sendable {
    /// The name shown to people: "Aspirin 100 mg". Case and white space don't distinguish
    /// medications.
    public var displayText: String
    /// The form.
    public var generalForm = HKMedicationGeneralForm.unknown
    /// The codes in coding systems.
    public var codings: [HKClinicalCoding] = []
    /// The person's own name for the medication; nil for none.
    public var nickname: String?
    /// Whether the person no longer tracks the medication.
    public var isArchived = false
    /// Whether the medication has a schedule.
    public var hasSchedule = false

    /// Creates an entry.
    ///
    /// - Parameter displayText: The name, which identifies the medication in the store.
    public init(_ displayText: String) { self.displayText = displayText }
}

/// A dose that a test or a host puts into a store. Not part of Apple's API.
public struct DoseEntry: Hashable, Sendable {
    /// Whether the dose was taken, skipped or only reminded of.
    public var status: HKMedicationDoseEvent.LogStatus
    /// The start and end of the sample.
    public var date: Date
    /// The amount taken; nil for none.
    public var amount: Double?
    /// The unit of the amounts.
    public var unit = HKUnit.count()
    /// The time that the dose was scheduled for; nil for a dose taken as needed.
    public var scheduledDate: Date?
    /// The scheduled amount; nil for none.
    public var scheduledAmount: Double?

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - status: Whether the dose was taken.
    ///   - date: The start and end of the sample.
    ///   - amount: The amount taken; nil for none.
    public init(_ status: HKMedicationDoseEvent.LogStatus, at date: Date, amount: Double? = nil) {
        self.status = status
        self.date = date
        self.amount = amount
    }
}

// What a person does in Apple's Health app. Apps can't save medications, so no permission is needed.
// Not part of Apple's API.
extension HKHealthStore {
    /// Adds a medication, or replaces the one with the same name. Not part of Apple's API.
    ///
    /// ```swift
    /// var entry = MedicationEntry("Aspirin 100 mg")
    /// entry.generalForm = .tablet
    /// let aspirin = try store.setMedication(entry)
    /// try store.logDose(DoseEntry(.taken, at: .now, amount: 1), of: aspirin)
    /// ```
    /// Texts are cut after 500 characters.
    ///
    /// - Parameter entry: The medication.
    /// - Returns: The stored medication.
    /// - Throws: `HKError`: `errorInvalidArgument` for an empty name; another if the store cannot be
    ///   opened or written.
    /// - Complexity: O(log n) in the number of medications.
    @discardableResult
    public func setMedication(_ entry: MedicationEntry) throws -> HKUserAnnotatedMedication {
        guard entry.displayText.contains(where: { !$0.isWhitespace }) else {
            throw HKError(.errorInvalidArgument, "A medication needs a name.")
        }
        let codings = entry.codings.map {
            MedicationCoding(system: $0.system, version: $0.version, code: $0.code)
        }
        var medication = Medication(
            displayText: entry.displayText, generalForm: entry.generalForm.rawValue,
            codings: codings, nickname: entry.nickname)
        medication.isArchived = entry.isArchived
        medication.hasSchedule = entry.hasSchedule
        let store = try connection.store
        let identifier = medication.identifier
        let stored = try translatingErrors {
            try store.setMedications([medication])
            return try store.medications().first { $0.identifier == identifier }
        }
        return HKUserAnnotatedMedication(_medication: stored ?? medication)
    }

    /// Saves a dose of a medication as the Health app does. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - entry: The dose.
    ///   - medication: The medication.
    /// - Returns: The dose as saved, without its source.
    /// - Throws: `HKError`: `errorInvalidArgument` for a date or an amount that is not a number;
    ///   another if the store cannot be opened or written.
    /// - Complexity: O(log n) in the number of samples.
    @discardableResult
    public func logDose(
        _ entry: DoseEntry, of medication: HKUserAnnotatedMedication
    ) throws -> HKMedicationDoseEvent {
        let dose = HKMedicationDoseEvent(
            _record: SampleRecord(
                .medicationDoseEventType(), start: entry.date, end: entry.date, device: nil,
                metadata: nil),
            dose: MedicationDose(
                medication: medication.stored.identifier,
                scheduleType: entry.scheduledDate == nil
                    ? MedicationDose.asNeeded : MedicationDose.bySchedule,
                status: entry.status.rawValue, unit: entry.unit.unitString, amount: entry.amount,
                scheduledAmount: entry.scheduledAmount,
                scheduled: entry.scheduledDate?.timeIntervalSinceReferenceDate))
        try dose.validate()
        let store = try connection.store
        let health = AppIdentity("com.apple.Health", name: "Health")
        let new = try SampleObjects.batch(
            of: [dose], source: health.source.value, revision: health.origin)
        _ = try translatingErrors {
            try store.save(
                new.batch, uuids: new.uuids,
                at: connection.clock.now.timeIntervalSinceReferenceDate)
        }
        connection.feed.wake()
        return dose
    }
}
