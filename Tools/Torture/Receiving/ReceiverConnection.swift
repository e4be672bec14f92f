import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The answer to a request.
struct ReceiverAnswer: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; nil if it is none.
    var object: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    }
}

/// A connection to the local receiver for one request. Calls block.
final class ReceiverConnection {
    private let socket: Int32
    private var isOpen = true

    /// Connects to a port of this machine; nil if nothing listens.
    init?(port: Int) {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        // A child process that inherits the socket would keep the connection open.
        socket = ReceiverProcess.startLock.withLock {
            let socket = Foundation.socket(AF_INET, stream, 0)
            if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
            return socket
        }
        guard socket >= 0 else { return nil }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(
                socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
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
            close()
            return nil
        }
    }

    deinit { close() }

    func close() {
        if isOpen { Foundation.close(socket) }
        isOpen = false
    }

    /// Sends bytes. Returns whether all were sent.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Darwin)
                    Foundation.send(socket, $0.baseAddress, $0.count, 0)
                #else
                    Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads the answer until the receiver closes the connection or the body has its length; nil
    /// if the connection ends before.
    func answer() -> ReceiverAnswer? {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let answer = Self.complete(received) { return answer }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }

    private static func complete(_ bytes: [UInt8]) -> ReceiverAnswer? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        var answer = ReceiverAnswer(status: status)
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            answer.headers[sides[0].lowercased()] = String(sides[1].drop { $0 == " " })
        }
        let body = bytes[end.upperBound...]
        if answer.headers["transfer-encoding"]?.lowercased() == "chunked" {
            guard let chunks = chunks(body) else { return nil }
            answer.body = chunks
        } else {
            let length = answer.headers["content-length"].flatMap { Int($0) } ?? 0
            guard body.count >= length else { return nil }
            answer.body = Array(body.prefix(length))
        }
        return answer
    }

    /// Returns the content of a body in chunks; nil if it isn't complete.
    private static func chunks(_ body: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = body
        var content: [UInt8] = []
        while let line = rest.firstRange(of: [13, 10]) {
            let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(digits.prefix { $0 != ";" }, radix: 16) else { return nil }
            if size == 0 { return content }
            guard rest.endIndex - line.upperBound >= size + 2 else { return nil }
            content += rest[line.upperBound..<(line.upperBound + size)]
            rest = rest[(line.upperBound + size + 2)...]
        }
        return nil
    }
}
