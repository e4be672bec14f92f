import HealthEngine
import HealthStorage

/// A `ClinicalRecord` element of an export (ExportFormat §4.4). Its resource is in a file.
struct ClinicalRecordElement: Sendable {
    static let name = "ClinicalRecord"

    /// The FHIR resource type, such as "Observation", or the identifier of a clinical type.
    var type: String
    /// The identifier of the resource within its source; empty if it is missing.
    var identifier: String
    var sourceName: String
    var sourceURL: String?
    var fhirVersion: String
    /// When the resource was received, in seconds since 2001-01-01T00:00:00Z; nil without a date.
    var received: Double?
    /// The path of the file as written; nil if it is missing.
    var file: String?
    /// The element as text.
    var xml: String
    /// The position of the element in the file, in bytes.
    var offset: Int64

    static let attributes: Set = [
        "type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate",
        "resourceFilePath",
    ]

    /// Reads the attributes. The text is set separately.
    init(_ tag: ElementScanner.Tag) {
        func text(_ name: StaticString) -> String? {
            tag.string(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        type = text("type") ?? ""
        identifier = text("identifier") ?? ""
        sourceName = text("sourceName") ?? OriginTable.unknownSource
        sourceURL = text("sourceURL")
        fhirVersion = text("fhirVersion") ?? ""
        received = tag.date("receivedDate")
        file = text("resourceFilePath")
        xml = ""
        offset = tag.offset
    }

    /// Whether the element has no contents.
    var isEmpty: Bool {
        xml.utf8.count { $0 == UInt8(ascii: "<") } == (xml.hasSuffix("/>") ? 1 : 2)
            && (xml.hasSuffix("/>") || xml.hasSuffix("></\(ClinicalRecordElement.name)>"))
    }
}

extension ExportReader {
    /// Reads a clinical record. One with contents, which Apple doesn't write, and one beyond the
    /// limits is kept as text. Returns false if the file ends inside it.
    func clinicalRecord(_ tag: Tag) throws -> Bool {
        guard tag.raw.count <= ExportLimits.maximumTagLength,
            clinicalRecords.count < ExportLimits.maximumClinicalRecords,
            clinicalRecordBytes + tag.raw.count <= ExportLimits.maximumClinicalRecordBytes
        else { return try keepRaw(tag, .untyped) }
        try noteUnknownAttributes(of: tag)
        var element = ClinicalRecordElement(tag)
        guard let xml = try rawSubtree(tag) else { return false }
        element.xml = xml
        if element.isEmpty {
            clinicalRecordBytes += xml.utf8.count
            clinicalRecords.append(element)
        } else {
            tally.untyped[ClinicalRecordElement.name, default: 0] += 1
            try keep(
                xml, element: ClinicalRecordElement.name, reason: .untyped, at: element.offset)
        }
        return true
    }
}
