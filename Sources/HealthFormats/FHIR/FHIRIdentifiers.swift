import HealthEngine

/// Deterministic identifiers of resources: the same data of the same store has the same one in each
/// export, so that a second export updates.
///
/// They are UUIDs of version 8: the first 122 bits of a SHA-256 digest of the store's identifier,
/// the kind of the resource, and its key, such as the UUID of a sample. The UUID of a sample alone
/// won't do, because two persons' imported samples can have the same.
struct FHIRIdentifiers: Sendable {
    private let namespace: String

    init(store: String) { namespace = "openhealthkit/fhir/1\n" + store + "\n" }

    func identifier(_ kind: String, _ key: String) -> String {
        var digest = SHA256()
        digest.update(Array((namespace + kind + "\n" + key).utf8))
        var bytes = Array(digest.bytes().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += FHIRIdentifiers.digits[Int(byte >> 4)]
            text += FHIRIdentifiers.digits[Int(byte & 0x0F)]
        }
        return text
    }

    private static let digits = "0123456789abcdef".map(String.init)
}
