/// A medication that a person tracks. Doses refer to it by its identifier.
public struct Medication: Hashable, Sendable, Codable {
    /// The identifier: a UUID as text. Doses, codes and names of one medication have the same one.
    public var identifier: String
    /// The name shown to people: "Aspirin 100 mg".
    public var displayText: String
    /// `HKMedicationGeneralForm`'s raw value: "tablet".
    public var generalForm: String
    /// The codes of the medication in coding systems.
    public var codings: [MedicationCoding]
    /// The person's own name for the medication; nil if there is none.
    public var nickname: String?
    /// Whether the person no longer tracks the medication; nil if not stated.
    public var isArchived: Bool?
    /// Whether the medication has a schedule.
    public var hasSchedule: Bool

    /// Creates a medication.
    ///
    /// - Parameters:
    ///   - identifier: The identifier; nil for the one that belongs to the name.
    ///   - displayText: The name shown to people.
    ///   - generalForm: The raw value of the form.
    ///   - codings: The codes.
    ///   - nickname: The person's own name.
    public init(
        identifier: String? = nil, displayText: String, generalForm: String = "unknown",
        codings: [MedicationCoding] = [], nickname: String? = nil
    ) {
        self.identifier = identifier ?? Medication.identifier(displayText: displayText)
        self.displayText = displayText
        self.generalForm = generalForm
        self.codings = codings
        self.nickname = nickname
        hasSchedule = false
    }

    /// Returns the identifier of a medication of senders that only state its name: a UUID of
    /// version 8 (RFC 9562) that depends on the name alone. HealthKit's identifiers are opaque, so
    /// no sender can state them.
    ///
    /// - Parameter displayText: The name. Case and white space at both ends don't matter.
    /// - Returns: The identifier, equal for equal names.
    package static func identifier(displayText: String) -> String {
        let name = displayText.lowercased().split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        func hash(_ salt: String) -> UInt64 {
            var hash = FNV1a()
            hash.add(delimited: salt)
            hash.add(delimited: name)
            return hash.value
        }
        let uuid = SampleUUID(
            high: hash("medication high") & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: hash("medication low") & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
        return "\(uuid)"
    }
}

/// A code of a medication in a coding system.
public struct MedicationCoding: Hashable, Sendable, Codable {
    /// The system, normally a URL.
    public var system: String
    /// The version of the system; nil if not stated.
    public var version: String?
    /// The code.
    public var code: String

    /// Creates a code.
    ///
    /// - Parameters:
    ///   - system: The system.
    ///   - version: The version of the system.
    ///   - code: The code.
    public init(system: String, version: String? = nil, code: String) {
        self.system = system
        self.version = version
        self.code = code
    }

    /// The URL of RxNorm (HL7 terminology).
    public static let rxNorm = "http://www.nlm.nih.gov/research/umls/rxnorm"
    /// The URL of SNOMED CT (HL7 terminology).
    public static let snomedCT = "http://snomed.info/sct"

    /// Returns the URL of a system that a sender names by a word; other texts as they are.
    ///
    /// - Parameter name: A word such as "RxNorm", or a URL.
    /// - Returns: The URL of RxNorm or SNOMED CT, or the text.
    package static func system(named name: String) -> String {
        switch name.lowercased().filter(\.isLetter) {
        case "rxnorm": rxNorm
        case "snomed", "snomedct": snomedCT
        default: name
        }
    }
}
