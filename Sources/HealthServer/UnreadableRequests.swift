import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Gives the framework's own answer, which a request gets that isn't HTTP, what all answers have.
///
/// Such a request never becomes one that could be answered like others: the framework writes a bare 400
/// and closes.
final class UnreadableRequests: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let words = "This is no request that can be read.\n"

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        guard case .head(var head) = unwrapOutboundIn(data),
            head.headerFields[.contentSecurityPolicy] == nil
        else { return context.write(data, promise: promise) }
        for (name, value) in HealthServer.everyHeader { head.headerFields[name] = value }
        guard head.headerFields[.contentLength] == "0" else {
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        let body = ByteBuffer(string: Self.words)
        head.headerFields[.contentLength] = String(body.readableBytes)
        head.headerFields[.contentType] = "text/plain; charset=utf-8"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
    }
}
