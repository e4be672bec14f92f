import Foundation
import HealthEngine

/// A credential as it is shown to a person once: a public identifier, "_", and 256 random bits in
/// hexadecimal digits.
///
/// The identifier finds the row without comparing secrets. Only the SHA-256 of the secret is
/// stored: it has 256 random bits, so it can't be guessed from its digest.
package struct AccessToken: Hashable, Sendable {
    /// What a token is for. The kind is the first letter of its identifier.
    package enum Kind: String, Sendable {
        /// A device that sends data.
        case device = "d"
        /// A program that reads.
        case reading = "r"
        /// An address that is notified of changes.
        case hook = "h"
        /// An operator of a server of many people.
        case operating = "o"
    }

    /// The public identifier, such as "d0c5f1a2b3c4d5e6f".
    package let identifier: String
    private let secret: String

    /// The maximum length of a text that can be a token.
    package static let maximumLength = 100

    /// Creates a random token.
    package init(_ kind: Kind) {
        identifier = kind.rawValue + AccessToken.digits(1)
        secret = AccessToken.digits(4)
    }

    /// Splits the text of a token; nil for a text that can't be one.
    package init?(_ text: String) {
        guard text.utf8.count <= AccessToken.maximumLength else { return nil }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        identifier = String(parts[0])
        secret = String(parts[1])
    }

    /// The text that a program sends.
    package var text: String { identifier + "_" + secret }

    /// The part that isn't public. Only a hook's is stored.
    var secretText: String { secret }

    /// The SHA-256 of the secret.
    package var digest: [UInt8] {
        var digest = SHA256()
        digest.update(Array(secret.utf8))
        return digest.bytes()
    }

    /// Returns whether the secret has a stored digest. The time doesn't depend on the digest.
    package func matches(_ stored: some Collection<UInt8>) -> Bool {
        let own = digest
        guard own.count == stored.count else { return false }
        return zip(own, stored).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns random bits in hexadecimal digits.
    private static func digits(_ words: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<words).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// Why a device or a token can't be added, found or removed.
package enum AccessError: Error, Hashable, Sendable {
    /// The name is empty, too long, or contains control characters.
    case invalidName
    /// Another device has the name, apart from case.
    case nameTaken(String)
    /// No device has the name.
    case unknownDevice(String)
    /// No token has the identifier.
    case unknownToken(String)

    /// The maximum length of a name in UTF-8 bytes.
    package static let maximumNameLength = 100

    /// Returns a name without surrounding white space.
    ///
    /// - Throws: ``invalidName``.
    package static func checked(_ name: String) throws(AccessError) -> String {
        let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
        let isPrintable = trimmed.unicodeScalars.allSatisfy { scalar in
            // Persian names and joined emoji contain joiners.
            if scalar.value == 0x200C || scalar.value == 0x200D { return true }
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
        guard !trimmed.isEmpty, isPrintable, trimmed.utf8.count <= maximumNameLength else {
            throw .invalidName
        }
        return trimmed
    }
}

extension AccessError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidName:
            "The name is empty, contains control characters, or has more than "
                + "\(AccessError.maximumNameLength) bytes."
        case .nameTaken(let name): "There is already a device named “\(name)”."
        case .unknownDevice(let name): "There is no device named “\(name)”."
        case .unknownToken(let identifier): "There is no token “\(identifier)”."
        }
    }
}
