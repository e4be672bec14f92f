import Foundation

/// A range of IP addresses in CIDR notation, such as "10.0.0.0/8" or "fd00::/8".
package struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// The addresses of this computer.
    static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

    /// Parses a range, or a single address.
    ///
    /// - Parameter text: An address in digits, with or without “/” and a number of bits.
    /// - Returns: nil for other texts.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, let bytes = AddressRange.bytes(String(address)) else {
            return nil
        }
        let width = bytes.count * 8
        guard let bits = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(bits) else {
            return nil
        }
        self.bytes = bytes
        self.bits = bits
    }

    /// Returns whether an address in digits is in the range. An IPv4 address that is mapped to IPv6
    /// counts as IPv4.
    func contains(_ address: String) -> Bool {
        guard let other = AddressRange.bytes(address), other.count == bytes.count else {
            return false
        }
        return (0..<bits).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> (bit % 8)
            return bytes[bit / 8] & mask == other[bit / 8] & mask
        }
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    private static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        return bytes.starts(with: mappedPrefix) ? Array(bytes.suffix(4)) : bytes
    }
}
