import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A response of the server, possibly incomplete.
struct HTTPResponse {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether the body has the length that the headers announce.
    var isComplete = true

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A connection to the local server that can send arbitrary bytes.
final class Connection {
    private let socket: Int32
    private var received: [UInt8] = []
    private(set) var isClosed = false

    init?(port: Int) {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        socket = Foundation.socket(AF_INET, stream, 0)
        guard socket >= 0 else { return nil }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var timeout = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 {
            close(socket)
            return nil
        }
    }

    deinit { close(socket) }

    /// Sends bytes. Returns whether all were sent.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Closes the sending side.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads more bytes. Returns false if the connection is closed or has failed, or after a
    /// timeout.
    private func receive(until end: ContinuousClock.Instant) -> Bool {
        let left = (end - ContinuousClock.now) / .milliseconds(1)
        guard left > 0, !isClosed else { return false }
        var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, Int32(min(left, 60_000)) + 1) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else {
            isClosed = true
            return false
        }
        received += buffer[..<count]
        return true
    }

    /// Returns the next response; nil if the connection is closed, or the timeout is reached,
    /// before its headers are complete. A body needs a length or chunks.
    ///
    /// - Parameters:
    ///   - timeout: The timeout in seconds.
    ///   - head: Whether it is the response to a HEAD request, which has no body.
    func response(timeout: Double, head: Bool = false) -> HTTPResponse? {
        let end = ContinuousClock.now + .seconds(timeout)
        let mark = Array("\r\n\r\n".utf8)
        var at = received.firstRange(of: mark)
        while at == nil {
            guard receive(until: end) else { return nil }
            at = received.firstRange(of: mark)
        }
        guard let at else { return nil }
        var response = Connection.head(received[..<at.lowerBound])
        received.removeSubrange(..<at.upperBound)
        if head || response.status < 200 || response.status == 204 || response.status == 304 {
            return response
        }
        if response.headers["transfer-encoding"]?.contains("chunked") == true {
            response.isComplete = readChunks(into: &response.body, until: end)
        } else {
            let length = response.headers["content-length"].flatMap { Int($0) } ?? 0
            while received.count < length, receive(until: end) {}
            response.isComplete = received.count >= length
            response.body = Array(received.prefix(length))
            received.removeFirst(response.body.count)
        }
        return response
    }

    private static func head(_ bytes: ArraySlice<UInt8>) -> HTTPResponse {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        var response = HTTPResponse(
            status: words.count > 1 && words[0].hasPrefix("HTTP/1.") ? Int(words[1]) ?? 0 : 0)
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            response.headers[sides[0].lowercased()] = String(sides[1].drop { $0 == " " })
        }
        return response
    }

    private func readChunks(
        into body: inout [UInt8], until end: ContinuousClock.Instant
    ) -> Bool {
        while true {
            var line = received.firstRange(of: [13, 10])
            while line == nil, receive(until: end) { line = received.firstRange(of: [13, 10]) }
            guard let line,
                let count = Int(
                    String(decoding: received[..<line.lowerBound], as: UTF8.self), radix: 16)
            else { return false }
            let whole = line.upperBound + count + 2
            while received.count < whole, receive(until: end) {}
            guard received.count >= whole else { return false }
            body += received[line.upperBound..<(line.upperBound + count)]
            received.removeFirst(whole)
            if count == 0 { return true }
        }
    }
}
