import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A client that sends arbitrary bytes, including invalid requests.
public final class RawClient: Sendable {
    /// The error of a system call.
    public struct SystemCallFailure: Error {
        /// The name of the system call.
        public var call: String
        /// The value of `errno`.
        public var code: Int32
    }

    private let socket: Int32
    private let timeout: Int

    /// Connects to a server on this machine.
    ///
    /// - Parameters:
    ///   - port: The server's port.
    ///   - timeout: The limit for each call in seconds.
    /// - Throws: ``SystemCallFailure`` if the connection can't be opened.
    public init(port: Int, timeout: Int = 60) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        self.timeout = timeout
        socket = Foundation.socket(AF_INET, stream, 0)
        guard socket >= 0 else { throw SystemCallFailure(call: "socket", code: errno) }
        var receiveTimeout = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &receiveTimeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(
            socket, SOL_SOCKET, SO_SNDTIMEO, &receiveTimeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            Foundation.close(socket)
            throw SystemCallFailure(call: "connect", code: code)
        }
    }

    deinit { Foundation.close(socket) }

    /// Sends a text.
    ///
    /// - Parameter text: The text, sent as UTF-8.
    /// - Returns: Whether all of it was sent.
    @discardableResult
    public func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// Sends bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: Whether all of them were sent.
    @discardableResult
    public func send(_ bytes: [UInt8]) async -> Bool {
        await waiting { socket in
            var bytes = bytes[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes {
                    Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                bytes = bytes.dropFirst(count)
            }
            return true
        }
    }

    /// Ends the sending side of the connection. The answer can still be received.
    public func finishSending() async {
        _ = await waiting { shutdown($0, Int32(SHUT_WR)) }
    }

    /// Receives the next bytes.
    ///
    /// - Returns: The bytes as text; nil if the server has closed the connection or the time is
    ///   over.
    public func receive() async -> String? {
        guard let bytes = await receiveBytes() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func receiveBytes() async -> [UInt8]? {
        await waiting { socket in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(socket, &buffer, buffer.count, 0)
            return count > 0 ? Array(buffer[..<count]) : nil
        }
    }

    /// Receives bytes up to and including a text, or to the end.
    ///
    /// - Parameter mark: The text to wait for.
    /// - Returns: The received text, which may continue after the mark.
    public func receive(until mark: String) async -> String {
        var text = ""
        while !text.contains(mark), let more = await receive() { text += more }
        return text
    }

    /// Receives bytes until the server closes the connection.
    ///
    /// Bytes are joined before decoding, since a part may end inside a character.
    ///
    /// - Returns: The received text.
    public func receiveAll() async -> String {
        var bytes: [UInt8] = []
        while let more = await receiveBytes() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until the server closes the connection, and ignores the bytes before.
    ///
    /// - Returns: Whether it was closed before the timeout.
    public func isClosed() async -> Bool {
        let end = ContinuousClock.now + .seconds(timeout)
        return await waiting { socket in
            var buffer = [UInt8](repeating: 0, count: 1 << 12)
            while ContinuousClock.now < end {
                let count = recv(socket, &buffer, buffer.count, 0)
                if count == 0 { return true }
                if count < 0 { return errno == ECONNRESET }
            }
            return false
        }
    }

    /// Runs blocking calls on a separate thread. A server in the same process needs the threads of
    /// tasks.
    private func waiting<Value: Sendable>(
        _ body: @escaping @Sendable (Int32) -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(returning: body(socket)) }
        }
    }
}

/// A parsed response.
public struct RawResponse {
    /// The status code, or 0 without a status line.
    public var status: Int
    /// The headers by lowercase name.
    public var headers: [String: String] = [:]
    /// The response's body.
    public var body: String
    /// The complete response.
    public var text: String

    /// Parses a response.
    ///
    /// - Parameter text: The complete response with its head.
    public init(_ text: String) {
        self.text = text
        let halves = text.split(
            separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = halves[0].split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
        }
        body = halves.count > 1 ? String(halves[1]) : ""
    }

    /// The name and value of the response's cookie; nil if it sets none.
    public var cookie: String? {
        headers["set-cookie"]?.split(separator: ";").first.map(String.init)
    }
}
