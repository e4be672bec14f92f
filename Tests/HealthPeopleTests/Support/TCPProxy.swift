import Foundation
import Synchronization

/// A proxy before a server on 127.0.0.1 that can keep silent, or lose the connection at a chosen
/// message.
final class TCPProxy: @unchecked Sendable {
    // Unchecked: `mode` and `sockets` are accessed only while `lock` is held.

    /// What the proxy does with bytes.
    enum Mode: Sendable {
        case forward
        /// Keeps the connections open and forwards nothing: a black hole.
        case silence
        /// Reads nothing more, so that the sender's buffers fill.
        case stop
        /// Ends the connection when the client sends this text, which the server doesn't receive.
        case loseRequest(String)
        /// Forwards a request with this text, and ends the connection when the server answers.
        case loseAnswer(String)
    }

    let port: Int
    private let lock = NSLock()
    private var mode = Mode.forward
    private var sockets: Set<Int32> = []
    private let listener: Int32
    private let target: Int

    /// Starts a proxy before the server of a port.
    init(to target: Int) throws {
        self.target = target
        (listener, port) = try Self.listen()
        let listener = listener
        start { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.forward(client)
            }
        }
    }

    deinit { close(listener) }

    /// Ends the proxy and its connections.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        lock.withLock {
            for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            sockets = []
        }
    }

    func set(_ mode: Mode) { lock.withLock { self.mode = mode } }

    /// The ports that ``freePort()`` hasn't tried yet. The kernel assigns none of them to clients,
    /// so a server finds its port free again after a restart.
    private static let ports: Mutex<[Int]> = {
        // Processes that run at the same time begin at different ports.
        let first = Int(getpid()) * 97 % 22_000
        return Mutex((0..<22_000).map { 10_000 + (first + 22_000 - $0) % 22_000 })
    }()

    /// Returns a port on which nothing listens now, each time another one.
    static func freePort() throws -> Int {
        for _ in 0..<1000 {
            guard let port = ports.withLock({ $0.popLast() }) else { break }
            if let (socket, _) = try? listen(port) {
                close(socket)
                return port
            }
        }
        throw POSIXError(.EADDRNOTAVAIL)
    }

    /// Returns a socket that listens on a port, or on a free one. Without `accept`, clients are
    /// connected by the kernel and never answered.
    static func listen(_ port: Int = 0) throws -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, streamType, 0)
        var (address, size) = (localAddress(port), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && Foundation.listen(listener, 64) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else {
            close(listener)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    private static func localAddress(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func start(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }
}

// MARK: - Forwarding

extension TCPProxy {
    private func forward(_ client: Int32) {
        let server = socket(AF_INET, Self.streamType, 0)
        var address = Self.localAddress(target)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(client)
            close(server)
            return
        }
        lock.withLock { sockets.formUnion([client, server]) }
        let connection = Connection(client: client, server: server)
        start { self.pump(connection, isRequest: true) }
        start { self.pump(connection, isRequest: false) }
    }

    /// The two sockets of a connection, closed when both threads have ended.
    private final class Connection: @unchecked Sendable {
        // Unchecked: `isLosing` is accessed only while the lock of the proxy is held.
        let client: Int32
        let server: Int32
        var isLosing = false

        init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

        func end() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }

        deinit {
            close(client)
            close(server)
        }
    }

    private func pump(_ connection: Connection, isRequest: Bool) {
        let (source, sink) =
            isRequest
            ? (connection.client, connection.server) : (connection.server, connection.client)
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            switch decide(connection, buffer[..<count], isRequest: isRequest) {
            case .forward:
                guard send(sink, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
            case .silence: continue
            case .stop: while lock.withLock({ sockets.contains(source) }) { usleep(10_000) }
            default: connection.end()
            }
        }
        connection.end()
        _ = lock.withLock { sockets.remove(source) }
    }

    /// Returns what to do with bytes: forward, keep silent, or else end the connection.
    private func decide(
        _ connection: Connection, _ bytes: ArraySlice<UInt8>, isRequest: Bool
    ) -> Mode {
        lock.withLock {
            switch mode {
            case .forward, .silence, .stop: return mode
            case .loseRequest(let text):
                return isRequest && bytes.contains(text) ? mode : .forward
            case .loseAnswer(let text):
                if isRequest, bytes.contains(text) { connection.isLosing = true }
                return !isRequest && connection.isLosing ? mode : .forward
            }
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: pattern) }
    }
}
