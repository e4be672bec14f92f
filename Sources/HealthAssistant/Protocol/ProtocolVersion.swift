/// The versions of the Model Context Protocol that the server speaks.
package enum ProtocolVersion: String, CaseIterable, Sendable {
    // Newest first, the order in which they are listed.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"

    /// Whether each request states the version, instead of an `initialize` at the beginning.
    package var isStateless: Bool { self == .stateless }

    /// The version that a handshake results in: the requested one if it has a handshake, otherwise
    /// the newest that has.
    package static func negotiated(_ requested: String) -> ProtocolVersion {
        guard let version = ProtocolVersion(rawValue: requested), !version.isStateless else {
            return .november2025
        }
        return version
    }
}
