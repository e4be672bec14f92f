import Foundation
import HealthKit

/// Reads clinical records and documents, as an app for health records does.
final class RecordsReader: Sendable {
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    static let recordTypes: [HKClinicalTypeIdentifier] = [
        .allergyRecord, .clinicalNoteRecord, .conditionRecord, .coverageRecord,
        .immunizationRecord, .labResultRecord, .medicationRecord, .procedureRecord,
        .vitalSignRecord,
    ]

    /// Requests to read all record types that the system knows.
    func authorize() async throws {
        let types = Self.recordTypes.compactMap { HKObjectType.clinicalType(forIdentifier: $0) }
        try await healthStore.requestAuthorization(toShare: [], read: Set<HKObjectType>(types))
    }

    /// Returns the records of a type, latest first, with a query of the older kind.
    func records(
        _ identifier: HKClinicalTypeIdentifier, matching predicate: NSPredicate? = nil
    ) async throws -> [HKClinicalRecord] {
        guard let type = HKObjectType.clinicalType(forIdentifier: identifier) else { return [] }
        return try await withCheckedThrowingContinuation { continuation in
            let newest = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
            let query = HKSampleQuery(
                sampleType: type, predicate: predicate, limit: HKObjectQueryNoLimit,
                sortDescriptors: [newest]
            ) { _, samples, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: samples as? [HKClinicalRecord] ?? [])
            }
            healthStore.execute(query)
        }
    }

    /// Returns the records that are new since an anchor, and the identifiers of deleted ones.
    func changes(
        _ identifier: HKClinicalTypeIdentifier, since anchor: HKQueryAnchor?
    ) async throws -> (new: [HKClinicalRecord], deleted: [UUID], anchor: HKQueryAnchor?) {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.clinicalRecord(type: HKClinicalType(identifier))], anchor: anchor)
        let result = try await descriptor.result(for: healthStore)
        return (result.addedSamples, result.deletedObjects.map(\.uuid), result.newAnchor)
    }

    /// Returns the value and unit of a laboratory result or vital sign.
    func quantity(of record: HKClinicalRecord) -> String? {
        guard let resource = record.fhirResource,
            resource.fhirVersion.fhirRelease == .r4, resource.resourceType == .observation,
            let json = try? JSONSerialization.jsonObject(with: resource.data) as? [String: Any],
            let quantity = json["valueQuantity"] as? [String: Any],
            let value = quantity["value"] as? NSNumber, let unit = quantity["unit"] as? String
        else { return nil }
        return "\(value) \(unit)"
    }

    /// Returns a record again by its resource's identifier, which is unique within its source.
    func record(like record: HKClinicalRecord) async throws -> [HKClinicalRecord] {
        guard let resource = record.fhirResource else { return [] }
        let predicate = HKQuery.predicateForClinicalRecords(
            from: record.sourceRevision.source, fhirResourceType: resource.resourceType,
            identifier: resource.identifier)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.clinicalRecord(type: record.clinicalType, predicate: predicate)],
            sortDescriptors: [])
        return try await descriptor.result(for: healthStore)
    }
}

/// Saves and reads discharge letters in CDA.
final class LetterBox: Sendable {
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func authorize() async throws {
        guard let type = HKObjectType.documentType(forIdentifier: .CDA) else { return }
        try await healthStore.requestAuthorization(toShare: [type], read: [type])
    }

    /// Saves a letter. Throws what is wrong with its XML.
    func save(_ xml: Data, on date: Date) async throws {
        let sample = try HKCDADocumentSample(data: xml, start: date, end: date, metadata: nil)
        try await healthStore.save(sample)
    }

    /// Returns the titles and sizes of letters, with the number of pages they came in.
    func letters(
        withData: Bool, matching predicate: NSPredicate? = nil, limit: Int = HKObjectQueryNoLimit
    ) async throws -> (titles: [String], sizes: [Int?], pages: Int) {
        let type = HKDocumentType(.CDA)
        let found = LettersFound()
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKDocumentQuery(
                documentType: type, predicate: predicate, limit: limit, sortDescriptors: nil,
                includeDocumentData: withData
            ) { _, documents, isDone, error in
                if let error { return continuation.resume(throwing: error) }
                found.add(documents ?? [])
                if isDone { continuation.resume(returning: found.contents) }
            }
            healthStore.execute(query)
        }
    }
}

/// The letters of a query so far. Its handler is called on one queue.
private final class LettersFound: @unchecked Sendable {
    private(set) var contents: (titles: [String], sizes: [Int?], pages: Int) = ([], [], 0)

    func add(_ documents: [HKDocumentSample]) {
        contents.pages += 1
        for case let document as HKCDADocumentSample in documents {
            contents.titles.append(document.document?.title ?? "?")
            contents.sizes.append(document.document?.documentData?.count)
        }
    }
}
