/// The file with the records of an export, found by ``ExportLocator``: a zip entry, a file in a
/// folder, or a single file.
public struct ExportSource: Sendable {
    /// The searched path, as given.
    public let path: String
    /// The relative path of the records within `path`, or the file's own name if `path` is the
    /// file.
    public let name: String
    /// The size of the XML in bytes.
    public let byteCount: Int64
    /// The size of the XML on disk in bytes: the total for a progress bar that shows
    /// ``ByteStream/consumedByteCount``.
    public let storedByteCount: Int64
    /// The other files of the export, such as routes and electrocardiograms, sorted by path. Empty
    /// if `path` is the file itself.
    public let companions: [Companion]
    private let place: Place

    /// Another file of the same export.
    public struct Companion: Hashable, Sendable {
        /// The path relative to the folder of the XML, without a leading `/`, like the path in a
        /// `FileReference` element: `workout-routes/route_2024-09-03_7.48pm.gpx`.
        /// For files outside that folder, the path begins with `../` for each level up.
        public let path: String
        /// The size of the file in bytes.
        public let byteCount: Int64
        let place: Place
    }

    enum Place: Hashable, Sendable {
        case file(String)
        case entry(ZipEntry, archive: String)
    }

    /// Opens the XML from its first byte.
    ///
    /// - Returns: The bytes of the XML.
    /// - Throws: ``ArchiveError`` if the file can't be opened.
    public func open() throws(ArchiveError) -> any ByteStream { try place.open() }

    /// Opens another file of the export.
    ///
    /// - Parameter companion: One of ``companions``.
    /// - Returns: The bytes of the file.
    /// - Throws: ``ArchiveError`` if the file can't be opened.
    public func open(_ companion: Companion) throws(ArchiveError) -> any ByteStream {
        try companion.place.open()
    }

    /// Returns the zip that contains the export; nil for a folder or a file.
    func archive() throws(ArchiveError) -> ZipArchive? {
        guard case .entry(_, let archive) = place else { return nil }
        return try ZipArchive(path: archive)
    }

    init(path: String, found: Candidate, among all: [Candidate]) {
        self.path = path
        name = found.path
        byteCount = found.byteCount
        storedByteCount = found.storedByteCount
        place = found.place
        let folder = found.path.split(separator: "/").dropLast()
        companions =
            all.filter { $0.place != found.place }
            .map {
                Companion(
                    path: ExportSource.relative($0.path, to: folder), byteCount: $0.byteCount,
                    place: $0.place)
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
        var place: Place
    }
}

extension ExportSource.Place {
    func open() throws(ArchiveError) -> any ByteStream {
        switch self {
        case .file(let path): StoredStream(file: try RandomAccessFile(path: path))
        case .entry(let entry, let archive): try ZipArchive(path: archive).open(entry)
        }
    }

    /// Opens the file through a zip whose directory is already read.
    func open(in archive: ZipArchive?) throws(ArchiveError) -> any ByteStream {
        guard case .entry(let entry, _) = self, let archive else { return try open() }
        return try archive.open(entry, inputByteCount: 64 << 10)
    }

    /// Returns the first bytes, for ``ExportLocator/Finding``.
    func head(in archive: ZipArchive?) throws(ArchiveError) -> [UInt8] {
        let stream: any ByteStream
        if case .entry(let entry, _) = self, let archive {
            stream = try archive.open(entry, inputByteCount: 8 << 10)
        } else {
            stream = try open()
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: ExportLocator.headByteCount, alignment: 1)
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
