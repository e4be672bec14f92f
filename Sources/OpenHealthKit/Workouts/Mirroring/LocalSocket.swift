import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Unix sockets beside a store's file, over which processes of this machine exchange messages
/// about workout sessions. Nothing leaves the machine.
enum LocalSocket {
    /// Creates a socket at a path, on which other processes can connect. Only this user can.
    ///
    /// The socket is created under a temporary name and renamed, so that nobody finds one to which
    /// connections are refused.
    ///
    /// - Returns: The descriptor; nil if the system refuses, or if the name is too long.
    static func listening(at path: String) -> Int32? {
        let hidden = path + ".new"
        unlink(hidden)
        guard let descriptor = made() else { return nil }
        let isReady =
            withAddress(of: hidden) { address, length in
                bind(descriptor, address, length) == 0
            } ?? false
        guard isReady, chmod(hidden, 0o600) == 0, listen(descriptor, 16) == 0,
            rename(hidden, path) == 0
        else {
            close(descriptor)
            unlink(hidden)
            return nil
        }
        return descriptor
    }

    /// The result of ``connection(to:)``.
    enum Connection {
        case connected(Int32)
        /// The process that listened at the path has ended.
        case abandoned
        case failed
    }

    /// Connects to the socket at a path.
    static func connection(to path: String) -> Connection {
        guard let descriptor = made() else { return .failed }
        let code = withAddress(of: path) { address, length in
            connect(descriptor, address, length) == 0 ? 0 : errno
        }
        if code == 0 { return .connected(descriptor) }
        close(descriptor)
        return code == ECONNREFUSED ? .abandoned : .failed
    }

    /// Accepts a connection; nil if there is none.
    static func accepted(from listener: Int32) -> Int32? {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0 { return nil }
        configure(descriptor)
        return descriptor
    }

    /// Returns two connected sockets of this process; nil if the system refuses.
    static func pair() -> (Int32, Int32)? {
        var descriptors: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamType, 0, &descriptors) == 0 else { return nil }
        descriptors.forEach(configure)
        return (descriptors[0], descriptors[1])
    }

    /// Writes as many bytes as possible. Doesn't wait, and raises no signal if the other side has
    /// closed the connection.
    ///
    /// - Returns: The number of bytes; negative, with `errno`, if there are none.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        #if canImport(Darwin)
            send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
            send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    private static func made() -> Int32? {
        let descriptor = socket(AF_UNIX, streamType, 0)
        if descriptor < 0 { return nil }
        configure(descriptor)
        return descriptor
    }

    /// Makes reads and writes return at once, and closes the descriptor in started programs.
    private static func configure(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(
                descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Calls a closure with the address of a path.
    ///
    /// An address has about a hundred bytes. On Linux, a path in a deep folder is shortened through
    /// a descriptor of the folder.
    ///
    /// - Returns: The closure's result; nil if the address is too long.
    private static func withAddress<Result>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        var address = sockaddr_un()
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        var text = path
        var folder: Int32 = -1
        defer { if folder >= 0 { close(folder) } }
        #if os(Linux)
            if text.utf8.count >= capacity, let slash = path.lastIndex(of: "/") {
                folder = open(String(path[...slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                text = "/proc/self/fd/\(folder)/" + path[path.index(after: slash)...]
            }
        #endif
        guard text.utf8.count < capacity else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
