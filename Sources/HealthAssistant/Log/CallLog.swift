import Foundation
import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The log of calls: a file with a line of JSON for each, which only its owner can read. When it is
/// full it is renamed, and the one that was renamed before is replaced.
///
/// Several servers may write to one log.
package struct CallLog: Sendable {
    /// The size at which the file is renamed.
    package static let maximumBytes = 1 << 20

    /// Why a line wasn't written.
    package struct Failure: Error {
        /// The number in `errno`.
        package var errorNumber: Int32
    }

    package let path: String
    private let maximumBytes: Int

    /// The path of the file with earlier calls.
    package var earlierPath: String { path + ".1" }

    package init(at path: String, maximumBytes: Int = CallLog.maximumBytes) {
        self.path = path
        self.maximumBytes = maximumBytes
    }

    /// Creates the file if it doesn't exist, to find out whether it can be written.
    ///
    /// - Throws: ``Failure``.
    package func prepare() throws(Failure) {
        try withFile { _ throws(Failure) in }
    }

    /// Adds a call.
    ///
    /// - Throws: ``Failure``.
    package func add(_ record: CallRecord) throws(Failure) {
        let line = Array((record.json.text + "\n").utf8)
        try withFile { file throws(Failure) in
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    throw Failure(errorNumber: errno)
                }
            }
        }
    }

    /// Calls `body` with the locked file, which has room for a line.
    private func withFile(_ body: (Int32) throws(Failure) -> Void) throws(Failure) {
        // Another server may rename the file between opening and locking it. Then there is a new
        // one.
        for _ in 0..<8 {
            let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw Failure(errorNumber: errno) }
            defer { close(file) }
            guard flock(file, LOCK_EX) == 0 else { throw Failure(errorNumber: errno) }
            var opened = stat()
            var current = stat()
            guard fstat(file, &opened) == 0, stat(path, &current) == 0,
                opened.st_ino == current.st_ino
            else { continue }
            if opened.st_size < maximumBytes { return try body(file) }
            guard rename(path, earlierPath) == 0 else { throw Failure(errorNumber: errno) }
        }
        throw Failure(errorNumber: EAGAIN)
    }

    /// Reads the calls, oldest first. Lines that aren't calls are left out.
    ///
    /// - Throws: An error of Foundation if a file exists and can't be read.
    package func records() throws -> [CallRecord] {
        try [earlierPath, path].flatMap { path -> [CallRecord] in
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            // A file that something else has made larger isn't read beyond twice the limit.
            let data = try file.read(upToCount: maximumBytes * 2) ?? Data()
            return data.split(separator: UInt8(ascii: "\n")).compactMap { CallRecord(line: $0) }
        }
    }
}
