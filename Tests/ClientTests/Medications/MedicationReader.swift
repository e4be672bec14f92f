import Foundation
import HealthKit

/// Shows medications and their doses, as an app for side effects does.
@available(iOS 26.0, *)
final class MedicationReader: Sendable {
    /// The coding system of RxNorm.
    static let rxNorm = "http://www.nlm.nih.gov/research/umls/rxnorm"

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func authorize() async throws {
        try await healthStore.requestPerObjectReadAuthorization(
            for: .userAnnotatedMedicationType(), predicate: nil)
    }

    func active() async throws -> [HKUserAnnotatedMedication] {
        try await HKUserAnnotatedMedicationQueryDescriptor(
            predicate: HKQuery.predicateForUserAnnotatedMedications(isArchived: false)
        ).result(for: healthStore)
    }

    func all(limit: Int? = nil) async throws -> [HKUserAnnotatedMedication] {
        try await HKUserAnnotatedMedicationQueryDescriptor(limit: limit).result(for: healthStore)
    }

    /// Names of all medications with a schedule, with the completion handler.
    func scheduledNames(_ completion: @escaping @Sendable ([String]?, (any Error)?) -> Void) {
        // The handler is called for one medication after another.
        nonisolated(unsafe) var names: [String] = []
        let query = HKUserAnnotatedMedicationQuery(
            predicate: HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true),
            limit: HKObjectQueryNoLimit
        ) { _, medication, isDone, error in
            if let error { return completion(nil, error) }
            if let medication {
                names.append(medication.nickname ?? medication.medication.displayText)
            }
            if isDone { completion(names, nil) }
        }
        healthStore.execute(query)
    }

    func title(of medication: HKUserAnnotatedMedication) -> String {
        let concept = medication.medication
        let form =
            switch concept.generalForm {
            case .tablet: "tablet"
            case .capsule: "capsule"
            case .liquid: "liquid"
            default: "other"
            }
        return "\(medication.nickname ?? concept.displayText) (\(form))"
    }

    func rxNormCode(of medication: HKUserAnnotatedMedication) -> String? {
        medication.medication.relatedCodings.first { $0.system == Self.rxNorm }?.code
    }

    func doses(
        of medication: HKUserAnnotatedMedication, matching other: NSPredicate? = nil
    ) async throws -> [HKMedicationDoseEvent] {
        let own = HKQuery.predicateForMedicationDoseEvent(
            medicationConceptIdentifier: medication.medication.identifier)
        let parts = [own] + (other.map { [$0] } ?? [])
        return try await doses(matching: NSCompoundPredicate(andPredicateWithSubpredicates: parts))
    }

    func doses(matching predicate: NSPredicate? = nil) async throws -> [HKMedicationDoseEvent] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.sample(type: .medicationDoseEventType(), predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: healthStore)
            .compactMap { $0 as? HKMedicationDoseEvent }
    }

    /// The part of the logged doses that was taken; nil without any.
    func adherence(of medication: HKUserAnnotatedMedication) async throws -> Double? {
        let logged = try await doses(
            of: medication,
            matching: HKQuery.predicateForMedicationDoseEvent(statuses: [
                NSNumber(value: HKMedicationDoseEvent.LogStatus.taken.rawValue),
                NSNumber(value: HKMedicationDoseEvent.LogStatus.skipped.rawValue),
            ]))
        if logged.isEmpty { return nil }
        return Double(logged.count { $0.logStatus == .taken }) / Double(logged.count)
    }

    func new(
        since anchor: HKQueryAnchor?
    ) async throws -> (found: [HKMedicationDoseEvent], anchor: HKQueryAnchor) {
        let result = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: .medicationDoseEventType())], anchor: anchor
        ).result(for: healthStore)
        return (result.addedSamples.compactMap { $0 as? HKMedicationDoseEvent }, result.newAnchor)
    }

    func line(_ dose: HKMedicationDoseEvent) -> String {
        let word =
            switch dose.logStatus {
            case .taken: "taken"
            case .skipped: "skipped"
            case .snoozed: "snoozed"
            case .notInteracted: "no answer"
            case .notificationNotSent: "not reminded"
            case .notLogged: "not logged"
            @unknown default: "?"
            }
        let amount = dose.doseQuantity.map { "\($0) \(dose.unit.unitString) " } ?? ""
        return amount + word + (dose.scheduleType == .schedule ? " as planned" : "")
    }
}
