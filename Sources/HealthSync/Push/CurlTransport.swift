#if os(Linux)
    import Dispatch
    import Foundation

    /// A transport with the program `curl`.
    enum PushSession {
        private static let queue = DispatchQueue(label: "push.curl", attributes: .concurrent)
        private static let settings = [
            "proto": "=http,https", "connect-timeout": "60", "max-time": "600",
            "max-filesize": "16777216",
        ]

        static func transport() -> PushTransport {
            { request in
                try await withCheckedThrowingContinuation { continuation in
                    queue.async { continuation.resume(with: Result { try send(request) }) }
                }
            }
        }

        private static func send(_ request: PushRequest) throws -> PushAnswer {
            let answer = try CurlRequest(
                request.url.absoluteString, headers: request.headers, body: Array(request.body),
                settings: settings
            ).send()
            return PushAnswer(
                status: answer.status, retryAfter: answer.retryAfter,
                body: Data(answer.body))
        }
    }
#endif
