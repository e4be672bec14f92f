/// The file with the records of an export, found by ``ExportLocator``: a zip entry, a file in a
/// folder, or a single file.
package struct ExportSource: Sendable {
    /// The path of the zip, folder or file with the export, as given; for a zip in a searched
    /// folder, the path of that zip.
    package let path: String
    /// The path of the XML within ``path``, or the file's own name if ``path`` is the XML.
    package let name: String
    /// The size of the XML in bytes.
    package let byteCount: Int64
    /// The size of the XML on disk in bytes, compressed if it is in a zip: the total for a progress
    /// bar that shows ``ByteStream/consumedByteCount``.
    package let storedByteCount: Int64
    /// The other files of the zip or folder, such as routes and electrocardiograms, sorted by path.
    /// Empty if ``path`` is the XML itself.
    package let companions: [Companion]
    private let location: Location

    /// Another file in the zip or folder of the export.
    package struct Companion: Hashable, Sendable {
        /// The path relative to the folder of the XML, without a leading `/`:
        /// `workout-routes/route_2024-09-03_7.48pm.gpx`. A `FileReference` element has the same
        /// path with a leading `/`. For files outside that folder, the path begins with `../` for
        /// each level up.
        package let path: String
        /// The size of this companion file in bytes, uncompressed if it is in a zip.
        package let byteCount: Int64
        let location: Location
    }

    /// Where a file is: at a path, or in the zip at a path.
    enum Location: Hashable, Sendable {
        case file(String)
        case entry(ZipEntry, archive: String)
    }

    /// Opens the XML from its first byte.
    ///
    /// - Returns: A stream of the bytes of the XML.
    /// - Throws: ``ArchiveError`` if the file can't be opened.
    package func open() throws(ArchiveError) -> any ByteStream { try location.open() }

    /// Opens another file of the export.
    ///
    /// - Parameter companion: One of ``companions``.
    /// - Returns: A stream of the bytes of the file.
    /// - Throws: ``ArchiveError`` if the file can't be opened.
    package func open(_ companion: Companion) throws(ArchiveError) -> any ByteStream {
        try companion.location.open()
    }

    /// Returns the zip that contains the export, whose directory is read again; nil for a folder or
    /// a file.
    func archive() throws(ArchiveError) -> ZipArchive? {
        guard case .entry(_, let archive) = location else { return nil }
        return try ZipArchive(path: archive)
    }

    init(path: String, found: Candidate, among all: [Candidate]) {
        self.path = path
        name = found.path
        byteCount = found.byteCount
        storedByteCount = found.storedByteCount
        location = found.location
        let folder = found.path.split(separator: "/").dropLast()
        companions =
            all.filter { $0.location != found.location }
            .map {
                Companion(
                    path: ExportSource.relative($0.path, to: folder), byteCount: $0.byteCount,
                    location: $0.location)
            }
            .sorted { $0.path < $1.path }
    }

    private static func relative(_ path: String, to folder: ArraySlice<Substring>) -> String {
        let parts = path.split(separator: "/")
        let shared = zip(parts, folder).prefix { $0 == $1 }.count
        let climb = Array(repeating: "..", count: folder.count - shared)
        return (climb + parts.dropFirst(shared).map(String.init)).joined(separator: "/")
    }

    /// A file that may be the export.
    struct Candidate {
        var path: String
        var byteCount: Int64
        var storedByteCount: Int64
        var location: Location
    }
}

extension ExportSource.Location {
    func open() throws(ArchiveError) -> any ByteStream {
        switch self {
        case .file(let path): StoredStream(file: try RandomAccessFile(path: path))
        case .entry(let entry, let archive): try ZipArchive(path: archive).open(entry)
        }
    }

    /// Opens the file. An entry is opened through `archive`, its zip whose directory is already
    /// read, unless that is nil.
    func open(in archive: ZipArchive?) throws(ArchiveError) -> any ByteStream {
        guard case .entry(let entry, _) = self, let archive else { return try open() }
        return try archive.open(entry, inputByteCount: 64 << 10)
    }

    /// Returns what the first bytes of the file say about it: at most
    /// ``ExportLocator/headByteCount``, and fewer if these suffice, because an export has a thousand
    /// files.
    func finding(in archive: ZipArchive?) throws(ArchiveError) -> ArchiveError.Finding {
        let short = try head(ExportLocator.shortHeadByteCount, in: archive)
        if short.count < ExportLocator.shortHeadByteCount {
            return ArchiveError.Finding(head: short)
        }
        // The name of the root may be cut at the end.
        let whole = short.lastIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? 0
        let finding = ArchiveError.Finding(head: Array(short[..<whole]))
        guard case .other = finding else { return finding }
        return ArchiveError.Finding(head: try head(in: archive))
    }

    /// Returns up to ``ExportLocator/headByteCount`` first bytes of the file.
    func head(in archive: ZipArchive?) throws(ArchiveError) -> [UInt8] {
        try head(ExportLocator.headByteCount, in: archive)
    }

    private func head(_ byteCount: Int, in archive: ZipArchive?) throws(ArchiveError) -> [UInt8] {
        let stream: any ByteStream
        if case .entry(let entry, _) = self, let archive {
            stream = try archive.open(entry, inputByteCount: min(byteCount, 8 << 10))
        } else {
            stream = try open()
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
        defer { buffer.deallocate() }
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try stream.read(into: rest)
            if count == 0 { break }
            filled += count
        }
        return Array(buffer[..<filled])
    }
}
