#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A regular file open for reading at any place.
///
/// It is read with `pread`, never mapped: mapped pages count as memory of the process, and a file
/// that shrinks under a mapping kills it.
final class RandomAccessFile: @unchecked Sendable {
    let path: String
    /// The file's size when it was opened.
    let byteCount: Int64
    private let descriptor: Int32

    init(path: String) throws(ArchiveError) {
        var status = stat()
        // By its kind before it is opened, which a socket refuses with an error that tells nobody so.
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
            throw ArchiveError(.notAFile, in: path)
        }
        // Not blocking, so that a pipe without a writer is refused instead of waited for.
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

    /// Reads up to `buffer.count` bytes from `offset` on; 0 at the end of the file.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(ArchiveError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw RandomAccessFile.error(errno, in: path) }
        }
    }

    /// Exactly `count` bytes from `offset` on, or nil where the file ends before.
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
        // What Linux says of opening a socket.
        if code == ENXIO { return ArchiveError(.notAFile, in: path) }
        return ArchiveError(.unreadable(reason: String(cString: strerror(code))), in: path)
    }
}
