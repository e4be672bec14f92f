/// A zip archive, read through its central directory.
///
/// ```swift
/// let archive = try ZipArchive(path: "\(folder)/export.zip")
/// for entry in archive.entries { print(entry.path, entry.byteCount) }
/// ```
/// Supports what iPhones, Macs, Windows and cloud storage produce: ZIP64, sizes in data
/// descriptors, UTF-8 names without the UTF-8 flag, bytes before the archive and a comment after
/// it. Sizes and offsets come from the directory; from an entry's local header only the lengths of
/// the name and the extra field are used.
///
/// Opening reads and validates the directory only. An unsafe path, a duplicate name or overlapping
/// entries make the whole archive invalid. ``entries`` lacks the resource forks and `.DS_Store`
/// files that macOS adds.
package struct ZipArchive: Sendable {
    /// The archive's path, as given.
    package let path: String
    /// The files in the archive in directory order, without folders and without files that macOS
    /// adds.
    package let entries: [ZipEntry]
    let file: RandomAccessFile

    /// The ratio of inflated to compressed size that an entry larger than ``ratioCheckThreshold``
    /// must stay below. Real exports have 10 to 20 (ExportFormat §1); deflate itself reaches 1,032.
    package static let maximumRatio: Int64 = 200
    /// The inflated size in bytes up to which (inclusive) an entry may have any ratio.
    package static let ratioCheckThreshold: Int64 = 64 << 20
    /// The maximum number of entries, including folders. An export of ten years has a few thousand.
    package static let maximumEntries = 200_000

    /// Opens an archive and reads its central directory.
    ///
    /// - Parameter path: The path of the zip file.
    /// - Throws: ``ArchiveError`` if the file can't be read, has no directory (`noDirectory`), or
    ///   has an invalid one (`damagedDirectory`, `directoryTooLarge`, `severalDisks`, `unsafeName`,
    ///   `duplicateName`, `overlappingEntries`).
    /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
    package init(path: String) throws(ArchiveError) {
        try self.init(file: RandomAccessFile(path: path))
    }

    init(file: RandomAccessFile) throws(ArchiveError) {
        let directory = try ZipDirectory(file: file)
        self.file = file
        path = file.path
        entries = try directory.entries()
    }

    /// Opens an entry for reading.
    ///
    /// - Parameter entry: An entry of this archive.
    /// - Returns: A stream that verifies the entry's size and CRC-32 at its end.
    /// - Throws: ``ArchiveError``: `encrypted`, `unsupportedCompression`, `compressionBomb`,
    ///   `sizeMismatch`, `overlappingEntries`, `unreadable`, or `damagedDirectory` if the local
    ///   header is not at the offset in the directory.
    package func open(_ entry: ZipEntry) throws(ArchiveError) -> any ByteStream {
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
            if entry.byteCount > ZipArchive.ratioCheckThreshold,
                entry.byteCount / ZipArchive.maximumRatio >= entry.compressedByteCount
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

    /// Returns the byte range of an entry's data in the file. The data follows the local header,
    /// whose name and extra field can have other lengths than those in the directory.
    private func dataRange(
        of entry: ZipEntry, name: String
    ) throws(ArchiveError) -> Range<Int64> {
        guard let header = try file.bytes(at: entry.headerOffset, count: 30),
            header.littleEndian32(at: 0) == 0x0403_4b50
        else { throw ArchiveError(.damagedDirectory, in: name, at: entry.headerOffset) }
        let lengths = Int64(header.littleEndian16(at: 26)) + Int64(header.littleEndian16(at: 28))
        let start = entry.headerOffset + 30 + lengths
        // The compressed size is at most the directory's offset, so this can't overflow.
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
