/// Bytes read in order, once: a plain file, a stored entry of a zip, or a deflated one.
public protocol ByteStream: AnyObject {
    /// Reads the next bytes into `buffer` and returns how many, 0 only at the end.
    ///
    /// May return fewer bytes than fit. An entry of a zip is checked against its size and CRC-32
    /// before 0 is returned.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int

    /// How many bytes of the file on disk have been used so far: what a progress bar shows
    /// against ``ExportSource/storedByteCount``.
    var consumedByteCount: Int64 { get }
}

/// The bytes of a plain file, or of a stored entry within one.
public final class StoredStream: ByteStream {
    private let file: RandomAccessFile
    private let name: String
    private let start: Int64
    private let end: Int64
    private var position: Int64
    private var checksum: Checksum?

    /// The whole of a plain file, up to the size it had when it was opened.
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

    /// How many bytes of the file on disk have been used so far.
    public var consumedByteCount: Int64 { position - start }

    /// Reads the next bytes and returns how many; 0 only at the end, after the checksum has fitted.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let wanted = Int(min(Int64(buffer.count), end - position))
        guard wanted > 0 else {
            if buffer.count > 0, let checksum, !checksum.isRight {
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
