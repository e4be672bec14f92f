/// A record of a clinic's. Its contents aren't kept yet.
// Immutable.
open class HKClinicalRecord: HKSample, @unchecked Sendable {}

/// A record that its issuer has signed. Its contents aren't kept yet.
// Immutable.
open class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {}

/// A document of a clinic's. Its contents aren't kept yet.
// Immutable.
open class HKDocumentSample: HKSample, @unchecked Sendable {
    /// What kind of document it is.
    open var documentType: HKDocumentType {
        sampleType as? HKDocumentType ?? HKDocumentType(_identifier: sampleType.identifier)
    }
}
