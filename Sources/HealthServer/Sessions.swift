import Synchronization

/// Who may look: one token for the next browser, and the browsers that had one.
///
/// A token opens one session and is spent; a fresh one takes its place at once. All are 256 random
/// bits, compared in a time that doesn't depend on where they differ.
final class Sessions: Sendable {
    /// A browser that came with a token.
    struct Session: Sendable {
        /// The cookie's value.
        var key = Secret()
        /// What its forms send back.
        var formKey = Secret()
        /// What the store was when its last page was made.
        var revision: Int?
    }

    /// Browsers at a time; the one that came first goes.
    static let limit = 8

    private struct State {
        var token = Secret()
        var sessions: [Session] = []
    }

    private let state = Mutex(State())

    /// What the next browser has to bring.
    var token: String { state.withLock { $0.token.text } }

    /// Opens a session for a token and makes a fresh one; nil if it is not the one.
    func redeem(_ token: String) -> Session? {
        state.withLock { state in
            guard state.token.matches(token) else { return nil }
            state.token = Secret()
            let session = Session()
            state.sessions.append(session)
            if state.sessions.count > Sessions.limit { state.sessions.removeFirst() }
            return session
        }
    }

    func session(_ key: String) -> Session? {
        state.withLock { state in state.sessions.first { $0.key.matches(key) } }
    }

    /// Notes which revision of the store a browser has been shown.
    func note(_ revision: Int, shownTo session: Session) {
        state.withLock { state in
            for index in state.sessions.indices
            where state.sessions[index].key.text == session.key.text {
                state.sessions[index].revision = revision
            }
        }
    }
}

/// 256 random bits in hexadecimal digits.
struct Secret: Sendable {
    let text: String

    init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Looks at every byte, wherever the first difference is.
    func matches(_ candidate: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(candidate.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
