import Crypto
import Foundation

/// Compresses and seals bytes, and opens them again.
///
/// The form is a version byte, then AES-GCM's nonce, ciphertext and tag. What was sealed is a
/// length of eight bytes and a zlib stream.
enum SealedBytes {
    private static let version: UInt8 = 1

    /// Returns bytes, compressed and sealed.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - key: The key.
    ///   - binding: Facts about the place of the bytes. They aren't stored, and opening the bytes
    ///     at another place fails.
    /// - Throws: ``PeopleError`` if there isn't enough memory.
    static func seal(
        _ bytes: some ContiguousBytes, with key: SymmetricKey, bindingTo binding: [UInt8]
    ) throws(PeopleError) -> [UInt8] {
        let compressed = try Deflate.compressed(bytes)
        guard let box = try? AES.GCM.seal(compressed, using: key, authenticating: binding),
            let combined = box.combined
        else { throw PeopleError.sealingFailed }
        return [version] + combined
    }

    /// Returns the bytes that were sealed.
    ///
    /// - Throws: ``PeopleError/damagedLog`` if the key, the place or the bytes are wrong.
    static func open(
        _ sealed: [UInt8], with key: SymmetricKey, boundTo binding: [UInt8]
    ) throws(PeopleError) -> [UInt8] {
        guard sealed.first == version,
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
            let compressed = try? AES.GCM.open(box, using: key, authenticating: binding)
        else { throw PeopleError.damagedLog }
        return try Deflate.inflated([UInt8](compressed))
    }
}

/// Facts about the place of sealed bytes as one text of bytes. Each text has its length before it,
/// so that two places are equal only if all facts are.
struct SealBinding {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ data: [UInt8]) {
        add(Int64(data.count))
        bytes += data
    }
}
