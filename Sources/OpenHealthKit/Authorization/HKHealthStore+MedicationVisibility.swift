import Foundation
import HealthEngine
import HealthStorage

// Which medications and doses an app may read. Doses follow their medication (Semantics §8.12).
extension HKHealthStore {
    /// Returns the medications that the app may read, by identifier; nil for all.
    ///
    /// - Throws: `errorAuthorizationNotDetermined` if medications were never requested, or another
    ///   `HKError` if the store cannot be opened.
    func readableMedications() throws(HKError) -> Set<String>? {
        let type = HKObjectType.userAnnotatedMedicationType()
        let permission = try permission(for: type)
        guard permission.wasRequested else { throw notDetermined(type, missing(read: [type])) }
        if permission.read == .granted { return nil }
        let granted = try grantedObjects(of: code(of: type))
        if granted.isEmpty { return [] }
        let store = try connection.readableStore
        let medications = try translatingErrors { try store.medications() }
        return Set(
            medications.map(\.identifier).filter { identifier in
                UUID(uuidString: identifier).map { granted[SampleUUID($0)] != nil } ?? false
            })
    }

    /// Returns the medications that a request for single objects is about. One whose identifier
    /// isn't a UUID can only be granted with its type.
    func medicationCandidates(
        of type: HKObjectType, _ code: Int32, _ predicate: NSPredicate?
    ) throws -> [ObjectAuthorizationPrompt.Candidate] {
        let filter = try SampleFilter(
            predicate, for: type, thisApp: identity.bundleIdentifier)
        let store = try connection.readableStore
        let granted = try grantedObjects(of: code)
        return try translatingErrors { try store.medications() }.compactMap { medication in
            guard filter.matches(MedicationFacts(medication: medication)),
                let identifier = UUID(uuidString: medication.identifier)
            else { return nil }
            return ObjectAuthorizationPrompt.Candidate(
                identifier: identifier, object: HKUserAnnotatedMedication(_medication: medication),
                isGranted: granted[SampleUUID(identifier)] != nil)
        }
    }

    /// Returns the condition on doses that the app may read: everything if their type is granted,
    /// otherwise those of readable medications.
    ///
    /// - Throws: The errors of ``readableMedications()``.
    func doseFilter() throws(HKError) -> SampleFilter {
        if try permission(for: .medicationDoseEventType()).read == .granted { return .everything }
        guard let readable = try readableMedications() else { return .everything }
        return .test(.doseMedication, .oneOf(readable.sorted().map { .string($0) }))
    }

    /// Returns the permissions, with that of medications for doses unless the type of doses was
    /// granted itself. ``doseFilter()`` then selects the doses.
    func withDosePermission(
        _ permissions: [Int32: AuthorizationRow]
    ) throws(HKError) -> [Int32: AuthorizationRow] {
        let dose = try code(of: .medicationDoseEventType())
        let medication = try code(of: .userAnnotatedMedicationType())
        guard permissions[dose]?.read != .granted, permissions[medication]?.wasRequested == true
        else { return permissions }
        var permissions = permissions
        permissions[dose] = AuthorizationRow(read: .granted)
        return permissions
    }
}
