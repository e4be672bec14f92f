#if Server
    import HTTPTypes
    import NIOCore
    import Synchronization

    /// The sessions of browsers, and the tokens that open them.
    ///
    /// The server always has one printed token. It opens one session and is replaced at once by a
    /// new one. A token for a browser that this program starts also opens one session, unless it is
    /// revoked before. All tokens and keys are 256 random bits, and those in requests are compared
    /// in constant time.
    final class Sessions: Sendable {
        /// A browser that has used a token.
        struct Session: Sendable {
            /// The value of the cookie.
            var key = Secret()
            /// The form key (CSRF token).
            var formKey = Secret()
        }

        /// The maximum number of sessions. A further session ends the one that was opened first.
        static let limit = 8
        /// The maximum number of sessions whose revisions are kept. It is larger than ``limit``,
        /// because sessions can also be stored elsewhere.
        static let revisionLimit = 64

        /// A token for a browser that this program starts, and the function called on its use.
        private struct Handover {
            var token = Secret()
            var redeemed: @Sendable () -> Void
        }

        private struct State {
            var token = Secret()
            var handovers: [Handover] = []
            var sessions: [Session] = []
            /// The store's revision at each session's last request for a page or with a form, by
            /// the session's key, the latest request last.
            var revisions: [(key: String, revision: Int)] = []

            mutating func open() -> Session {
                let session = Session()
                sessions.append(session)
                if sessions.count > Sessions.limit { sessions.removeFirst() }
                return session
            }
        }

        private let state = Mutex(State())

        /// The printed token, for the next browser.
        var token: String { state.withLock { $0.token.text } }

        /// The kind of token that opened a session.
        enum TokenKind { case printed, handedOver }

        /// Opens a session for a token, which becomes invalid.
        ///
        /// - Returns: The session and the kind of token; nil for an unknown token.
        func redeem(_ token: String) -> (session: Session, token: TokenKind)? {
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

        /// Creates a token for one browser, in addition to the printed one.
        ///
        /// - Parameter redeemed: Called when the token is used.
        func handOver(_ redeemed: @escaping @Sendable () -> Void) -> Secret {
            let handover = Handover(redeemed: redeemed)
            state.withLock { $0.handovers.append(handover) }
            return handover.token
        }

        /// Revokes a token of ``handOver(_:)``. Returns false if it was used or revoked before.
        func revoke(_ token: Secret) -> Bool {
            state.withLock { state in
                let index = state.handovers.firstIndex { $0.token.matches(token.text) }
                if let index { state.handovers.remove(at: index) }
                return index != nil
            }
        }

        /// Returns the session with a key; nil if there is none.
        func session(_ key: String) -> Session? {
            state.withLock { state in state.sessions.first { $0.key.matches(key) } }
        }

        /// Records the store's revision at a session's latest request for a page or with a form.
        /// The session can be one that this object didn't open.
        func note(_ revision: Int, shownTo session: Session) {
            state.withLock { state in
                state.revisions.removeAll { $0.key == session.key.text }
                state.revisions.append((session.key.text, revision))
                if state.revisions.count > Sessions.revisionLimit { state.revisions.removeFirst() }
            }
        }

        /// Returns the revision that was recorded last for a session; nil if none is known.
        func revision(shownTo session: Session) -> Int? {
            state.withLock { state in
                state.revisions.last { $0.key == session.key.text }?.revision
            }
        }
    }

    /// 256 random bits as 64 hexadecimal digits.
    struct Secret: Sendable {
        let text: String

        /// Creates a secret that was stored.
        init(text: String) { self.text = text }

        /// Creates a random secret.
        init() {
            var generator = SystemRandomNumberGenerator()
            text = (0..<4).map { _ in
                let digits = String(generator.next() as UInt64, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
        }

        /// Returns whether a text equals the secret. The time depends only on the text's length.
        func matches(_ candidate: String) -> Bool {
            let (own, other) = (Array(text.utf8), Array(candidate.utf8))
            guard own.count == other.count else { return false }
            return zip(own, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    extension HealthServer {
        /// How a token of ``HealthServer/handover(lasting:_:)`` became invalid.
        package enum HandoverEnd: Hashable, Sendable {
            /// A browser has used the token.
            case redeemed
            /// No browser used the token in time, and it was revoked.
            case expired
        }

        /// Returns an address for a browser that this program starts. It contains a token of its
        /// own.
        ///
        /// Don't pass the address to a process as an argument, because all accounts of the computer
        /// can read arguments. Write ``page(leadingTo:)`` to a file instead, and pass the file's
        /// path.
        ///
        /// - Parameters:
        ///   - lifetime: How long the token is valid.
        ///   - ended: Called once, on any thread: when the token is used, else after `lifetime`,
        ///     also if the server has ended by then.
        /// - Returns: The address with the token.
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

        /// Returns an HTML page that redirects the browser to an address at once, without a script
        /// and without sending a referrer.
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
