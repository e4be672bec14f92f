#if Server
    import Foundation
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import NIOCore
    import Synchronization

    /// Adds a line to the log when the answer to a request has been sent, or its connection is lost.
    ///
    /// Malformed HTTP has no line: the framework answers it before any middleware.
    struct RequestLogMiddleware: RouterMiddleware {
        let log: RequestLog

        private static let methods: Set<HTTPRequest.Method> = [
            .get, .head, .post, .put, .patch, .delete, .options,
        ]

        func handle(
            _ request: Request, context: PageRequestContext,
            next: (Request, PageRequestContext) async throws -> Response
        ) async throws -> Response {
            // Any word can be a method.
            let isKnown = Self.methods.contains(request.method)
            let record = RequestRecord(
                log, isKnown ? request.method.rawValue : "other",
                PathTemplate.text(context.target))
            var (request, context) = (request, context)
            context.record = record
            if request.hasBody {
                let body = request.body.map { buffer in
                    record.received(buffer.readableBytes)
                    return buffer
                }
                request = Request(head: request.head, body: RequestBody(asyncSequence: body))
            }
            do {
                return record.counted(try await next(request, context))
            } catch {
                record.finish(status: 500)
                throw error
            }
        }
    }

    /// What is known about a request until its line is in the log.
    final class RequestRecord: Sendable {
        private struct State {
            var line: RequestLine
            var isFinished = false
        }

        private let log: RequestLog
        private let begin = ContinuousClock.now
        private let state: Mutex<State>

        init(_ log: RequestLog, _ method: String, _ path: String) {
            self.log = log
            state = Mutex(
                State(
                    line: RequestLine(
                        time: .now, method: method, path: path, status: 0, milliseconds: 0,
                        bytesIn: 0, bytesOut: 0)))
        }

        /// An answer that wasn't sent, because the connection was lost, is released with this.
        deinit { finish() }

        /// Records the public identifier of a valid token.
        func note(actor: String?) { state.withLock { $0.line.actor = actor } }

        func received(_ bytes: Int) { state.withLock { $0.line.bytesIn += bytes } }

        private func sent(_ bytes: Int) { state.withLock { $0.line.bytesOut += bytes } }

        /// Returns a response that finishes the line when it has been sent.
        func counted(_ response: Response) -> Response {
            state.withLock { $0.line.status = response.status.code }
            let (length, body) = (response.body.contentLength, response.body)
            guard length != 0 else {
                finish()
                return response
            }
            var response = response
            response.body = ResponseBody(contentLength: length) { [self] writer in
                defer { finish() }
                try await body.write(
                    writer.map { [self] buffer in
                        sent(buffer.readableBytes)
                        return buffer
                    })
            }
            return response
        }

        /// Adds the line to the log, once.
        ///
        /// - Parameter status: The status of the answer; nil for the one that is known.
        func finish(status: Int? = nil) {
            let elapsed = begin.duration(to: .now).components
            let milliseconds = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
            let line = state.withLock { state -> RequestLine? in
                if state.isFinished { return nil }
                state.isFinished = true
                if let status { state.line.status = status }
                state.line.milliseconds = (milliseconds * 10).rounded() / 10
                return state.line
            }
            if let line { log.add(line) }
        }
    }
#endif
