import Foundation
import HealthStorage

/// A regular file that is read once, from its start to its end.
final class AttachmentFile: Sendable {
    /// What tells two states of a file apart.
    private struct State: Equatable {
        var size: Int64
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            size = Int64(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
        }
    }

    private let descriptor: Int32
    private let first: State

    /// Opens a file.
    ///
    /// - Throws: `errorInvalidArgument` if the URL isn't one of a file, or the file can't be read
    ///   or is a folder, a pipe or a device.
    init(_ url: URL) throws(HKError) {
        guard url.isFileURL else {
            throw HKError(.errorInvalidArgument, "The URL of an attachment is not one of a file.")
        }
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        descriptor = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
        }
        let errorNumber = errno
        var status = stat()
        let isOpen = descriptor >= 0 && fstat(descriptor, &status) == 0
        first = State(status)
        guard isOpen else {
            throw AttachmentFile.unreadable(FileFault(errorNumber: errorNumber))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HKError(.errorInvalidArgument, "An attachment must be a regular file.")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the next bytes: as many as fit, or all up to the end of the file.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    /// - Throws: `errorInvalidArgument` if the file can't be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HKError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = Foundation.read(
                descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw AttachmentFile.unreadable(FileFault(errorNumber: errno))
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Checks that the file is still as it was when it was opened.
    ///
    /// - Parameter count: The number of bytes that were read.
    /// - Throws: `errorInvalidArgument` if it was written meanwhile, or is longer or shorter.
    func requireUnchanged(after count: Int64) throws(HKError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, State(status) == first, count == first.size else {
            throw HKError(.errorInvalidArgument, "The file changed while it was attached.")
        }
    }

    private static func unreadable(_ fault: FileFault) -> HKError {
        HKError(.errorInvalidArgument, "The file to attach can't be read: \(fault).")
    }
}
