/// The data of a signed clinical record, such as a SMART Health Card.
///
/// The date of the certified event is the start of its ``Sample``. The signature is kept, and was
/// not verified.
public struct VerifiableClinicalRecord: Hashable, Sendable, Codable {
    /// The kinds of credential, such as "https://smarthealth.cards#immunization".
    public var recordTypes: [String]
    /// The identifier of the issuer, normally a URL.
    public var issuer: String
    /// The full name of the person.
    public var fullName: String
    /// The person's date of birth as written, "1951-01-20"; nil if there is none.
    public var dateOfBirth: String?
    /// When the record was issued, in reference seconds.
    public var issued: Double
    /// When the record expires, in reference seconds; nil if it doesn't.
    public var expires: Double?
    /// The names of the certified items, for people.
    public var itemNames: [String]
    /// The format, such as "SMARTHealthCard"; nil if it is not known.
    public var sourceType: String?
    /// The record as received; for a SMART Health Card, the JSON Web Signature.
    public var data: String

    public init(
        recordTypes: [String], issuer: String, fullName: String, dateOfBirth: String? = nil,
        issued: Double, expires: Double? = nil, itemNames: [String], sourceType: String? = nil,
        data: String
    ) {
        self.recordTypes = recordTypes
        self.issuer = issuer
        self.fullName = fullName
        self.dateOfBirth = dateOfBirth
        self.issued = issued
        self.expires = expires
        self.itemNames = itemNames
        self.sourceType = sourceType
        self.data = data
    }

    /// The identifier of the type whose samples have such data. Apple has no public name for this
    /// type; ours is the name of the class.
    package static let typeIdentifier = "HKVerifiableClinicalRecord"
}
