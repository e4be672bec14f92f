import Foundation
import HealthArchive

#if Encryption
    import Crypto
    import CryptoExtras
#endif

/// A file that is encrypted with a passphrase.
///
/// The key is derived with scrypt (RFC 7914). The file is divided into chunks of 64 KiB, each sealed
/// with AES-256-GCM. The nonce of a chunk is its number and whether it is the last one, so that
/// chunks can't be changed, reordered, repeated or cut off unnoticed.
///
/// | bytes | |
/// |---|---|
/// | 8 | `OHSEALED` |
/// | 1 | version, 1 |
/// | 1, 1, 1 | scrypt: log₂ N, r, p |
/// | 16 | salt |
/// | … | chunks, each followed by its tag of 16 bytes |
enum SealedFile {
    private static let mark = Array("OHSEALED".utf8)
    private static let headerLength = 28
    private static let chunk = 64 << 10
    private static let tag = 16

    /// Returns whether a file is an encrypted one.
    static func isSealed(_ path: String) -> Bool {
        let head = try? FileHandle(forReadingAtPath: path)?.read(upToCount: mark.count)
        return head.map { Array($0) } == mark
    }

    #if Encryption
        /// N = 2¹⁷, r = 8, p = 1: about 128 MB and half a second for each guess.
        private static let parameters: [UInt8] = [17, 8, 1]

        /// Encrypts a file.
        ///
        /// - Throws: ``BackupError`` if a file can't be read or written.
        static func seal(_ source: String, to target: String, _ passphrase: Passphrase) throws {
            var generator = SystemRandomNumberGenerator()
            let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let header = mark + [1] + parameters + salt
            let key = try key(passphrase, header)
            guard let input = FileHandle(forReadingAtPath: source) else {
                throw BackupError.unusableFile(source, reason: "it can't be read")
            }
            unlink(target)
            let output = try PrivateFile(target)
            try output.write(header)
            var number: UInt64 = 0
            var next = try read(input, chunk, source)
            repeat {
                let current = next
                next = current.count < chunk ? [] : try read(input, chunk, source)
                let place = Place(number: number, isLast: next.isEmpty)
                let box = try AES.GCM.seal(
                    current, using: key, nonce: place.nonce, authenticating: header)
                try output.write(Array(box.ciphertext) + Array(box.tag))
                number += 1
            } while !next.isEmpty
            try output.close()
        }

        /// Decrypts a file into a new one.
        ///
        /// - Throws: ``CommandError`` for a wrong passphrase or a changed file, ``BackupError`` if
        ///   a file can't be read or written.
        static func open(
            _ source: String, to target: String, _ passphrase: Passphrase, named name: String
        ) throws {
            guard let input = FileHandle(forReadingAtPath: source) else {
                throw BackupError.unusableFile(name, reason: "it can't be read")
            }
            let header = try read(input, headerLength, name)
            guard header.count == headerLength, Array(header[..<mark.count]) == mark else {
                throw BackupError.notABackup(name)
            }
            guard header[8] == 1 else { throw BackupError.newer(name, version: Int(header[8])) }
            let key = try key(passphrase, header)
            let output = try PrivateFile(target)
            var number: UInt64 = 0
            var next = try read(input, chunk + tag, name)
            repeat {
                let current = next
                next = current.count < chunk + tag ? [] : try read(input, chunk + tag, name)
                let place = Place(number: number, isLast: next.isEmpty)
                guard current.count >= tag,
                    let box = try? AES.GCM.SealedBox(
                        nonce: place.nonce, ciphertext: current.dropLast(tag),
                        tag: current.suffix(tag)),
                    let plain = try? AES.GCM.open(box, using: key, authenticating: header)
                else {
                    throw CommandError(
                        number == 0
                            ? "The passphrase is wrong, or \(name.printable) was changed."
                            : "\(name.printable) was changed or cut off: part \(number + 1) isn't "
                                + "what was written. Nothing was restored.")
                }
                try output.write(Array(plain))
                number += 1
            } while !next.isEmpty
            try output.close()
        }

        /// The place of a chunk in the file.
        private struct Place {
            let number: UInt64
            let isLast: Bool

            var nonce: AES.GCM.Nonce {
                get throws {
                    let digits = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
                    return try AES.GCM.Nonce(data: digits + [0, 0, 0, isLast ? 1 : 0])
                }
            }
        }

        private static func key(_ passphrase: Passphrase, _ header: [UInt8]) throws -> SymmetricKey
        {
            let (log, size, lanes) = (Int(header[9]), Int(header[10]), Int(header[11]))
            // A file can't make the command use more than a gigabyte or minutes.
            guard (10...20).contains(log), (1...8).contains(size), (1...4).contains(lanes) else {
                throw CommandError("The encryption's parameters are out of range.")
            }
            return try KDF.Scrypt.deriveKey(
                from: passphrase.bytes, salt: Array(header.suffix(16)), outputByteCount: 32,
                rounds: 1 << log, blockSize: size, parallelism: lanes, maxMemory: 2 << 30)
        }

        /// Reads up to a number of bytes; fewer only at the end of the file.
        private static func read(
            _ file: FileHandle, _ count: Int, _ name: String
        ) throws -> [UInt8] {
            do {
                return Array(try file.read(upToCount: count) ?? Data())
            } catch {
                throw BackupError.unusableFile(name, reason: "it can't be read")
            }
        }
    #else
        static func seal(_ source: String, to target: String, _ passphrase: Passphrase) throws {
            throw CommandError(missing)
        }

        static func open(
            _ source: String, to target: String, _ passphrase: Passphrase, named name: String
        ) throws {
            throw CommandError(missing)
        }

        private static let missing =
            "This openhealth was built without encryption (the trait Encryption)."
    #endif
}
