#if Server
    import NIOCore
    import NIOHTTPTypes
    import Synchronization

    /// The open connections of a server, limited so that unauthenticated clients can't lock out
    /// browsers with a session.
    ///
    /// A connection is unauthenticated until one of its requests has a valid session.
    /// Unauthenticated and authenticated connections have separate limits. Above a limit the oldest
    /// connection of that kind is closed. A flood of idle connections therefore evicts only itself.
    /// A browser's new connection is one of the newest until its first request, which has the
    /// cookie.
    final class Connections: Sendable {
        private struct State {
            /// The unauthenticated connections, oldest first.
            var strangers: [any Channel] = []
            var browsers: [any Channel] = []
        }

        /// The maximum number of each kind.
        let strangers: Int
        let browsers: Int
        private let state = Mutex(State())

        /// - Parameter limit: The maximum number of all connections. A quarter is for
        ///   unauthenticated ones.
        init(limit: Int) {
            strangers = max(1, limit / 4)
            browsers = max(1, limit - strangers)
        }

        /// The number of open connections.
        var counts: (strangers: Int, browsers: Int) {
            state.withLock { ($0.strangers.count, $0.browsers.count) }
        }

        /// Adds a new connection.
        func open(_ channel: any Channel) {
            let surplus = state.withLock { state -> (any Channel)? in
                state.strangers.append(channel)
                return state.strangers.count > strangers ? state.strangers.removeFirst() : nil
            }
            surplus?.close(promise: nil)
        }

        /// Marks a connection as authenticated, after a request with a valid session.
        func recognize(_ channel: any Channel) {
            let surplus = state.withLock { state -> (any Channel)? in
                guard let index = state.strangers.firstIndex(where: { $0 === channel }) else {
                    return nil
                }
                state.browsers.append(state.strangers.remove(at: index))
                return state.browsers.count > browsers ? state.browsers.removeFirst() : nil
            }
            surplus?.close(promise: nil)
        }

        func close(_ channel: any Channel) {
            state.withLock { state in
                state.strangers.removeAll { $0 === channel }
                state.browsers.removeAll { $0 === channel }
            }
        }
    }

    /// Notifies ``Connections`` when a connection opens or closes.
    final class ConnectionCounting: ChannelInboundHandler, RemovableChannelHandler {
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
