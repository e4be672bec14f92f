public import Foundation

/// A signed clinical record: a vaccination, a test. The family is left for later: none is stored, so
/// none is ever read.
// Immutable.
open class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {
    /// What it proves.
    open var recordTypes: [String] { [] }
    /// Who signed it.
    open var issuerIdentifier: String { "" }
    /// Whom it is about.
    open var subject: HKVerifiableClinicalRecordSubject { HKVerifiableClinicalRecordSubject() }
    /// When it was signed.
    open var issuedDate: Date { startDate }
    /// When what it proves took place.
    open var relevantDate: Date { startDate }
    /// Until when it holds; nil where it doesn't say.
    open var expirationDate: Date? { nil }
    /// What people read.
    open var itemNames: [String] { [] }
    /// How it came; nil, as it isn't kept.
    open var sourceType: HKVerifiableClinicalRecordSourceType? { nil }
    /// The record as it came; empty, as it isn't kept.
    open var dataRepresentation: Data { Data() }
    /// The record as a signed JSON; empty, as it isn't kept.
    open var jwsRepresentation: Data { Data() }
}

/// Whom a signed record is about.
// Immutable.
open class HKVerifiableClinicalRecordSubject: NSObject, @unchecked Sendable {
    override init() {}

    /// The person's name.
    open var fullName: String { "" }
    /// When the person was born; nil, as it isn't kept.
    open var dateOfBirthComponents: DateComponents? { nil }
}
