import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The network addresses of this computer.
enum NetworkAddresses {
    /// Returns the URLs at which other devices reach a server that listens on all interfaces; none
    /// if it listens on a single address.
    ///
    /// - Parameters:
    ///   - loopback: The server's URL with its loopback address.
    ///   - listen: The address that the server listens on.
    static func urls(of loopback: String, listeningOn listen: String) -> [String] {
        guard listen == "0.0.0.0" || listen == "::" else { return [] }
        return urls(of: loopback, at: all(IPv6: listen == "::"))
    }

    static func urls(of loopback: String, at addresses: [String]) -> [String] {
        for host in ["//127.0.0.1", "//[::1]"] {
            guard let range = loopback.range(of: host) else { continue }
            return addresses.map { address in
                let shown = address.contains(":") ? "[\(address)]" : address
                return loopback.replacingCharacters(in: range, with: "//" + shown)
            }
        }
        return []
    }

    /// Returns the addresses of this computer's network interfaces, except loopback and link-local
    /// ones.
    private static func all(IPv6 hasIPv6: Bool) -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr else { continue }
            let family = Int32(address.pointee.sa_family)
            let length: Int
            switch family {
            case AF_INET: length = MemoryLayout<sockaddr_in>.size
            case AF_INET6 where hasIPv6: length = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            var name = [CChar](repeating: 0, count: 1025)
            guard
                getnameinfo(
                    address, socklen_t(length), &name, socklen_t(name.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else { continue }
            let text = String(
                decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let isLocal =
                text.hasPrefix("127.") || text == "::1" || text.lowercased().hasPrefix("fe80")
                || text.hasPrefix("169.254.")
            if !isLocal, !found.contains(text) { found.append(text) }
        }
        return found
    }
}
