import Foundation
import HealthArchive
import HealthEngine
import HealthIntake
import HealthStorage
import Synchronization

/// The body of a request in a temporary file beside the store.
///
/// The file has no name, so nothing is left behind if the process is killed. It is beside the
/// store because a system's folder for temporary files can be in memory, and can be read by more
/// backups and accounts.
///
/// Unchecked, because its state changes without a lock: a request's task awaits each call before it
/// makes the next, and the body passes to the storing thread only after `finish()`.
final class SpooledBody: @unchecked Sendable {
    /// Limits on a body.
    struct Limits: Hashable, Sendable {
        /// The maximum bytes as sent.
        var encodedBytes = 256 << 20
        /// The maximum bytes after decoding.
        var decodedBytes = 1 << 30
        /// The maximum decoded bytes for each byte sent, for bodies of more than ``freeBytes``.
        var ratio = 200
        /// The decoded bytes up to which the ratio doesn't matter.
        var freeBytes = 1 << 20
    }

    /// How the bytes are encoded (`Content-Encoding`).
    enum Coding { case identity, gzip }

    private static let maximumAttempts = 1000

    private let descriptor: Int32
    private let limits: Limits
    private let decoder: GzipDecoder?
    private var digest = SHA256()
    private var encodedBytes = 0
    /// The number of decoded bytes.
    private(set) var byteCount = 0

    /// Creates an empty file.
    ///
    /// - Parameters:
    ///   - store: The path of the store.
    ///   - coding: The encoding of the bytes that are added.
    ///   - limits: The limits on them.
    /// - Throws: ``StoreError`` if the file can't be created; ``GzipDecoder/Fault``.
    init(beside store: String, _ coding: Coding, _ limits: Limits) throws {
        decoder = coding == .gzip ? try GzipDecoder() : nil
        self.limits = limits
        var attempt = 0
        var (name, opened) = ("", Int32(-1))
        repeat {
            var generator = SystemRandomNumberGenerator()
            name = "\(store).body-\(String(generator.next() as UInt64, radix: 16))"
            opened = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            attempt += 1
        } while opened < 0 && errno == EEXIST && attempt < SpooledBody.maximumAttempts
        descriptor = opened
        guard opened >= 0 else { throw SpooledBody.failure(.create, name) }
        unlink(name)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Adds the next bytes as they were sent.
    ///
    /// - Throws: ``IntakeRefusal`` if the body exceeds a limit or is damaged gzip; ``StoreError``
    ///   if the file can't be written.
    func append(_ bytes: [UInt8]) throws {
        encodedBytes += bytes.count
        guard encodedBytes <= limits.encodedBytes else { throw IntakeRefusal.tooLarge }
        guard let decoder else { return try write(bytes[...]) }
        do {
            try bytes.withUnsafeBytes { try decoder.decode($0, write) }
        } catch is GzipDecoder.Fault { throw IntakeRefusal.damagedGzip }
    }

    /// Ends the body, and returns its SHA-256.
    ///
    /// - Throws: ``IntakeRefusal`` if it is truncated gzip.
    func finish() throws -> [UInt8] {
        do { try decoder?.finish() } catch { throw IntakeRefusal.truncatedGzip }
        return digest.bytes()
    }

    /// The decoded bytes, for a dialect to read.
    var content: IntakeBody {
        IntakeBody(byteCount: byteCount) { [self] offset, count in
            try read(offset, count)
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws {
        byteCount += bytes.count
        let isBomb = byteCount > limits.freeBytes && byteCount / limits.ratio > encodedBytes
        guard byteCount <= limits.decodedBytes, !isBomb else { throw IntakeRefusal.tooLarge }
        digest.update(bytes)
        try bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw SpooledBody.failure(.write, "body")
                }
                done += count
            }
        }
    }

    private func read(_ offset: Int, _ count: Int) throws -> [UInt8] {
        var failure: (any Error)?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = buffer.baseAddress.map { $0 + filled }
                let done = pread(descriptor, rest, count - filled, off_t(offset + filled))
                if done < 0, errno == EINTR { continue }
                guard done > 0 else {
                    failure = SpooledBody.failure(.readOrWrite, "body")
                    return
                }
                filled += done
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private static func failure(
        _ operation: StoreError.FileOperation, _ path: String
    ) -> StoreError {
        StoreError(.fileFailed(operation, at: path, FileFault(errorNumber: errno)))
    }
}
