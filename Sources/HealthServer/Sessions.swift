import Synchronization

/// Who may look: one token for the next browser, and the browsers that had one.
///
/// The printed token opens one session and is spent; a fresh one takes its place at once. A token that
/// is handed over to a browser opens one session too, until it is revoked. All are 256 random bits,
/// compared in a time that doesn't depend on where they differ.
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

    /// A token for a browser that was started, and what is called when it is used.
    private struct Handover {
        var token = Secret()
        var redeemed: @Sendable () -> Void
    }

    private struct State {
        var token = Secret()
        var handovers: [Handover] = []
        var sessions: [Session] = []

        mutating func open() -> Session {
            let session = Session()
            sessions.append(session)
            if sessions.count > Sessions.limit { sessions.removeFirst() }
            return session
        }
    }

    private let state = Mutex(State())

    /// What the next browser has to bring.
    var token: String { state.withLock { $0.token.text } }

    /// Which token opened a session.
    enum Redeemed { case printed, handedOver }

    /// Opens a session for a token, which is spent; nil if it is none.
    func redeem(_ token: String) -> (session: Session, token: Redeemed)? {
        let (session, handover) = state.withLock { state -> (Session?, Handover?) in
            if state.token.matches(token) {
                state.token = Secret()
                return (state.open(), nil)
            }
            guard let index = state.handovers.firstIndex(where: { $0.token.matches(token) }) else {
                return (nil, nil)
            }
            let handover = state.handovers.remove(at: index)
            return (state.open(), handover)
        }
        handover?.redeemed()
        return session.map { ($0, handover == nil ? .printed : .handedOver) }
    }

    /// A token beside the printed one.
    func handOver(_ redeemed: @escaping @Sendable () -> Void) -> Secret {
        let handover = Handover(redeemed: redeemed)
        state.withLock { $0.handovers.append(handover) }
        return handover.token
    }

    /// Makes a token that was handed over worthless; false if it was spent already.
    func revoke(_ token: Secret) -> Bool {
        state.withLock { state in
            let index = state.handovers.firstIndex { $0.token.matches(token.text) }
            if let index { state.handovers.remove(at: index) }
            return index != nil
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
