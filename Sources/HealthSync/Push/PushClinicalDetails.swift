import Foundation

/// A FHIR resource of a clinical record.
struct PushClinicalRecord: Encodable {
    let resourceType: String
    let identifier: String
    let fhirVersion: String
    let displayName: String
    let sourceURL: String?
    /// The resource as JSON.
    let resource: String
}

/// A clinical document. Its data is either text in UTF-8, or in Base64.
struct PushDocument: Encodable {
    let title: String
    let patientName: String
    let authorName: String
    let custodianName: String
    let text: String?
    let base64: String?
}

#if !os(watchOS)
    extension PushDetails {
        /// Returns the resource of a clinical record; nil without one, or if it is not UTF-8.
        static func resource(of record: HKClinicalRecord) -> PushDetail? {
            guard let resource = record.fhirResource,
                let text = String(validating: resource.data, as: UTF8.self)
            else { return nil }
            return PushDetail(
                clinicalRecord: PushClinicalRecord(
                    resourceType: resource.resourceType.rawValue, identifier: resource.identifier,
                    fhirVersion: resource.fhirVersion.stringRepresentation,
                    displayName: record.displayName,
                    sourceURL: resource.sourceURL?.absoluteString, resource: text))
        }

        /// Returns a clinical document with its data, which only a query of its own has; nil
        /// without data.
        func document(of sample: HKCDADocumentSample) async throws -> PushDetail? {
            guard let document = try await withData(sample)?.document,
                let data = document.documentData
            else { return nil }
            let text = String(validating: data, as: UTF8.self)
            return PushDetail(
                document: PushDocument(
                    title: document.title, patientName: document.patientName,
                    authorName: document.authorName, custodianName: document.custodianName,
                    text: text, base64: text == nil ? data.base64EncodedString() : nil))
        }

        private func withData(_ sample: HKCDADocumentSample) async throws -> HKCDADocumentSample? {
            let predicate = HKQuery.predicateForObject(with: sample.uuid)
            return try await withCheckedThrowingContinuation { continuation in
                // With a limit of one, the handler is called once.
                let query = HKDocumentQuery(
                    documentType: sample.documentType, predicate: predicate, limit: 1,
                    sortDescriptors: nil, includeDocumentData: true
                ) { _, documents, isDone, error in
                    guard isDone || error != nil else { return }
                    if let error { return continuation.resume(throwing: error) }
                    continuation.resume(returning: documents?.first as? HKCDADocumentSample)
                }
                store.execute(query)
            }
        }
    }
#endif
