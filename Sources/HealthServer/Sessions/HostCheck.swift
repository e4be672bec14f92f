#if Server
    /// Checks the requested host, as a protection against DNS rebinding.
    struct HostCheck {
        let port: Int
        /// The port that browsers leave out: that of HTTP or HTTPS.
        let defaultPort: Int
        let listening: HealthServer.Listening

        private static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

        /// Returns whether a request for this host is accepted.
        ///
        /// - Parameter authority: The value of the Host header, such as "127.0.0.1:49321".
        func accepts(_ authority: String) -> Bool {
            let (host, port) = HostCheck.parts(authority.lowercased())
            let isOurPort = port == String(self.port) || (port == nil && self.port == defaultPort)
            if HostCheck.loopback.contains(host), isOurPort { return true }
            guard case .address(let address, let names) = listening else { return false }
            if names.contains(where: { $0.lowercased() == host }) { return true }
            // An IP address can't be rebound, because no name is resolved.
            return isOurPort && (host == address.lowercased() || HostCheck.isAddress(host))
        }

        private static func parts(_ authority: String) -> (host: String, port: String?) {
            guard let colon = authority.lastIndex(of: ":"),
                !authority[colon...].contains("]")
            else { return (authority, nil) }
            return (
                String(authority[..<colon]), String(authority[authority.index(after: colon)...])
            )
        }

        private static func isAddress(_ host: String) -> Bool {
            if host.hasPrefix("["), host.hasSuffix("]") {
                return host.dropFirst().dropLast().allSatisfy {
                    $0.isHexDigit || $0 == ":" || $0 == "."
                }
            }
            let parts = host.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        }
    }
#endif
