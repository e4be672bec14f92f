public import Foundation
public import HealthEngine

/// A signed clinical record, such as a vaccination or a test result on a SMART Health Card.
///
/// Apps cannot create such records. `openhealth import` adds cards. Their signature is not verified
/// here (Semantics §10.11): verify ``dataRepresentation`` with the issuer's keys before relying on
/// one.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {
    private let content: VerifiableClinicalRecord

    /// Creates a record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - content: The contents of the record.
    public init(_record: SampleRecord, content: VerifiableClinicalRecord) {
        self.content = content
        super.init(_record: _record)
    }

    /// Decodes a record; nil if its UUID, type or contents are missing.
    public required init?(coder: NSCoder) {
        guard let content = coder.property(VerifiableClinicalRecord.self, "verifiableRecord")
        else { return nil }
        self.content = content
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: content, for: "verifiableRecord")
    }

    override var detail: SampleDetail? { .verifiableClinicalRecord(content) }

    /// The kinds of credential in the record, such as
    /// "https://smarthealth.cards#immunization".
    open var recordTypes: [String] { content.recordTypes }
    /// The identifier of the issuer, normally a URL.
    open var issuerIdentifier: String { content.issuer }
    /// The person described by the record.
    open var subject: HKVerifiableClinicalRecordSubject {
        HKVerifiableClinicalRecordSubject(_content: content)
    }
    /// When the record was issued.
    open var issuedDate: Date { Date(timeIntervalSinceReferenceDate: content.issued) }
    /// When the certified event took place, such as the latest vaccination.
    open var relevantDate: Date { startDate }
    /// When the record expires; nil if it doesn't.
    open var expirationDate: Date? {
        content.expires.map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    /// The names of the certified items for people.
    open var itemNames: [String] { content.itemNames }
    /// The format the record was received in; nil if it is not known.
    open var sourceType: HKVerifiableClinicalRecordSourceType? {
        content.sourceType.map { HKVerifiableClinicalRecordSourceType(rawValue: $0) }
    }
    /// The record as received; for a SMART Health Card, the JSON Web Signature.
    open var dataRepresentation: Data { Data(content.data.utf8) }
    /// The JSON Web Signature of a SMART Health Card; empty for other formats.
    open var jwsRepresentation: Data {
        sourceType == .smartHealthCard ? dataRepresentation : Data()
    }
}

/// The person described by a signed record.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKVerifiableClinicalRecordSubject: NSObject, NSSecureCoding, NSCopying,
    @unchecked Sendable
{
    /// The person's name.
    public let fullName: String
    private let dateOfBirth: String?

    init(_content content: VerifiableClinicalRecord) {
        fullName = content.fullName
        dateOfBirth = content.dateOfBirth
    }

    /// True: subjects can be archived.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a subject; nil if its name is missing.
    public required init?(coder: NSCoder) {
        guard let name = coder.string("fullName") else { return nil }
        fullName = name
        dateOfBirth = coder.string("dateOfBirth")
    }

    open func encode(with coder: NSCoder) {
        coder.encode(fullName, for: "fullName")
        coder.encode(dateOfBirth, for: "dateOfBirth")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var hash: Int { fullName.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKVerifiableClinicalRecordSubject else { return false }
        return fullName == other.fullName && dateOfBirth == other.dateOfBirth
    }

    /// The person's date of birth: the year, or the year and month, or all three; nil without one.
    open var dateOfBirthComponents: DateComponents? {
        let parts = dateOfBirth?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        let numbers = parts.map { Int($0) }
        guard (1...3).contains(parts.count), let year = numbers[0] else { return nil }
        var components = DateComponents(calendar: Calendar(identifier: .gregorian), year: year)
        if parts.count > 1 { components.month = numbers[1] }
        if parts.count > 2 { components.day = numbers[2] }
        return components
    }
}
