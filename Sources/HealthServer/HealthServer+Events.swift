import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

extension HealthServer {
    /// Server-sent events: `change` when the store is not what the browser was last shown, a comment
    /// now and then; it ends when the client goes, when its session opens too many, or with the server.
    func stream(for session: Sessions.Session, _ asked: Asked) -> ResponseBody {
        let (request, channel) = (asked.request, asked.channel)
        let shown = request.headers[.lastEventID] ?? eventName(session.revision ?? revision())
        return ResponseBody { [self] writer in
            let (calls, end) = streams.open(for: session.key.text)
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await send(calls, after: shown, to: &writer, channel)
            } onInboundClosed: {
                end()
            }
            try await writer.finish(nil)
            // Who doesn't close its end would keep a connection that others wait for.
            channel.close(promise: nil)
        }
    }

    private func send(
        _ calls: AsyncStream<Void>, after shown: String, to writer: inout any ResponseBodyWriter,
        _ channel: any Channel
    ) async throws {
        var shown = shown
        try await send("retry: 2000\n\n", to: &writer, channel)
        func news() -> String {
            let name = eventName(revision())
            guard name != shown else { return ": here\n\n" }
            shown = name
            return "event: change\nid: \(name)\ndata: \(name)\n\n"
        }
        try await send(news(), to: &writer, channel)
        for await _ in calls { try await send(news(), to: &writer, channel) }
        // It was one too many: it shall not come back at once and push out the next.
        try await send("retry: 60000\n\n", to: &writer, channel)
    }

    private func send(
        _ text: String, to writer: inout any ResponseBodyWriter, _ channel: any Channel
    ) async throws {
        let deadline = Deadline(limits.stall, channel)
        defer { deadline.cancel() }
        try await writer.write(ByteBuffer(string: text))
    }

    private func eventName(_ revision: Int?) -> String { "\(run)-\(revision ?? 0)" }
}
