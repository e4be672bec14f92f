/// The file of an export that holds the records, found by ``ExportLocator``: an entry of a zip,
/// a file in a folder, or a file by itself.
public struct ExportSource: Sendable {
    /// The path that was searched, as it was given.
    public let path: String
    /// Where in `path` the records are: an entry's or a file's relative path; the file's own name
    /// where `path` is the file.
    public let name: String
    /// The size of the xml.
    public let byteCount: Int64
    /// The size that the xml takes on the disk: the end of a progress bar that shows
    /// ``ByteStream/consumedByteCount``.
    public let storedByteCount: Int64
    /// The other files of the export, such as routes and electrocardiograms, in order of path.
    /// Empty where `path` is the file itself.
    public let companions: [Companion]
    private let place: Place

    /// Another file of the same export.
    public struct Companion: Hashable, Sendable {
        /// The path relative to the folder of the xml, without a leading `/`: what
        /// `FileReference` elements name, as in `workout-routes/route_2024-09-03_7.48pm.gpx`.
        /// Files outside that folder keep their path from the archive's or folder's root, after
        /// one `../` for each level.
        public let path: String
        public let byteCount: Int64
        let place: Place
    }

    enum Place: Hashable, Sendable {
        case file(String)
        case entry(ZipEntry, archive: String)
    }

    /// The bytes of the xml, from its first one.
    public func open() throws(ArchiveError) -> any ByteStream { try place.open() }

    /// The bytes of another file of the export.
    public func open(_ companion: Companion) throws(ArchiveError) -> any ByteStream {
        try companion.place.open()
    }

    /// The zip that the export is in; nil for a folder or a file.
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

    /// A file that might be the export.
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

    /// Opens it through a zip whose directory has been read.
    func open(in archive: ZipArchive?) throws(ArchiveError) -> any ByteStream {
        guard case .entry(let entry, _) = self, let archive else { return try open() }
        return try archive.open(entry, inputByteCount: 64 << 10)
    }

    /// The first bytes, for ``ExportLocator/Finding``.
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
