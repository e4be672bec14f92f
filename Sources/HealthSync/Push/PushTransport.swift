public import Foundation

/// Sends a request and returns the answer. An error that it throws means that it isn't known
/// whether the server has received the request.
public typealias PushTransport = @Sendable (PushRequest) async throws -> PushAnswer

/// A request of the protocol: one page, to be sent with the method POST.
public struct PushRequest: Sendable {
    /// The address.
    public let url: URL
    /// The header fields.
    public let headers: [String: String]
    /// The lines of the page.
    public let body: Data
}

/// The answer to a request.
public struct PushAnswer: Sendable {
    /// The HTTP status code.
    public let status: Int
    /// The value of the header field Retry-After; nil without one.
    public let retryAfter: String?
    /// The body.
    public let body: Data

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - status: The HTTP status code.
    ///   - retryAfter: The value of the header field Retry-After; nil without one.
    ///   - body: The body.
    public init(status: Int, retryAfter: String? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}
