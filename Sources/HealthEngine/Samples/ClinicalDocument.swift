/// The data of a clinical document: its XML, and the header's texts.
public struct ClinicalDocument: Hashable, Sendable, Codable {
    /// The title; empty if there is none, like the other texts.
    public var title: String
    /// The name of the patient.
    public var patientName: String
    /// The name of the author.
    public var authorName: String
    /// The name of the organization that keeps the document.
    public var custodianName: String
    /// The document, if its bytes are valid UTF-8; otherwise nil.
    public var text: String?
    /// The document in Base64, if its bytes aren't valid UTF-8; otherwise nil.
    public var base64: String?

    public init(
        title: String, patientName: String, authorName: String, custodianName: String,
        text: String? = nil, base64: String? = nil
    ) {
        self.title = title
        self.patientName = patientName
        self.authorName = authorName
        self.custodianName = custodianName
        self.text = text
        self.base64 = base64
    }

    /// The identifier of the type whose samples have such data.
    package static let typeIdentifier = "HKDocumentTypeIdentifierCDA"
    /// The maximum size of a document in bytes.
    package static let maximumByteCount = 8 << 20
}
