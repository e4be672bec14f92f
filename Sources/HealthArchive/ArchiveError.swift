public import HealthStorage

/// An error while reading or writing an export: what happened, in which file or entry, and where.
///
/// The description is one sentence and contains no byte of the data:
///
///     export.zip/export.xml: the data do not match their checksum (byte 91823)
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public var code: Code
    /// The file or archive entry, by its path as given.
    public var name: String
    /// The byte offset in `name`, if known.
    public var offset: Int64?

    public init(_ code: Code, in name: String, at offset: Int64? = nil) {
        self.code = code
        self.name = name
        self.offset = offset
    }

    /// The kinds of errors, by layer.
    public enum Code: Hashable, Sendable {
        // Finding the export
        /// Nothing exists at the path.
        case notFound
        /// The system could not read it; the reason is the system's message.
        case unreadable(reason: String)
        /// Neither a file nor a folder: a socket, a pipe, a device.
        case notAFile
        /// The file is empty.
        case empty
        /// Nothing at the path begins like an export; the value describes the contents found.
        case notAnExport(ExportLocator.Finding)
        /// Several files are exports; the value is their paths.
        case severalExports([String])
        /// A folder with more files, folders or levels than an export can have; the value is the
        /// folder where the search stopped.
        case folderTooLarge(stoppedAt: String)

        // Zip
        /// Name or first bytes indicate a zip, but the file isn't one.
        case notAZip
        /// The directory at the end of the zip is missing or truncated.
        case noDirectory
        /// The zip's directory contradicts itself or the file.
        case damagedDirectory
        /// A multi-part zip.
        case severalDisks
        /// More entries, or a longer directory, than an export can have.
        case directoryTooLarge
        /// An entry's path is absolute, contains `..`, a backslash, a NUL or a drive letter.
        case unsafeName
        /// Two entries have the same name (canonically equivalent names are equal).
        case duplicateName
        /// Two entries, or an entry and the directory, overlap.
        case overlappingEntries
        /// The entry is encrypted.
        case encrypted
        /// A compression method other than stored (0) or deflated (8).
        case unsupportedCompression(method: Int)
        /// The entry claims a compression ratio above ``ZipArchive/largestRatio``.
        case compressionBomb
        /// The entry's size differs from the one in the directory.
        case sizeMismatch
        /// The entry's bytes don't match their CRC-32.
        case checksumMismatch
        /// The compressed bytes are not a valid deflate stream.
        case damagedData
        /// The data ends too early.
        case truncatedData

        // XML
        /// An encoding other than UTF-8 and US-ASCII.
        case unsupportedEncoding(String)
        /// The document type declares an entity, a notation or an external subset, which no export
        /// has.
        case refusedDeclaration(String)
        /// A tag or text is longer than ``ElementScanner/longestMarkup``.
        case markupTooLong
        /// The document type is longer than ``ElementScanner/longestDocumentType``.
        case documentTypeTooLong
        /// A tag has more attributes than ``ElementScanner/mostAttributes``.
        case tooManyAttributes
        /// Elements are nested deeper than ``ElementScanner/deepestNesting``.
        case nestedTooDeeply

        // Writing
        /// The file could not be written.
        case unwritable(reason: FileFault)
        /// The entry's name is invalid in a zip: empty, over 65,535 bytes, unsafe, or a duplicate.
        case unusableName
    }

    public var description: String {
        let place = offset.map { " (byte \($0))" } ?? ""
        return "\(name): \(code.sentence)\(place)"
    }
}

extension ArchiveError.Code {
    fileprivate var sentence: String {
        switch self {
        case .notFound: "there is no such file or folder"
        case .unreadable(let reason): "could not be read: \(reason)"
        case .notAFile: "is neither a file nor a folder"
        case .empty: "the file is empty"
        case .notAnExport(let finding): "not an Apple Health export: \(finding.sentence)"
        case .severalExports(let paths):
            "contains \(paths.count) exports; name one of them: "
                + paths.prefix(10).joined(separator: ", ") + (paths.count > 10 ? ", …" : "")
        case .folderTooLarge(let place):
            "too many files and folders for an export; the search ended at \(place): name the "
                + "export itself or its folder"
        case .notAZip: "not a zip archive"
        case .noDirectory: "the zip is incomplete: its directory is missing or truncated"
        case .damagedDirectory: "the zip's directory is damaged"
        case .severalDisks: "the zip is split into several files; join them first"
        case .directoryTooLarge: "the zip has too many entries for an export"
        case .unsafeName: "the entry's path points outside the archive"
        case .duplicateName: "the zip contains two entries with this name"
        case .overlappingEntries: "the zip's entries overlap"
        case .encrypted: "the entry is encrypted"
        case .unsupportedCompression(let method): "unknown compression method \(method)"
        case .compressionBomb:
            "the entry expands to more than \(ZipArchive.largestRatio) times its size"
        case .sizeMismatch: "the length of the data differs from the zip's directory"
        case .checksumMismatch: "the data do not match their checksum"
        case .damagedData: "the compressed data are damaged"
        case .truncatedData: "the data are truncated"
        case .unsupportedEncoding(let encoding): "the encoding is \(encoding) instead of UTF-8"
        case .refusedDeclaration(let keyword):
            "declares \(keyword), which is not allowed in an export"
        case .markupTooLong: "a tag or a text is too long for an export"
        case .documentTypeTooLong: "the document type is too long for an export"
        case .tooManyAttributes: "a tag has too many attributes for an export"
        case .nestedTooDeeply: "the elements are nested too deeply for an export"
        case .unwritable(let reason): "could not be written: \(reason)"
        case .unusableName: "the name can't be used for a zip entry"
        }
    }
}
