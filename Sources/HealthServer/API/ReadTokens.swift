import Foundation
package import HealthStorage
import Synchronization

/// Checks read tokens against the directory file beside a store, while other processes may add and
/// remove some.
package final class ReadTokens: Sendable {
    /// The minimum time between two records of a token's use, in seconds. Recording each use would
    /// add a write to every request.
    private static let useInterval = 60.0

    private struct State {
        /// The open directory; nil until there is one.
        var directory: AccessDirectory?
        /// When the use of each token was last recorded, by identifier, in reference seconds.
        var uses: [String: Double] = [:]
    }

    private let store: String
    private let queue = BlockingWork("tokens", .serial)
    private let state = Mutex(State())

    /// - Parameter store: The path of the store.
    package init(besideStore store: String) { self.store = store }

    /// Returns the valid token with a text, and records its use.
    ///
    /// - Parameter text: The text that a client sent.
    /// - Returns: The token; nil if it is unknown or removed, or for a device's token.
    /// - Throws: `StoreError` if the directory can't be read.
    package func token(_ text: String) async throws -> ReadToken? {
        try await queue.run { [self] in
            guard let directory = try directory(),
                let token = try directory.readToken(forText: text)
            else { return nil }
            let now = Date.now.timeIntervalSinceReferenceDate
            let isDue = state.withLock { state in
                let last = state.uses[token.identifier] ?? -.infinity
                guard now - last >= ReadTokens.useInterval || now < last else { return false }
                state.uses[token.identifier] = now
                return true
            }
            // The time is information for people, so a busy file doesn't fail the request.
            if isDue { try? directory.noteUse(ofToken: token.identifier, at: now) }
            return token
        }
    }

    private func directory() throws -> AccessDirectory? {
        if let open = state.withLock({ $0.directory }) { return open }
        let opened = try AccessDirectory.openIfPresent(besideStore: store)
        state.withLock { $0.directory = opened }
        return opened
    }
}
