#if !os(Linux)
    import Foundation

    /// A transport with URLSession, without cookies and caches. It follows no redirects, so nothing is
    /// sent to another address than the target's.
    final class PushSession: NSObject, URLSessionTaskDelegate, Sendable {
        /// The maximum time without any byte, in seconds.
        private static let timeout: TimeInterval = 60

        static func transport() -> PushTransport {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = timeout
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            let session = URLSession(
                configuration: configuration, delegate: PushSession(), delegateQueue: nil)
            let owner = SessionOwner(session)
            return { request in try await owner.send(request) }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }

    /// Owns a session, and ends it with the last transport that uses it.
    private final class SessionOwner: Sendable {
        private let session: URLSession

        init(_ session: URLSession) { self.session = session }

        deinit { session.finishTasksAndInvalidate() }

        func send(_ request: PushRequest) async throws -> PushAnswer {
            var message = URLRequest(url: request.url)
            message.httpMethod = "POST"
            message.httpBody = request.body
            for (name, value) in request.headers {
                message.setValue(value, forHTTPHeaderField: name)
            }
            let task = LockedValue<URLSessionDataTask?>(nil)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let running = session.dataTask(with: message) { data, response, error in
                        guard let response = response as? HTTPURLResponse, error == nil else {
                            continuation.resume(throwing: error ?? URLError(.badServerResponse))
                            return
                        }
                        continuation.resume(
                            returning: PushAnswer(
                                status: response.statusCode,
                                retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                                body: data ?? Data()))
                    }
                    task { $0 = running }
                    running.resume()
                    if Task.isCancelled { running.cancel() }
                }
            } onCancel: {
                task { $0 }?.cancel()
            }
        }
    }
#endif
