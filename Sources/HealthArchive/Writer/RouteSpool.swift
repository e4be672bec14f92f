import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A temporary file that buffers the files of routes and clinical records, since the zip takes them only after `export.xml`. It
/// has no name in the file system, so nothing is left behind.
final class RouteSpool {
    private struct Entry {
        var name: String
        var offset: Int
        var count: Int
    }

    private static let maximumAttempts = 1000

    private let path: String
    private let descriptor: Int32
    private var entries: [Entry] = []
    private var end = 0

    /// Creates the file beside `path` under an unused name and unlinks it at once. No existing file
    /// is touched.
    ///
    /// - Throws: ``ArchiveError`` with `unwritable`.
    init(beside path: String) throws(ArchiveError) {
        var attempt = 0
        var (name, descriptor) = ("", Int32(-1))
        repeat {
            name = "\(path).routes-\(getpid())-\(attempt)"
            descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            attempt += 1
        } while descriptor < 0 && errno == EEXIST && attempt < RouteSpool.maximumAttempts
        self.path = name
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw systemError() }
        unlink(name)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func append(_ name: String, _ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        entries.append(Entry(name: name, offset: end, count: bytes.count))
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(end + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw systemError()
            }
            done += count
        }
        end += bytes.count
    }

    /// Calls `body` with the name and bytes of each file, in the order added. One file is in memory
    /// at a time.
    func forEach(
        _ body: (String, UnsafeRawBufferPointer) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        for entry in entries {
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: entry.count, alignment: 1)
            defer { buffer.deallocate() }
            var done = 0
            while done < entry.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = pread(
                    descriptor, rest.baseAddress, rest.count, off_t(entry.offset + done))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw systemError() }
                done += count
            }
            try body(entry.name, UnsafeRawBufferPointer(buffer))
        }
    }

    private func systemError() -> ArchiveError {
        ArchiveError(.unwritable(reason: FileFault(errorNumber: errno)), in: path)
    }
}
