/// Why an export could not be read or written: what happened, in which file or entry, and where.
///
/// The description is one sentence for a person and holds no byte of the data:
///
///     export.zip/export.xml: the data do not match their checksum (byte 91823)
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public var code: Code
    /// The file, or the archive's entry, as its path was given.
    public var name: String
    /// The byte in `name` where it happened, where there is one.
    public var offset: Int64?

    public init(_ code: Code, in name: String, at offset: Int64? = nil) {
        self.code = code
        self.name = name
        self.offset = offset
    }

    /// The kinds of failure, by the layer that meets them.
    public enum Code: Hashable, Sendable {
        // Finding the export
        /// There is nothing at the path.
        case notFound
        /// The system refused; the reason is the system's own words.
        case unreadable(reason: String)
        /// Neither a file nor a folder: a socket, a pipe, a device.
        case notAFile
        /// The file has no bytes.
        case empty
        /// Nothing at the path begins like an export; the value says what was there instead.
        case notAnExport(ExportLocator.Finding)
        /// More than one file is an export; their paths.
        case severalExports([String])
        /// A folder with more files, folders or levels than an export could have; the folder where
        /// the search ended.
        case folderTooLarge(stoppedAt: String)

        // Zip
        /// The name or the first bytes say zip, the rest does not.
        case notAZip
        /// A zip whose directory, at the end of the file, is missing or cut off.
        case noDirectory
        /// A zip directory that contradicts itself or the file.
        case damagedDirectory
        /// A zip in several parts.
        case severalDisks
        /// More entries, or a longer directory, than an export could have.
        case directoryTooLarge
        /// An entry's path is absolute, climbs out with `..`, or holds a backslash or a NUL.
        case unsafeName
        /// Two entries of one name (canonically equivalent names are equal).
        case duplicateName
        /// Two entries, or an entry and the directory, claim the same bytes.
        case overlappingEntries
        /// The entry is encrypted.
        case encrypted
        /// A compression other than stored (0) and deflated (8).
        case unsupportedCompression(method: Int)
        /// The entry claims to inflate more than ``ZipArchive/largestRatio`` times.
        case compressionBomb
        /// The entry inflates to more or fewer bytes than the directory says.
        case sizeMismatch
        /// The entry's bytes do not match their CRC-32.
        case checksumMismatch
        /// The compressed bytes are no deflate stream.
        case damagedData
        /// The data end before they are complete.
        case truncatedData

        // XML
        /// An encoding other than UTF-8 and US-ASCII.
        case unsupportedEncoding(String)
        /// The document type declares what no export has: an entity, a notation, an external part.
        case refusedDeclaration(String)
        /// A tag, or a run of text, longer than ``ElementScanner/longestMarkup``.
        case markupTooLong
        /// A document type longer than ``ElementScanner/longestDocumentType``.
        case documentTypeTooLong
        /// A tag with more attributes than ``ElementScanner/mostAttributes``.
        case tooManyAttributes
        /// Elements nested deeper than ``ElementScanner/deepestNesting``.
        case nestedTooDeeply

        // Writing
        /// The system could not write; the reason is the system's own words.
        case unwritable(reason: String)
        /// The entry's name cannot stand in a zip: empty, over 65,535 bytes, unsafe, or used before.
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
            "holds \(paths.count) exports, name one of them: "
                + paths.prefix(10).joined(separator: ", ") + (paths.count > 10 ? ", …" : "")
        case .folderTooLarge(let place):
            "more files and folders than an export has, so the search ended at \(place): name the "
                + "export itself, or its folder"
        case .notAZip: "not a zip archive"
        case .noDirectory: "the zip is incomplete: its directory is missing or cut off"
        case .damagedDirectory: "the zip's directory is damaged"
        case .severalDisks: "the zip is one part of several; join them first"
        case .directoryTooLarge: "the zip has more entries than an export can have"
        case .unsafeName: "the entry's path leads out of the archive"
        case .duplicateName: "the zip holds two entries of this name"
        case .overlappingEntries: "the zip's entries overlap"
        case .encrypted: "the entry is encrypted"
        case .unsupportedCompression(let method): "unknown compression method \(method)"
        case .compressionBomb:
            "would inflate more than \(ZipArchive.largestRatio) times, which no export does"
        case .sizeMismatch: "the data are not as long as the zip's directory says"
        case .checksumMismatch: "the data do not match their checksum"
        case .damagedData: "the compressed data are damaged"
        case .truncatedData: "the data end too early"
        case .unsupportedEncoding(let encoding): "is encoded in \(encoding), exports are UTF-8"
        case .refusedDeclaration(let keyword):
            "declares \(keyword), which no export does and which is refused"
        case .markupTooLong: "a tag or a text is longer than an export can have"
        case .documentTypeTooLong: "the document type is longer than an export can have"
        case .tooManyAttributes: "a tag has more attributes than an export can have"
        case .nestedTooDeeply: "the elements are nested deeper than an export can have"
        case .unwritable(let reason): "could not be written: \(reason)"
        case .unusableName: "this name cannot be used for an entry"
        }
    }
}
