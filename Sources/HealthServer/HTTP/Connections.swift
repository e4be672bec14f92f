#if Server
    import NIOCore
    import NIOHTTPTypes
    import Synchronization

    /// The open connections of a server, limited so that unauthenticated clients can't lock out
    /// browsers with a session.
    ///
    /// A connection is unauthenticated until one of its requests has a valid session or token. Unauthenticated and authenticated connections have separate limits. If a connection
    /// exceeds its limit, the oldest connection of that kind is closed. A flood of idle connections
    /// therefore closes only unauthenticated ones. A browser's new connection is among the newest
    /// of them until its first request, which has the cookie.
    final class Connections: Sendable {
        private struct State {
            /// The unauthenticated connections, in the order in which they were opened.
            var unauthenticated: [any Channel] = []
            /// The authenticated connections, in the order of their first authenticated request.
            var authenticated: [any Channel] = []
        }

        /// The maximum number of unauthenticated connections.
        let unauthenticated: Int
        /// The maximum number of authenticated connections.
        let authenticated: Int
        private let state = Mutex(State())

        /// - Parameters:
        ///   - limit: The maximum number of all connections.
        ///   - share: How many of them are for unauthenticated ones; nil for a quarter. At least
        ///     one is.
        init(limit: Int, unauthenticated share: Int? = nil) {
            unauthenticated = max(1, share ?? limit / 4)
            authenticated = max(1, limit - unauthenticated)
        }

        /// The number of open connections of each kind.
        var counts: (unauthenticated: Int, authenticated: Int) {
            state.withLock { ($0.unauthenticated.count, $0.authenticated.count) }
        }

        /// Adds a new connection as an unauthenticated one. If there are then too many of these,
        /// closes the oldest unauthenticated one.
        func open(_ channel: any Channel) {
            let surplus = state.withLock { state -> (any Channel)? in
                state.unauthenticated.append(channel)
                return state.unauthenticated.count > unauthenticated
                    ? state.unauthenticated.removeFirst() : nil
            }
            surplus?.close(promise: nil)
        }

        /// Marks a connection as authenticated. If there are too many, closes the oldest
        /// authenticated one.
        func markAuthenticated(_ channel: any Channel) {
            let surplus = state.withLock { state -> (any Channel)? in
                guard let index = state.unauthenticated.firstIndex(where: { $0 === channel }) else {
                    return nil
                }
                state.authenticated.append(state.unauthenticated.remove(at: index))
                return state.authenticated.count > authenticated
                    ? state.authenticated.removeFirst() : nil
            }
            surplus?.close(promise: nil)
        }

        func close(_ channel: any Channel) {
            state.withLock { state in
                state.unauthenticated.removeAll { $0 === channel }
                state.authenticated.removeAll { $0 === channel }
            }
        }
    }

    /// Reports the opening and closing of each connection to ``Connections``.
    final class ConnectionCountHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart

        private let connections: Connections

        init(_ connections: Connections) { self.connections = connections }

        func channelActive(context: ChannelHandlerContext) {
            connections.open(context.channel)
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            connections.close(context.channel)
            context.fireChannelInactive()
        }
    }
#endif
