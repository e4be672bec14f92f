public import Foundation
public import HealthEngine

/// A clinical document.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKDocumentSample: HKSample, @unchecked Sendable {
    /// The type of the document.
    open var documentType: HKDocumentType {
        sampleType as? HKDocumentType ?? HKDocumentType(_identifier: sampleType.identifier)
    }
}

/// A document in the Clinical Document Architecture (CDA).
///
/// ```swift
/// let sample = try HKCDADocumentSample(data: xml, start: date, end: date, metadata: nil)
/// sample.document?.title   // "Good Health Clinic Consultation Note"
/// try await store.save(sample)
/// ```
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
    private let content: ClinicalDocument?
    private let access: DataAccess

    /// Whether ``HKCDADocument/documentData`` is nil although the document is known.
    enum DataAccess { case included, omitted }

    /// Creates a document without access to its data. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - content: The document; nil if none is stored.
    public init(_record: SampleRecord, content: ClinicalDocument?) {
        self.content = content
        access = .omitted
        super.init(_record: _record)
    }

    /// Creates a document whose data is included. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _included: The document.
    ///   - record: The properties that all samples have.
    public init(_included content: ClinicalDocument?, record: SampleRecord) {
        self.content = content
        access = .included
        super.init(_record: record)
    }

    /// Creates a document from its XML.
    ///
    /// - Parameters:
    ///   - documentData: The XML, in UTF-8, UTF-16, ISO 8859-1 or Windows-1252, up to 8 MB. It must
    ///     be well-formed without a document type, and its root must be `ClinicalDocument` of
    ///     `urn:hl7-org:v3`.
    ///   - startDate: The start; at most four days before the end.
    ///   - endDate: The end.
    ///   - metadata: Additional facts, or nil.
    /// - Throws: `errorInvalidArgument` for any other data, with the reason and its position under
    ///   `HKDetailedCDAValidationErrorKey`, and for invalid dates or metadata.
    ///   `errorDataSizeExceeded` for more than 8 MB.
    /// - Complexity: O(bytes).
    public convenience init(
        data documentData: Data, start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) throws {
        self.init(
            _included: try ClinicalDocument(validating: documentData),
            record: SampleRecord(
                HKDocumentType(.CDA), start: startDate, end: endDate, device: nil,
                metadata: metadata))
        try validate()
    }

    /// Decodes a document; nil if its UUID or type is missing. Data that was not included is not in
    /// the archive either.
    public required init?(coder: NSCoder) {
        let decoded = coder.property(ClinicalDocument.self, "document")
        content = decoded
        access = decoded?.data == nil ? .omitted : .included
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        guard var content else { return }
        if access == .omitted { (content.text, content.base64) = (nil, nil) }
        coder.encode(property: content, for: "document")
    }

    override var detail: SampleDetail? {
        guard let content, content.text != nil || content.base64 != nil else { return nil }
        return .document(content)
    }

    override var valueDescription: String { "\(document?.title ?? "") \(sampleType.identifier)" }

    /// The document, with its data if the app created it or an ``HKDocumentQuery`` included it; nil
    /// if another program stored the sample without one.
    open var document: HKCDADocument? {
        content.map { HKCDADocument(_content: $0, access: access) }
    }

    /// Returns the same sample with access to the document's data.
    func includingData() -> HKCDADocumentSample {
        HKCDADocumentSample(
            _included: content,
            record: SampleRecord(
                uuid: uuid, sampleType: sampleType, start: start, end: end,
                origin: SampleOrigin(sourceRevision: sourceRevision, device: device),
                metadata: sampleMetadata))
    }
}

/// The contents of a CDA document.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCDADocument: NSObject, @unchecked Sendable {
    private let content: ClinicalDocument
    private let access: HKCDADocumentSample.DataAccess

    init(_content content: ClinicalDocument, access: HKCDADocumentSample.DataAccess) {
        self.content = content
        self.access = access
    }

    /// The document as XML, byte by byte as saved; nil if the query didn't include it.
    open var documentData: Data? { access == .included ? content.data : nil }
    /// The title of the document; empty if it has none, like the other texts.
    open var title: String { content.title }
    /// The name of the patient.
    open var patientName: String { content.patientName }
    /// The name of the author.
    open var authorName: String { content.authorName }
    /// The name of the organization that keeps the document.
    open var custodianName: String { content.custodianName }
}

extension ClinicalDocument {
    /// The bytes of the document; nil if they are missing.
    fileprivate var data: Data? {
        text.map { Data($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) }
    }

    /// Validates a document and reads its header.
    ///
    /// - Throws: `errorInvalidArgument` with `HKDetailedCDAValidationErrorKey`;
    ///   `errorDataSizeExceeded`.
    fileprivate init(validating data: Data) throws(HKError) {
        guard data.count <= ClinicalDocument.maximumByteCount else {
            throw HKError(.errorDataSizeExceeded, "A document can have at most 8 MB.")
        }
        let header: ClinicalDocumentHeader
        do throws(XMLFault) {
            header = try ClinicalDocumentHeader(data)
        } catch {
            throw HKError(
                .errorInvalidArgument, "The data is not a valid CDA document.",
                userInfo: [HKDetailedCDAValidationErrorKey: error.description])
        }
        let text = String(validating: data, as: UTF8.self)
        self.init(
            title: header.title, patientName: header.patientName,
            authorName: header.authorName, custodianName: header.custodianName, text: text,
            base64: text == nil ? data.base64EncodedString() : nil)
    }
}
