import Crypto
import Foundation

/// The key that seals a person's data. Without it, the person's log can't be read by anybody.
struct PersonKey: Sendable {
    /// Counts the keys of a person, from 1.
    var version: Int64
    var key: SymmetricKey

    /// Creates a random key.
    init(version: Int64) {
        self.version = version
        key = SymmetricKey(size: .bits256)
    }

    /// Unwraps a key.
    ///
    /// - Throws: ``PeopleError/wrongOperatorKey`` for another operator key or another person.
    init(
        wrapped: [UInt8], version: Int64, of person: String, by operatorKey: OperatorKey
    ) throws(PeopleError) {
        guard let box = try? AES.GCM.SealedBox(combined: wrapped),
            let bytes = try? AES.GCM.open(
                box, using: operatorKey.key,
                authenticating: PersonKey.binding(person, version))
        else { throw .wrongOperatorKey }
        self.version = version
        key = SymmetricKey(data: bytes)
    }

    /// Returns the key, sealed with the operator's key.
    func wrapped(for person: String, by operatorKey: OperatorKey) throws(PeopleError) -> [UInt8] {
        let bytes = key.withUnsafeBytes { Data($0) }
        guard
            let combined = try? AES.GCM.seal(
                bytes, using: operatorKey.key,
                authenticating: PersonKey.binding(person, version)
            ).combined
        else { throw .sealingFailed }
        return [UInt8](combined)
    }

    private static func binding(_ person: String, _ version: Int64) -> [UInt8] {
        var binding = SealBinding()
        binding.add("person key")
        binding.add(person)
        binding.add(version)
        return binding.bytes
    }
}
