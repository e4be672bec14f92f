public import Foundation

/// A server that receives a watcher's changes, such as `openhealth serve --receive`.
///
/// ```swift
/// let target = try PushTarget(url: URL(string: "https://home.example")!, token: token)
/// ```
public struct PushTarget: Sendable {
    /// The address to which pages are sent.
    public let url: URL
    /// The token of this device.
    let token: String

    /// The path of the protocol.
    static let path = "/v1/changes"

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - url: The server's address. A path is kept; without one, it is "/v1/changes".
    ///   - token: The token that the server has issued for this device.
    /// - Throws: ``PushError/Code/insecureURL`` unless the address is of HTTPS, or of HTTP on this
    ///   machine (loopback). ``PushError/Code/invalidToken`` for an empty token, or one with other
    ///   characters than visible ASCII.
    public init(url: URL, token: String) throws(PushError) {
        guard let host = url.host(percentEncoded: false), !host.isEmpty,
            url.scheme == "https" || url.scheme == "http" && Self.isLoopback(host)
        else { throw PushError(.insecureURL) }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw PushError(.invalidToken)
        }
        let isBare = url.path(percentEncoded: false).isEmpty || url.path == "/"
        self.url = isBare ? url.appending(path: Self.path) : url
        self.token = token
    }

    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.utf8.first != UInt8(ascii: "+") }
    }
}

/// Why a page could not be sent. It contains no health values, and neither the address nor the
/// token.
public struct PushError: Error, Hashable, Sendable {
    /// What happened.
    public enum Code: Hashable, Sendable {
        /// The address is neither of HTTPS nor on this machine.
        case insecureURL
        /// The token is empty or has characters that a header field can't have.
        case invalidToken
        /// The server does not accept the token (401, 403). Nothing is sent until
        /// ``Push/resume(with:)``.
        case unauthorized
        /// There is no connection to the server.
        case offline
        /// The server's certificate isn't trusted, or TLS failed otherwise.
        case untrusted
        /// The program `curl`, with which pages are sent on Linux, isn't installed.
        case missingProgram
        /// The server can't take the page now, or failed (408, 429, 5xx).
        case unavailable(status: Int)
        /// The server refuses the page (other status codes). It is sent again after a delay.
        case refused(status: Int)
        /// The answer isn't one of the protocol, for example that of a captive portal.
        case unexpectedAnswer
    }

    /// What happened.
    public let code: Code
    /// The delay before the next attempt; nil if there is none.
    public internal(set) var retryDelay: Duration?

    init(_ code: Code, retryDelay: Duration? = nil) {
        self.code = code
        self.retryDelay = retryDelay
    }
}

/// An error of a destination that determines when its batch is delivered again, in place of the
/// watcher's retry delays. Such a destination is never stuck.
protocol DelayedRetry: Error {
    /// The delay; nil for the watcher's retry delays.
    var retryDelay: Duration? { get }
}

extension PushError: DelayedRetry {}
