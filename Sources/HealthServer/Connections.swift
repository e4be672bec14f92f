import NIOCore
import NIOHTTPTypes
import Synchronization

/// The open connections of a server, so bounded that strangers can't keep logged-in browsers out.
///
/// A connection is a stranger's until a request on it brings a valid session. Strangers and browsers
/// have a share each. Where a share is full, its oldest connection is closed for the new one: a flood
/// of connections that send nothing pushes out its own, and a browser's new connection, which sends
/// its cookie at once, is one of the newest until then.
final class Connections: Sendable {
    private struct State {
        /// The oldest first.
        var strangers: [any Channel] = []
        var browsers: [any Channel] = []
    }

    /// How many of each.
    let strangers: Int
    let browsers: Int
    private let state = Mutex(State())

    /// - Parameter limit: Of both together; a quarter is the strangers'.
    init(limit: Int) {
        strangers = max(1, limit / 4)
        browsers = max(1, limit - strangers)
    }

    /// How many are open.
    var counts: (strangers: Int, browsers: Int) {
        state.withLock { ($0.strangers.count, $0.browsers.count) }
    }

    /// Takes in a new connection.
    func open(_ channel: any Channel) {
        let surplus = state.withLock { state -> (any Channel)? in
            state.strangers.append(channel)
            return state.strangers.count > strangers ? state.strangers.removeFirst() : nil
        }
        surplus?.close(promise: nil)
    }

    /// Notes that a request on a connection brought a valid session.
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

/// Tells ``Connections`` when a connection opens and closes.
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
