/// A stream of bytes that is read once, in order, for example of a plain file or a zip entry.
///
/// After an error the stream must not be read again.
package protocol ByteStream: AnyObject {
    /// Reads the next bytes into `buffer`.
    ///
    /// May return fewer bytes than fit. A zip entry is compared with the size and CRC-32 in the
    /// zip's directory before 0 is returned.
    ///
    /// - Parameter buffer: Receives the bytes.
    /// - Returns: The number of bytes read; 0 only at the end, or if `buffer` is empty.
    /// - Throws: ``ArchiveError`` if the file can't be read, or if a zip entry is truncated,
    ///   damaged, or differs from its size or checksum.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int

    /// The number of bytes on disk that have been used: of the plain file, or of the entry's data
    /// as stored in the zip. A progress bar compares it with ``ExportSource/storedByteCount``.
    var consumedByteCount: Int64 { get }
}

/// The bytes of a plain file, or of a zip entry that is stored without compression.
package final class StoredStream: ByteStream {
    private let file: RandomAccessFile
    private let name: String
    private let start: Int64
    private let end: Int64
    private var position: Int64
    private var checksum: Checksum?

    /// Creates a stream over a plain file, up to the size that the file had when it was opened.
    init(file: RandomAccessFile) {
        self.file = file
        name = file.path
        start = 0
        end = file.byteCount
        position = 0
    }

    init(file: RandomAccessFile, range: Range<Int64>, name: String, checksum: UInt32) {
        self.file = file
        self.name = name
        start = range.lowerBound
        end = range.upperBound
        position = range.lowerBound
        self.checksum = Checksum(expected: checksum)
    }

    /// The number of bytes returned so far.
    package var consumedByteCount: Int64 { position - start }

    /// Reads the next bytes into `buffer`.
    ///
    /// - Parameter buffer: Receives the bytes.
    /// - Returns: The number of bytes read; 0 only at the end, after the checksum of an entry was
    ///   verified, or if `buffer` is empty.
    /// - Throws: ``ArchiveError``: `unreadable`, `truncatedData` or `checksumMismatch`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let wanted = Int(min(Int64(buffer.count), end - position))
        guard wanted > 0 else {
            if buffer.count > 0, let checksum, !checksum.isValid {
                throw ArchiveError(.checksumMismatch, in: name, at: position - start)
            }
            return 0
        }
        let count = try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: position)
        if count == 0, checksum != nil {
            throw ArchiveError(.truncatedData, in: name, at: position - start)
        }
        checksum?.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        position += Int64(count)
        return count
    }
}
