/// The data of a clinical record: a FHIR resource, and what an export states about it.
///
/// Source and date of receipt are in its ``Sample``.
public struct ClinicalRecord: Hashable, Sendable, Codable {
    /// The type of the resource, such as "Observation".
    public var resourceType: String
    /// The identifier of the resource within its source.
    public var identifier: String
    /// The version of FHIR, such as "4.0.1"; empty if it is not known.
    public var fhirVersion: String
    /// The name for people, taken from the resource.
    public var displayName: String
    /// The URL from which the resource was downloaded; nil if it is not known.
    public var sourceURL: String?
    /// The path of the resource in an export, "/clinical-records/Observation-1.json"; nil for a
    /// record that is not from an export.
    public var file: String?
    /// The resource as JSON, character by character as received.
    public var resource: String

    public init(
        resourceType: String, identifier: String, fhirVersion: String, displayName: String,
        sourceURL: String? = nil, file: String? = nil, resource: String
    ) {
        self.resourceType = resourceType
        self.identifier = identifier
        self.fhirVersion = fhirVersion
        self.displayName = displayName
        self.sourceURL = sourceURL
        self.file = file
        self.resource = resource
    }

    /// The maximum size of a resource in bytes. A larger one stays a file.
    package static let maximumByteCount = 4 << 20

    /// A hash of the resource's type and identifier. Resources that were received at the same
    /// second have different identities.
    package var identityNumber: UInt64 { FNV1a.hash(of: resourceType + "/" + identifier) }
}

extension SampleDetail {
    /// The part of an imported sample's identity that its content determines; 0 for all samples
    /// except clinical records.
    package var identityNumber: UInt64 {
        if case .clinicalRecord(let record) = self { record.identityNumber } else { 0 }
    }
}

extension SampleType {
    /// The prefix of the identifiers of clinical types.
    package static let clinicalPrefix = "HKClinicalTypeIdentifier"

    /// Whether samples of the type are clinical records.
    package var isClinicalRecord: Bool { identifier.hasPrefix(SampleType.clinicalPrefix) }

    /// Whether samples of the type contain a record, document or card of any size.
    package var holdsDocuments: Bool {
        isClinicalRecord || identifier == ClinicalDocument.typeIdentifier
            || identifier == VerifiableClinicalRecord.typeIdentifier
    }
}

extension SampleDetail {
    /// The size of the record, document or card in bytes; 0 for other samples.
    package var documentByteCount: Int {
        switch self {
        case .clinicalRecord(let record): record.resource.utf8.count
        case .document(let document): (document.text ?? document.base64 ?? "").utf8.count
        case .verifiableClinicalRecord(let record): record.data.utf8.count
        default: 0
        }
    }
}

extension SampleDetail {
    /// The name of a record, document or card for people; nil for other samples.
    package var documentName: String? {
        switch self {
        case .clinicalRecord(let record): record.displayName
        case .document(let document): document.title
        case .verifiableClinicalRecord(let record): record.itemNames.joined(separator: ", ")
        default: nil
        }
    }
}
