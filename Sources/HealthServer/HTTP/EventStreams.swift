#if Server
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import NIOCore
    import OpenHealthKit
    import Synchronization

    /// The open event streams (server-sent events) of all sessions. Each open page has one.
    final class EventStreams: Sendable {
        /// The maximum number of streams for a session. A browser opens at most six HTTP/1.1
        /// connections to a server, so two remain for loading pages.
        static let limit = 4
        /// The address of the event stream.
        static let path = "/events"

        private struct Stream {
            var number: Int
            var owner: String
            var continuation: AsyncStream<Void>.Continuation
        }

        private struct State {
            var last = 0
            var streams: [Stream] = []
            var hasEnded = false
        }

        private let state = Mutex(State())

        /// The number of open streams.
        var count: Int { state.withLock { $0.streams.count } }

        /// Opens a stream of wake-ups. If its owner then has more than ``limit`` streams, the
        /// oldest of them ends.
        ///
        /// - Parameter owner: The key of the session.
        /// - Returns: The wake-ups, and the continuation that sends or ends them. Wake-ups that
        ///   arrive before one is consumed are combined. The sequence also ends with ``end()``, or
        ///   at once if that was called before.
        func open(
            for owner: String
        ) -> (calls: AsyncStream<Void>, call: AsyncStream<Void>.Continuation) {
            let (calls, continuation) = AsyncStream<Void>.makeStream(
                bufferingPolicy: .bufferingNewest(1))
            let (number, left) = state.withLock { state -> (Int, Stream?) in
                guard !state.hasEnded else { return (0, nil) }
                state.last += 1
                state.streams.append(
                    Stream(number: state.last, owner: owner, continuation: continuation))
                guard state.streams.count(where: { $0.owner == owner }) > EventStreams.limit,
                    let oldest = state.streams.firstIndex(where: { $0.owner == owner })
                else { return (state.last, nil) }
                return (state.last, state.streams.remove(at: oldest))
            }
            left?.continuation.finish()
            if number == 0 { continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.close(number) }
            return (calls, continuation)
        }

        /// Ends all streams. Streams that are opened later end at once.
        func end() {
            let streams = state.withLock { state in
                state.hasEnded = true
                return state.streams
            }
            for stream in streams { stream.continuation.finish() }
        }

        private func close(_ number: Int) {
            state.withLock { state in state.streams.removeAll { $0.number == number } }
        }
    }

    extension HealthServer {
        /// Returns a response with server-sent events: `change` when the store's revision differs
        /// from what the browser has shown, else a comment as a sign of life.
        ///
        /// It ends when the client disconnects, when the session opens too many streams, or with
        /// the server. A client that doesn't receive an event in time is disconnected.
        func stream(
            for session: Sessions.Session, _ request: Request, _ channel: any Channel
        ) -> ResponseBody {
            let shown =
                request.headers[.lastEventID]
                ?? eventName(sessions.revision(shownTo: session) ?? revision())
            return ResponseBody { [self] writer in
                let (calls, call) = streams.open(for: session.key.text)
                let changed = changes.subscribe { _ in call.yield() }
                let alive = Task { [limits] in
                    while true {
                        try await Task.sleep(for: limits.heartbeat)
                        call.yield()
                    }
                }
                defer {
                    changed.cancel()
                    alive.cancel()
                }
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await send(calls, after: shown, to: &writer, channel)
                } onInboundClosed: {
                    call.finish()
                }
                try await writer.finish(nil)
                // A client that keeps its side of the connection open would otherwise use up a
                // connection.
                channel.close(promise: nil)
            }
        }

        private func send(
            _ calls: AsyncStream<Void>, after shown: String,
            to writer: inout any ResponseBodyWriter,
            _ channel: any Channel
        ) async throws {
            var shown = shown
            try await send("retry: 2000\n\n", to: &writer, channel)
            func news() -> String {
                // The revision can't be read now; the next wake-up tries again.
                guard let revision = revision() else { return ": here\n\n" }
                let name = eventName(revision)
                guard name != shown else { return ": here\n\n" }
                shown = name
                return "event: change\nid: \(name)\ndata: \(name)\n\n"
            }
            try await send(news(), to: &writer, channel)
            for await _ in calls { try await send(news(), to: &writer, channel) }
            // The sequence has ended, for example because the session opened too many streams.
            // Without this retry time of a minute, the browser would reconnect at once and end
            // another stream.
            try await send("retry: 60000\n\n", to: &writer, channel)
        }

        private func send(
            _ text: String, to writer: inout any ResponseBodyWriter, _ channel: any Channel
        ) async throws {
            let deadline = Deadline(limits.stallTimeout, channel)
            defer { deadline.cancel() }
            try await writer.write(ByteBuffer(string: text))
        }

        private func eventName(_ revision: Int?) -> String { "\(run)-\(revision ?? 0)" }
    }
#endif
