import HealthEngine
import HealthStorage

/// The objects that `openhealth grants --object` names, by the code of their type.
struct GrantedObjects {
    /// The types whose objects can be granted singly (Semantics §8.12).
    private static let types: Set = ["visionPrescription", "userAnnotatedMedicationConcept"]

    private(set) var uuids: [Int32: [SampleUUID]] = [:]

    /// Finds the samples with these UUIDs.
    ///
    /// - Throws: ``UsageError`` for a text that is no UUID, a UUID that isn't stored, and a sample of
    ///   a type that can only be granted as a whole.
    init(_ texts: [String], in store: SampleStore) throws {
        for text in Set(texts) {
            guard let uuid = SampleUUID(text) else {
                throw UsageError("“\(text.printable)” is no UUID.")
            }
            guard let found = try store.object(uuid), let sample = found.batch.samples.first,
                let type = found.type(code: sample.type)
            else {
                throw UsageError(
                    "No sample has the UUID \(uuid). List them with: "
                        + "openhealth samples visionPrescription")
            }
            guard GrantedObjects.types.contains(type.name) else {
                throw UsageError(
                    "Samples of \(type.name) can't be granted singly. Allow the type with --read.")
            }
            uuids[type.code, default: []].append(uuid)
        }
    }
}
