import Foundation
package import HealthStorage

/// A token of a server of many people, without its secret.
package struct PersonToken: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// A device that sends data of one person.
        case device
        /// A program or a browser that reads the data of one person.
        case reading
        /// An operator, who manages people and reads no health data.
        case `operator`
    }

    /// The public identifier.
    package var identifier: String
    /// Whose it is; empty for an operator's.
    package var person: String
    package var kind: Kind
    /// The name of the device or the program.
    package var name: String
    /// What may be read.
    package var scope: ReadScope
    /// In reference seconds.
    package var createdAt: Double
    package var revokedAt: Double?
}

/// The person of a valid token, with the end of the person's log when it was checked.
package struct TokenBearer: Hashable, Sendable {
    package var token: PersonToken
    /// nil for an operator.
    package var head: LogHead?
}

/// What a database knows of a token.
enum TokenAnswer: Sendable {
    case bearer(TokenBearer)
    /// The token isn't valid, wherever its person is.
    case refused
    /// The database doesn't have the token, or its person.
    case unknown
    /// The person is disabled or being moved.
    case suspended
    /// The person is at another place. Only the home database knows.
    case elsewhere(String)
}

/// The key of a browser's session: the public identifier of the token that opened it, by which its
/// person is found, and a secret. Keys of earlier versions have only the secret.
struct SessionKey: Sendable {
    let text: String
    /// The identifier of the token; nil in a key of an earlier version.
    let token: String?

    init(_ token: PersonToken, secret: String) {
        self.token = token.identifier
        text = token.identifier + "." + secret
    }

    /// Reads the text of a cookie; nil for a text that can't be a key.
    init?(_ text: String) {
        guard (32...128).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
        self.text = text
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        token = parts.count == 2 ? String(parts[0]) : nil
    }
}

/// What may be read, as JSON for a row.
struct StoredScope: Codable {
    var types: [String]?
    var earliest: Double?
    var aggregatedOnly: Bool

    static func text(_ scope: ReadScope) -> String? {
        if scope == ReadScope() { return nil }
        let stored = StoredScope(
            types: scope.types?.sorted(), earliest: scope.earliest,
            aggregatedOnly: scope.isAggregatedOnly)
        // A scope always encodes: its date is finite.
        return (try? JSONEncoder().encode(stored)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func scope(_ text: String?) throws(PeopleError) -> ReadScope {
        guard let text else { return ReadScope() }
        guard let stored = try? JSONDecoder().decode(StoredScope.self, from: Data(text.utf8))
        else { throw .damagedLog }
        return ReadScope(
            types: stored.types.map(Set.init), earliest: stored.earliest,
            isAggregatedOnly: stored.aggregatedOnly)
    }
}
