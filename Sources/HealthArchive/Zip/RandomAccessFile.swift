#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A regular file open for reading at any offset.
///
/// Uses `pread`, not a memory mapping: mapped pages count as memory of the process, and access to a
/// mapped page after the file was truncated kills the process.
final class RandomAccessFile: @unchecked Sendable {
    let path: String
    /// The file's size in bytes when it was opened.
    let byteCount: Int64
    private let descriptor: Int32

    init(path: String) throws(ArchiveError) {
        var status = stat()
        // Check for a socket first: opening one fails with an unspecific error.
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
            throw ArchiveError(.notAFile, in: path)
        }
        // Non-blocking, so that a FIFO without a writer is rejected instead of blocking.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw RandomAccessFile.error(errno, in: path) }
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw RandomAccessFile.error(code, in: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ArchiveError(.notAFile, in: path)
        }
        self.path = path
        self.descriptor = descriptor
        byteCount = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads up to `buffer.count` bytes at `offset`. Returns their number, which is 0 at the end of
    /// the file.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(ArchiveError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw RandomAccessFile.error(errno, in: path) }
        }
    }

    /// Returns exactly `count` bytes at `offset`, or nil if the file doesn't contain this range.
    func bytes(at offset: Int64, count: Int) throws(ArchiveError) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= byteCount - Int64(count) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        var filled = 0
        while filled < count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let read = try read(into: rest, at: offset + Int64(filled))
            guard read > 0 else { return nil }
            filled += read
        }
        return Array(buffer)
    }

    static func error(_ code: Int32, in path: String) -> ArchiveError {
        if code == ENOENT || code == ENOTDIR { return ArchiveError(.notFound, in: path) }
        // Linux reports this error when a socket is opened.
        if code == ENXIO { return ArchiveError(.notAFile, in: path) }
        return ArchiveError(.unreadable(reason: String(cString: strerror(code))), in: path)
    }
}
