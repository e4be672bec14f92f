package import Foundation
import HealthEngine
import HealthStorage

/// A signed notice that the store has changed. It contains no values, and no names of types or
/// people: who receives it reads the changes with a token of their own.
package struct HookNotice: Hashable, Sendable {
    /// The header with the time and the signature: "t=1700000000,v1=5257a8…".
    package static let signatureHeader = "OpenHealth-Signature"

    /// The body, as JSON.
    package let body: String
    /// The value of the signature's header.
    package let signature: String

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the state after the change.
    ///   - secret: The hook's key.
    ///   - date: The current time.
    package init(cursor: String, secret: String, at date: Date) {
        body =
            JSONText.object([
                "event": .string("change"), "cursor": .string(cursor),
                "sent": .string(date.formatted(.iso8601)),
            ]).text
        let seconds = String(Int64(clamping: date.timeIntervalSince1970))
        let digest = MessageAuthentication.hexadecimal(seconds + "." + body, key: secret)
        signature = "t=\(seconds),v1=\(digest)"
    }
}

/// HMAC-SHA256 (RFC 2104).
package enum MessageAuthentication {
    private static let blockLength = 64

    /// Returns the code of a message in lowercase hexadecimal digits.
    ///
    /// - Parameters:
    ///   - message: The message, as UTF-8.
    ///   - key: The key, as UTF-8.
    package static func hexadecimal(_ message: String, key: String) -> String {
        var key = Array(key.utf8)
        if key.count > blockLength { key = digest(key) }
        key += [UInt8](repeating: 0, count: blockLength - key.count)
        let inner = digest(key.map { $0 ^ 0x36 } + Array(message.utf8))
        return SHA256.hexadecimal(key.map { $0 ^ 0x5C } + inner)
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.bytes()
    }
}
