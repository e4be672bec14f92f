/// A zip archive, read through its directory.
///
///     let archive = try ZipArchive(path: "export.zip")
///     for entry in archive.entries { print(entry.path, entry.byteCount) }
///
/// Reads what iPhones, Macs, Windows and cloud disks make of an export: ZIP64, sizes in data
/// descriptors, UTF-8 names without the UTF-8 flag, bytes before the archive, a comment after it.
/// Everything comes from the directory, nothing from a guess at the data.
///
/// Opening reads the directory only and checks all of it: a path that climbs out, two entries of
/// one name, and overlapping entries refuse the whole archive. The resource forks and
/// `.DS_Store` files that a Mac adds are left out of ``entries``.
public struct ZipArchive: Sendable {
    /// The archive's path, as it was given.
    public let path: String
    /// The files of the archive, without folders, in the order of the directory.
    public let entries: [ZipEntry]
    let file: RandomAccessFile

    /// The highest inflation a large entry may claim. Real exports inflate 10 to 20 times
    /// (ExportFormat §1), deflate itself reaches 1,032.
    public static let largestRatio: Int64 = 200
    /// Entries up to this size may inflate by any ratio: they cannot do harm.
    public static let harmlessByteCount: Int64 = 64 << 20
    /// More entries than this are refused. A ten-year export has some thousands.
    public static let mostEntries = 200_000

    /// Opens the archive at `path` and reads its directory.
    ///
    /// - Complexity: O(entries · log entries).
    public init(path: String) throws(ArchiveError) {
        try self.init(file: RandomAccessFile(path: path))
    }

    init(file: RandomAccessFile) throws(ArchiveError) {
        let directory = try ZipDirectory(file: file)
        self.file = file
        path = file.path
        entries = try directory.entries()
    }

    /// The data of `entry`, as a stream that is checked against size and CRC-32.
    ///
    /// Throws `encrypted`, `unsupportedCompression`, `compressionBomb`, `damagedDirectory` where
    /// the entry's own header is not where the directory says, and `overlappingEntries`.
    public func open(_ entry: ZipEntry) throws(ArchiveError) -> any ByteStream {
        try open(entry, inputByteCount: 256 << 10)
    }

    func open(_ entry: ZipEntry, inputByteCount: Int) throws(ArchiveError) -> any ByteStream {
        let name = "\(path)/\(entry.path)"
        if entry.isEncrypted { throw ArchiveError(.encrypted, in: name) }
        let range = try dataRange(of: entry, name: name)
        switch entry.method {
        case 0:
            guard entry.byteCount == entry.compressedByteCount else {
                throw ArchiveError(.sizeMismatch, in: name)
            }
            return StoredStream(file: file, range: range, name: name, checksum: entry.checksum)
        case 8:
            if entry.byteCount > ZipArchive.harmlessByteCount,
                entry.byteCount / ZipArchive.largestRatio >= entry.compressedByteCount
            {
                throw ArchiveError(.compressionBomb, in: name)
            }
            return try InflateStream(
                file: file, range: range, name: name, byteCount: entry.byteCount,
                checksum: entry.checksum, inputByteCount: inputByteCount)
        case let method:
            throw ArchiveError(.unsupportedCompression(method: method), in: name)
        }
    }

    /// Where the entry's data lie: after its local header, whose name and extra field may be of
    /// other lengths than the directory's.
    private func dataRange(
        of entry: ZipEntry, name: String
    ) throws(ArchiveError) -> Range<Int64> {
        guard let header = try file.bytes(at: entry.headerOffset, count: 30),
            header.littleEndian32(at: 0) == 0x0403_4b50
        else { throw ArchiveError(.damagedDirectory, in: name, at: entry.headerOffset) }
        let lengths = Int64(header.littleEndian16(at: 26)) + Int64(header.littleEndian16(at: 28))
        let start = entry.headerOffset + 30 + lengths
        // The sizes are below the file's own size: checked when the directory was read.
        let end = start + entry.compressedByteCount
        guard end <= entry.limit else {
            throw ArchiveError(.overlappingEntries, in: name, at: entry.headerOffset)
        }
        return start..<end
    }
}

extension [UInt8] {
    func littleEndian16(at index: Int) -> UInt16 {
        UInt16(self[index]) | UInt16(self[index + 1]) << 8
    }

    func littleEndian32(at index: Int) -> UInt32 {
        UInt32(littleEndian16(at: index)) | UInt32(littleEndian16(at: index + 2)) << 16
    }

    func littleEndian64(at index: Int) -> UInt64 {
        UInt64(littleEndian32(at: index)) | UInt64(littleEndian32(at: index + 4)) << 32
    }
}
