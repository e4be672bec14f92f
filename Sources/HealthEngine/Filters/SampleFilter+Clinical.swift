extension SampleFilter {
    /// A property of a clinical record, clinical document or signed record.
    public enum ClinicalAttribute: Hashable, Sendable, CaseIterable {
        /// The type of a clinical record's FHIR resource, as text.
        case resourceType
        /// The identifier of a clinical record's FHIR resource, as text.
        case resourceIdentifier
        /// A text of a clinical document's header.
        case title, patientName, authorName, custodianName
        /// The date of the event that a signed record certifies.
        case relevantDate
    }
}

extension SampleDetail {
    /// Returns the value that a filter tests; null if the detail doesn't have the property.
    ///
    /// - Parameters:
    ///   - attribute: The property.
    ///   - start: The start of the sample, in reference seconds.
    /// - Returns: The value.
    package func clinicalValue(
        _ attribute: SampleFilter.ClinicalAttribute, start: Double
    ) -> SampleFilter.Value {
        switch (self, attribute) {
        case (.clinicalRecord(let record), .resourceType): .string(record.resourceType)
        case (.clinicalRecord(let record), .resourceIdentifier): .string(record.identifier)
        case (.document(let document), .title): .string(document.title)
        case (.document(let document), .patientName): .string(document.patientName)
        case (.document(let document), .authorName): .string(document.authorName)
        case (.document(let document), .custodianName): .string(document.custodianName)
        case (.verifiableClinicalRecord, .relevantDate): .date(start)
        default: .null
        }
    }
}
