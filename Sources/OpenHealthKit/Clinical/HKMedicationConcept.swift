public import Foundation
import HealthEngine

/// The identifier of a medical concept, such as a medication.
///
/// Identifiers of the same concept are equal, also in another process and after archiving.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKHealthConceptIdentifier: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The kind of concept.
    public let domain: HKHealthConceptDomain
    /// The identifier in the store.
    let identifier: String

    init(_domain: HKHealthConceptDomain, identifier: String) {
        domain = _domain
        self.identifier = identifier
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an identifier; nil if its domain or its text is missing.
    public required init?(coder: NSCoder) {
        guard let domain = coder.string("domain"), let identifier = coder.string("identifier")
        else { return nil }
        self.domain = HKHealthConceptDomain(rawValue: domain)
        self.identifier = identifier
    }

    open func encode(with coder: NSCoder) {
        coder.encode(domain.rawValue, for: "domain")
        coder.encode(identifier, for: "identifier")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override var hash: Int { identifier.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKHealthConceptIdentifier else { return false }
        return domain == other.domain && identifier == other.identifier
    }
    open override var description: String { "\(domain.rawValue) \(identifier)" }
}

/// A code of a medical coding system such as RxNorm or SNOMED CT.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKClinicalCoding: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The coding system: "http://www.nlm.nih.gov/research/umls/rxnorm" for RxNorm.
    public let system: String
    /// The version of the coding system; nil if it is not stated.
    public let version: String?
    /// The code.
    public let code: String

    /// Creates a code of a coding system.
    ///
    /// - Parameters:
    ///   - system: The URL of the coding system.
    ///   - version: The version of the coding system.
    ///   - code: The code.
    public init(system: String, version: String?, code: String) {
        self.system = system
        self.version = version
        self.code = code
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a code; nil if the system or the code is missing.
    public required init?(coder: NSCoder) {
        guard let system = coder.string("system"), let code = coder.string("code") else {
            return nil
        }
        self.system = system
        version = coder.string("version")
        self.code = code
    }

    open func encode(with coder: NSCoder) {
        coder.encode(system, for: "system")
        coder.encode(version, for: "version")
        coder.encode(code, for: "code")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override var hash: Int { code.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKClinicalCoding else { return false }
        return system == other.system && version == other.version && code == other.code
    }
    open override var description: String { "\(system)|\(code)" }
}

/// A medication as coding systems describe it.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKMedicationConcept: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let stored: Medication

    init(_medication: Medication) { stored = _medication }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a medication; nil if its content is missing.
    public required init?(coder: NSCoder) {
        guard let stored = coder.property(Medication.self, "medication") else { return nil }
        self.stored = stored
    }

    open func encode(with coder: NSCoder) { coder.encode(property: stored, for: "medication") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The identifier, to which doses refer.
    open var identifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(_domain: .medication, identifier: stored.identifier)
    }

    /// The name shown to people.
    open var displayText: String { stored.displayText }

    /// The form, such as tablet or spray; `unknown` if it is not recorded.
    open var generalForm: HKMedicationGeneralForm {
        HKMedicationGeneralForm(rawValue: stored.generalForm)
    }

    /// The codes in coding systems; empty if none are recorded.
    open var relatedCodings: Set<HKClinicalCoding> {
        Set(
            stored.codings.map {
                HKClinicalCoding(system: $0.system, version: $0.version, code: $0.code)
            })
    }

    open override var hash: Int { stored.identifier.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKMedicationConcept).map { content == $0.content } ?? false
    }
    open override var description: String { displayText }

    /// The properties of the concept, without the person's own.
    private var content: Medication {
        var content = stored
        (content.nickname, content.isArchived, content.hasSchedule) = (nil, nil, false)
        return content
    }
}
