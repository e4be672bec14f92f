import Foundation

/// The checked address of a hook.
package struct HookAddress: Hashable, Sendable {
    /// Why a text is not the address of a hook.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The text isn't a URL, is too long or has characters that a URL doesn't have.
        case malformed
        /// The scheme isn't https.
        case notHTTPS
        /// The URL has a user, a password or a fragment.
        case extraParts

        package var description: String {
            switch self {
            case .malformed: "The address is not a URL. Use one such as https://example.com/health."
            case .notHTTPS: "The address must begin with https://, so that notices are encrypted."
            case .extraParts: "The address must have no user, password or fragment (#)."
            }
        }
    }

    /// The maximum length in bytes.
    private static let maximumLength = 2_000

    /// The address as a text.
    package let url: String
    /// The host's name, or its address in digits without brackets.
    package let host: String
    /// The port.
    package let port: Int

    /// Checks an address.
    ///
    /// - Throws: ``Fault``.
    package init(_ text: String) throws(Fault) {
        let isPrintable = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isPrintable, text.utf8.count <= HookAddress.maximumLength,
            let parts = URLComponents(string: text), let scheme = parts.scheme,
            let host = parts.host, !host.isEmpty
        else { throw .malformed }
        guard scheme.lowercased() == "https" else { throw .notHTTPS }
        guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
            throw .extraParts
        }
        let port = parts.port ?? 443
        guard (1...65_535).contains(port) else { throw .malformed }
        url = text
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
    }
}

/// The addresses that a hook may not reach without permission, so that an address that a person was
/// talked into can't reach devices of their own network.
package enum PublicAddress {
    /// Networks that are not public (IANA's special-purpose registries), multicast, and IPv6 ranges
    /// that contain IPv4 addresses.
    private static let otherNetworks = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap { AddressRange($0) }

    /// The only range of public IPv6 addresses.
    private static let globalUnicast = AddressRange("2000::/3")

    /// Returns whether an address in digits is public. An IPv4 address that is mapped to IPv6 isn't.
    package static func contains(_ address: String) -> Bool {
        if address.contains(":"), globalUnicast?.contains(address) != true { return false }
        guard AddressRange(address) != nil else { return false }
        return !otherNetworks.contains { $0.contains(address) }
    }
}
