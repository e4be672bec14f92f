#if Server
    import Dispatch
    import Foundation
    import HealthStorage
    import Synchronization

    /// Writes a line of JSON for each request.
    ///
    /// Writing has a thread of its own, so a slow output delays no request. Of more than ``limit``
    /// waiting lines, further ones are dropped and counted; the next line has their number.
    package final class RequestLog: Sendable {
        /// The maximum number of lines that wait.
        package static let limit = 4_096

        private enum Entry: Sendable {
            case request(RequestLine, node: String, dropped: Int)
            case message(String, at: Date, node: String)
        }

        private struct State {
            var node: String
            var waiting: [Entry] = []
            var isWriting = false
            var dropped = 0
            /// The dropped lines that no line has counted yet.
            var uncounted = 0

            mutating func drop(_ lines: Int) {
                dropped += lines
                uncounted += lines
            }
        }

        private let state: Mutex<State>
        private let queue = DispatchQueue(label: "org.openhealthkit.log", qos: .utility)
        private let limit: Int
        private let write: @Sendable (String) -> Bool

        /// - Parameters:
        ///   - node: The name of this computer. A server that listens appends its port.
        ///   - limit: The maximum number of lines that wait.
        ///   - write: Writes complete lines, and may block. Returns whether it has written them.
        package init(
            node: String, limit: Int = RequestLog.limit,
            write: @escaping @Sendable (String) -> Bool
        ) {
            state = Mutex(State(node: node))
            self.limit = limit
            self.write = write
        }

        /// The number of lines that were not written.
        package var dropped: Int { state.withLock { $0.dropped } }

        /// Appends the port to the name of the node.
        func begin(port: Int) { state.withLock { $0.node += ":\(port)" } }

        /// Adds the line of a request. Doesn't block.
        func add(_ line: RequestLine) {
            add { state in
                defer { state.uncounted = 0 }
                return .request(line, node: state.node, dropped: state.uncounted)
            }
        }

        /// Adds a message without health values, as a line with the keys `time`, `message` and
        /// `node`. Doesn't block.
        package func add(message: String) {
            let now = Date.now
            add { .message(message, at: now, node: $0.node) }
        }

        private func add(_ entry: (inout State) -> Entry) {
            let isIdle = state.withLock { state in
                guard state.waiting.count < limit else {
                    state.drop(1)
                    return false
                }
                let added = entry(&state)
                state.waiting.append(added)
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if isIdle { queue.async { self.writeWaiting() } }
        }

        private func writeWaiting() {
            while true {
                let entries = state.withLock { state in
                    let entries = state.waiting
                    state.waiting = []
                    state.isWriting = !entries.isEmpty
                    return entries
                }
                if entries.isEmpty { return }
                let text = entries.map { RequestLog.json($0).text + "\n" }.joined()
                if !write(text) { state.withLock { $0.drop(entries.count) } }
            }
        }

        /// Waits until all lines are written, for at most some seconds. Blocks its thread.
        package func flush(within seconds: Double) {
            let done = DispatchSemaphore(value: 0)
            queue.async { done.signal() }
            _ = done.wait(timeout: .now() + seconds)
        }

        private static func json(_ entry: Entry) -> JSONText {
            switch entry {
            case .request(let line, let node, let dropped):
                .object([
                    "time": .string(text(line.time)), "method": .string(line.method),
                    "path": .string(line.path), "status": .integer(line.status),
                    "ms": .number(line.milliseconds), "bytesIn": .integer(line.bytesIn),
                    "bytesOut": .integer(line.bytesOut), "actor": .text(line.actor),
                    "node": .string(node), "dropped": .integer(dropped),
                ])
            case .message(let message, let time, let node):
                .object([
                    "time": .string(text(time)), "message": .string(message),
                    "node": .string(node),
                ])
            }
        }

        /// A time in UTC, with milliseconds.
        private static func text(_ time: Date) -> String {
            Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(time)
        }
    }

    /// A request in the log. It has no query, header, token, address or value, and no part of the
    /// path that stands for a person.
    struct RequestLine: Hashable, Sendable {
        /// When the request arrived.
        var time: Date
        var method: String
        /// The template of the path: see ``PathTemplate``.
        var path: String
        var status: Int
        /// The time until the answer was sent.
        var milliseconds: Double
        /// The bytes of the bodies that were received and sent.
        var bytesIn: Int
        var bytesOut: Int
        /// The public identifier of the valid token or of the session's token; nil without one.
        var actor: String?
    }
#endif
