import Crypto
import Foundation

/// The key of a server's operator. It wraps the keys of all persons and is never stored with them.
package struct OperatorKey: Sendable {
    let key: SymmetricKey
    /// Identifies the key without revealing it: the first 16 digits of a SHA-256.
    package let identifier: String

    /// Creates a random key.
    package init() { self.init(SymmetricKey(size: .bits256)) }

    private init(_ key: SymmetricKey) {
        self.key = key
        var hash = Crypto.SHA256()
        hash.update(data: Data("OpenHealthKit operator key".utf8))
        key.withUnsafeBytes { hash.update(bufferPointer: $0) }
        identifier = hash.finalize().prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Reads a key of 64 hexadecimal digits.
    ///
    /// - Throws: ``PeopleError/invalidOperatorKey``.
    package init(_ text: String) throws(PeopleError) {
        let digits = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        guard digits.count == 64 else { throw .invalidOperatorKey }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard
                let byte = UInt8(
                    String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
            else { throw .invalidOperatorKey }
            bytes.append(byte)
        }
        self.init(SymmetricKey(data: bytes))
    }

    /// The key as 64 hexadecimal digits and a line feed, for a file.
    package var text: String {
        key.withUnsafeBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n"
        }
    }

    /// Reads the key in a file, or creates the file with a random key, readable only by its owner.
    ///
    /// - Throws: ``PeopleError/invalidOperatorKey``; ``PeopleError/keyFileFailed(_:)``.
    package static func inFile(_ path: String, _ missing: Missing) throws(PeopleError)
        -> OperatorKey
    {
        if let data = FileManager.default.contents(atPath: path) {
            return try OperatorKey(String(decoding: data.prefix(1_000), as: UTF8.self))
        }
        guard missing == .created else { throw .keyFileFailed(path) }
        let key = OperatorKey()
        // Linked when it is complete: another process can read it at any time.
        let temporary = "\(path).\(key.identifier)"
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .keyFileFailed(path) }
        defer { unlink(temporary) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(key.text.utf8))
            try file.synchronize()
        } catch { throw .keyFileFailed(path) }
        guard link(temporary, path) == 0 else {
            // Another process can have created it meanwhile.
            if errno == EEXIST { return try inFile(path, .refused) }
            throw .keyFileFailed(path)
        }
        return key
    }

    /// What to do if there is no file.
    package enum Missing: Sendable { case created, refused }
}
