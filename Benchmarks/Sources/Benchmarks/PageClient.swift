import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A process of `openhealth serve` for one store, which ends when the value is released.
final class PageServer {
    let process: ServerProcess
    let cookie: String
    var port: UInt16 { process.port }

    /// Starts the server, with options besides the store, and signs in with its token.
    init(_ openhealth: String, store: String, _ options: [String] = []) throws {
        var program = Program(openhealth)
        program.arguments = ["serve", "--store", store] + options
        process = try ServerProcess(program)
        guard let query = process.url.query else {
            throw Failure("serve's address has no token.")
        }
        let response = try PageClient(port: process.port, cookie: "").get("/?" + query)
        guard
            let cookie = response.head.components(separatedBy: "set-cookie: ").dropFirst().first?
                .split(separator: ";").first
        else { throw Failure("serve gave no cookie for its token.") }
        self.cookie = String(cookie)
    }

    func client() throws(Failure) -> PageClient { try PageClient(port: port, cookie: cookie) }
}

/// A keep-alive connection that requests one page after another. If the server has closed it, because it
/// was idle, the next request opens another one, as HTTP clients do.
final class PageClient {
    struct Response {
        /// The response head, in lowercase.
        var head: String
        var body: Data
        /// The seconds from the request to the first byte of the response.
        var firstByte: Double
        var whole: Double
    }

    private var socket: Int32
    private let port: UInt16
    private let cookie: String

    init(port: UInt16, cookie: String) throws(Failure) {
        self.port = port
        self.cookie = cookie
        socket = try Self.connected(to: port)
    }

    private static func connected(to port: UInt16) throws(Failure) -> Int32 {
        #if canImport(Glibc)
            let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(socket)
            throw Failure("serve can't be reached.")
        }
        return socket
    }

    /// Whether the server has closed the connection.
    private var isClosed: Bool {
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        return recv(socket, &byte, 1, flags) == 0
    }

    deinit { close(socket) }

    func get(_ address: String) throws(Failure) -> Response {
        try response(to: Array(head("GET", address).utf8), address)
    }

    /// Requests data as a person with a token.
    func get(_ address: String, token: String) throws(Failure) -> Response {
        let fields = ["Authorization: Bearer \(token)"]
        return try response(to: Array(head("GET", address, fields).utf8), address)
    }

    /// Posts a body as a device with a token.
    func post(_ body: [UInt8], to address: String, token: String) throws(Failure) -> Response {
        let fields = [
            "Authorization: Bearer \(token)", "Content-Type: application/json",
            "Content-Length: \(body.count)",
        ]
        return try response(to: Array(head("POST", address, fields).utf8) + body, address)
    }

    /// Requests the event stream, which doesn't end, and waits for its first byte.
    func listen() throws(Failure) {
        try write(Array(head("GET", "/events").utf8))
        try waitForBytes()
    }

    /// Waits for the next bytes of the event stream.
    func waitForBytes() throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        guard recv(socket, &buffer, buffer.count, 0) > 0 else {
            throw Failure("serve ended the event stream.")
        }
    }

    /// Discards what has arrived of the event stream.
    func discardBytes() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    private func head(_ method: String, _ address: String, _ fields: [String] = []) -> String {
        let first = [
            "\(method) \(address) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Cookie: \(cookie)",
        ]
        return (first + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                send(socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, 0)
            }
            guard count > 0 else { throw Failure("serve takes no request.") }
            sent += count
        }
    }

    private func response(
        to request: [UInt8], _ address: String
    ) throws(Failure) -> Response {
        let clock = ContinuousClock()
        let start = clock.now
        if isClosed {
            close(socket)
            socket = try Self.connected(to: port)
        }
        try write(request)
        var received = Data()
        var firstByte: Double?
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let end = Data("\r\n\r\n".utf8)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            firstByte = firstByte ?? (clock.now - start) / .seconds(1)
            guard count > 0 else { throw Failure("serve left a request unanswered.") }
            received.append(contentsOf: buffer[..<count])
            guard let border = received.range(of: end) else { continue }
            let head = String(decoding: received[..<border.lowerBound], as: UTF8.self).lowercased()
            guard
                let length = head.components(separatedBy: "content-length: ").dropFirst().first?
                    .split(separator: "\r\n").first.flatMap({ Int($0) })
            else { throw Failure("serve's answer to \(address) has no length.") }
            guard received.distance(from: border.upperBound, to: received.endIndex) >= length else {
                continue
            }
            return Response(
                head: head, body: received[border.upperBound...], firstByte: firstByte ?? 0,
                whole: (clock.now - start) / .seconds(1))
        }
    }
}
