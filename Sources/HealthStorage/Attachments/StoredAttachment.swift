package import HealthEngine

/// A file that belongs to a sample: one that a program attached, or one of an export that the
/// sample names.
package struct StoredAttachment: Hashable, Sendable {
    /// The identifier, which is never reused.
    package var identifier: SampleUUID
    /// The name for people, as the program gave it, or the file's name in the export.
    package var name: String
    /// The identifier of the uniform type, such as "com.adobe.pdf"; nil for a file of an export,
    /// which has only the extension of its name.
    package var contentType: String?
    /// The number of bytes.
    package var size: Int64
    /// When it was attached, in reference seconds. Exports don't contain this, so for a file of one
    /// it is the start of the sample.
    package var created: Double
    /// The metadata; empty for a file of an export.
    package var metadata: Metadata
    /// The identifier by which a sample of an export names the file; nil for what a program
    /// attached.
    package var exportedIdentifier: String?

    package init(
        identifier: SampleUUID, name: String, contentType: String?, size: Int64, created: Double,
        metadata: Metadata = [:], exportedIdentifier: String? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.contentType = contentType
        self.size = size
        self.created = created
        self.metadata = metadata
        self.exportedIdentifier = exportedIdentifier
    }

    /// The number of bytes that are read or stored at once: 256 KiB.
    package static let chunkSize = 256 << 10

    /// The maximum length of a name and of a type's identifier, in bytes of UTF-8.
    package static let maximumNameLength = 1_024

    /// The maximum length of the metadata as JSON, in bytes.
    static let maximumMetadataLength = 1 << 20

    /// The number of chunks.
    package var chunkCount: Int64 {
        let chunk = Int64(StoredAttachment.chunkSize)
        return size / chunk + (size % chunk > 0 ? 1 : 0)
    }
}

extension StoredAttachment {
    /// Returns a name as the name of a file in any system: without folders, control characters and
    /// reserved characters, and of at most 120 characters.
    ///
    /// ```swift
    /// StoredAttachment.fileName("../left/right: 1.pdf")   // "right_ 1.pdf"
    /// ```
    /// - Parameter name: The name.
    /// - Returns: A name that is never empty, "." or "..".
    package static func fileName(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var safe = String.UnicodeScalarView()
        for scalar in last.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
                .privateUse:
                continue
            default: safe.append(reserved.contains(scalar) ? "_" : scalar)
            }
        }
        var text = Substring(String(safe))
        while let first = text.first, first == "." || first == " " { text.removeFirst() }
        while let last = text.last, last == "." || last == " " { text.removeLast() }
        if text.isEmpty { return "attachment" }
        return shortened(String(text))
    }

    private static let reserved: Set<Unicode.Scalar> = [
        "/", "\\", ":", "*", "?", "\"", "<", ">", "|",
    ]

    private static let maximumFileNameLength = 120

    /// Returns a name that is cut before its extension.
    private static func shortened(_ name: String) -> String {
        guard name.count > maximumFileNameLength else { return name }
        let dot = name.lastIndex(of: ".").map { name[$0...] } ?? ""
        let ending = dot.count <= 16 ? dot : ""
        return String(name.prefix(maximumFileNameLength - ending.count) + ending)
    }
}
