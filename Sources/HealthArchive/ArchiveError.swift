public import HealthStorage

/// An error while reading or writing an export: what happened, in which file or entry, and where.
///
/// The description is one sentence. Of the file's contents it quotes only the names of entries and
/// of an unsupported encoding:
///
/// ```
/// export.zip/export.xml: the data do not match their checksum (byte 91823)
/// ```
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public var code: Code
    /// The path of the file. For an entry of a zip it is the path of the zip, `/` and the path of
    /// the entry; for the XML or a route file, it can be the path within the export.
    public var name: String
    /// The byte offset of the error, if known: in the zip if the zip's structure is at fault,
    /// otherwise in the (uncompressed) data.
    public var offset: Int64?

    package init(_ code: Code, in name: String, at offset: Int64? = nil) {
        self.code = code
        self.name = name
        self.offset = offset
    }

    /// The kind of a file according to its first bytes.
    public enum Finding: Hashable, Sendable {
        case export
        /// `export_cda.xml`: a copy of parts of the export in another format.
        case clinicalDocument
        /// XML with another root element.
        case otherXML
        /// `HealthData` in UTF-16, as saved by an editor.
        case utf16
        case zip
        /// Anything else.
        case other
        /// A zip or folder that contains neither an export nor a clinical document.
        case nothingFound
    }

    /// The kinds of errors, by layer.
    public enum Code: Hashable, Sendable {
        // Finding the export
        /// Nothing exists at the path.
        case notFound
        /// The file could not be read. The reason is the system's message, or says that zlib
        /// failed.
        case unreadable(reason: String)
        /// Not a regular file but a socket, a pipe or a device; or a folder where a zip is
        /// expected.
        case notAFile
        /// The file is empty.
        case empty
        /// Nothing at the path begins like an export; the value describes the contents found.
        case notAnExport(Finding)
        /// Several files of a zip or folder are exports. The value is their paths within it.
        case severalExports([String])
        /// A folder with more files, folders or levels than an export can have; the value is the
        /// folder where the search stopped.
        case folderTooLarge(stoppedAt: String)

        // Zip
        /// The file's name ends with `.zip`, but the file is neither a zip nor an export.
        case notAZip
        /// There is no valid directory at the end of the zip, for example because the zip is
        /// truncated.
        case noDirectory
        /// The zip's directory contradicts itself or the file.
        case damagedDirectory
        /// A multi-part zip.
        case severalDisks
        /// More entries, or a longer directory, than an export can have.
        case directoryTooLarge
        /// An entry's path is empty or absolute, has a `..` component, contains a backslash or a
        /// NUL, or has a colon as its second byte, as after a drive letter.
        case unsafeName
        /// Two entries have the same name (canonically equivalent names are equal).
        case duplicateName
        /// Two entries, or an entry and the directory, overlap.
        case overlappingEntries
        /// The entry is encrypted.
        case encrypted
        /// A compression method other than stored (0) or deflated (8).
        case unsupportedCompression(method: Int)
        /// A deflated entry larger than 64 MiB claims a compression ratio of 200 or more.
        case compressionBomb
        /// The entry's data is longer or shorter than the directory says, or the directory has two
        /// different sizes for a stored entry.
        case sizeMismatch
        /// The entry's bytes don't match their CRC-32.
        case checksumMismatch
        /// The compressed bytes are not a valid deflate stream.
        case damagedData
        /// The data ends too early.
        case truncatedData

        // XML
        /// An encoding other than UTF-8 and US-ASCII. The value is its name.
        case unsupportedEncoding(String)
        /// The document type contains an external subset or a declaration other than of elements
        /// and attributes, such as an entity, which no export has. The value says what was found.
        case refusedDeclaration(String)
        /// A tag or text is longer than 16 MiB.
        case markupTooLong
        /// The document type is longer than 1 MiB.
        case documentTypeTooLong
        /// A tag has more than 4,096 attributes.
        case tooManyAttributes
        /// Elements are nested more than 1,024 deep, or the names of the open elements exceed
        /// 64 KiB together.
        case nestedTooDeeply

        // Writing
        /// The file could not be written.
        case unwritable(reason: FileFault)
        /// The entry's name is invalid in a zip: empty, over 65,535 bytes, unsafe, or a duplicate.
        /// Also thrown for data that is written before the first entry.
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
            "the entry expands to more than \(ZipArchive.maximumRatio) times its size"
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
