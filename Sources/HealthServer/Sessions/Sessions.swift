#if Server
    import HTTPTypes
    import NIOCore
    import Synchronization

    /// The sessions of browsers, and the tokens that open them.
    ///
    /// The printed token opens one session and is replaced at once by a new one. A token handed
    /// over to a browser also opens one session, until it is revoked. All are 256 random bits,
    /// compared in constant time.
    final class Sessions: Sendable {
        /// A browser that has used a token.
        struct Session: Sendable {
            /// The value of the cookie.
            var key = Secret()
            /// The form key (CSRF token).
            var formKey = Secret()
            /// The store's revision when the session's last page was composed.
            var revision: Int?
        }

        /// The maximum number of sessions. Above it the oldest one is closed.
        static let limit = 8

        /// A token for a browser that this program starts, and the function called on its use.
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

        /// The token for the next browser.
        var token: String { state.withLock { $0.token.text } }

        /// The kind of token that opened a session.
        enum Redeemed { case printed, handedOver }

        /// Opens a session for a token, which becomes invalid. Returns nil for an unknown token.
        func redeem(_ token: String) -> (session: Session, token: Redeemed)? {
            let (session, handover) = state.withLock { state -> (Session?, Handover?) in
                if state.token.matches(token) {
                    state.token = Secret()
                    return (state.open(), nil)
                }
                guard let index = state.handovers.firstIndex(where: { $0.token.matches(token) })
                else {
                    return (nil, nil)
                }
                let handover = state.handovers.remove(at: index)
                return (state.open(), handover)
            }
            handover?.redeemed()
            return session.map { ($0, handover == nil ? .printed : .handedOver) }
        }

        /// Creates a token in addition to the printed one.
        func handOver(_ redeemed: @escaping @Sendable () -> Void) -> Secret {
            let handover = Handover(redeemed: redeemed)
            state.withLock { $0.handovers.append(handover) }
            return handover.token
        }

        /// Revokes a token. Returns false if it was used already.
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

        /// Records the revision of the store that a browser was shown.
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

        /// Compares in constant time.
        func matches(_ candidate: String) -> Bool {
            let (own, other) = (Array(text.utf8), Array(candidate.utf8))
            guard own.count == other.count else { return false }
            return zip(own, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    extension HealthServer {
        /// The result of handing over a token.
        package enum HandoverEnd: Hashable, Sendable {
            /// A browser has used the token.
            case redeemed
            /// No browser used the token in time, and it was revoked.
            case expired
        }

        /// Returns an address for a browser that this program starts, with its own token.
        ///
        /// Never pass it as an argument, because all accounts of the computer can read arguments.
        /// Use the contents of ``page(leadingTo:)`` in a file instead.
        ///
        /// - Parameters:
        ///   - lifetime: How long the token is valid.
        ///   - ended: Called once, unless the server ends first.
        package func handover(
            lasting lifetime: Duration, _ ended: @escaping @Sendable (HandoverEnd) -> Void
        ) -> String {
            let token = sessions.handOver { ended(.redeemed) }
            Task { [sessions] in
                try await Task.sleep(for: lifetime)
                if sessions.revoke(token) { ended(.expired) }
            }
            return address(withToken: token.text)
        }

        /// Returns an HTML page that redirects to an address at once, without a script and without
        /// a referrer.
        package static func page(leadingTo address: String) -> String {
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0;url=\(address.escapedForMarkup)">
            <title>OpenHealthKit</title>
            </head>
            <body>
            <main>
            <p><a href="\(address.escapedForMarkup)">Go to the pages</a></p>
            </main>
            </body>
            </html>

            """
        }
    }
#endif
