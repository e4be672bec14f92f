import HealthEngine

/// One entry of a person's log: the effect of one transaction on the person's store.
package struct LogEntry: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// The rows that a transaction changed, as an SQLite changeset.
        case changeset
        /// The manifest of a copy of the whole store: a new one, or the one after an import.
        case checkpoint
    }

    /// From 1, without gaps.
    package var number: Int64
    package var kind: Kind
    /// The version of the store's schema.
    package var schema: String
    /// The version of the person's key that seals the payload.
    package var keyVersion: Int64
    /// The hash of the entry before.
    package var previousHash: [UInt8]
    /// The sealed bytes.
    package var payload: [UInt8]

    /// SHA-256(previous hash, header, payload).
    package var hash: [UInt8] {
        var header = SealBinding()
        header.add(number)
        header.add(kind.rawValue)
        header.add(schema)
        header.add(keyVersion)
        var digest = SHA256()
        digest.update(previousHash)
        digest.update(header.bytes)
        digest.update(payload)
        return digest.bytes()
    }

    /// Seals the content of the entry that follows a head.
    init(
        _ kind: Kind, _ content: [UInt8], after head: LogHead, of person: String,
        with key: PersonKey,
        schema: String
    ) throws(PeopleError) {
        let (number, previous) = (head.number + 1, head.hash)
        let binding = LogEntry.binding(person, number, kind, key.version, previous)
        self.init(
            number: number, kind: kind, schema: schema, keyVersion: key.version,
            previousHash: previous,
            payload: try SealedBytes.seal(content, with: key.key, bindingTo: binding))
    }

    init(
        number: Int64, kind: Kind, schema: String, keyVersion: Int64, previousHash: [UInt8],
        payload: [UInt8]
    ) {
        self.number = number
        self.kind = kind
        self.schema = schema
        self.keyVersion = keyVersion
        self.previousHash = previousHash
        self.payload = payload
    }

    /// Returns the content.
    ///
    /// - Throws: ``PeopleError/damagedLog``.
    func content(of person: String, with key: PersonKey) throws(PeopleError) -> [UInt8] {
        try SealedBytes.open(
            payload, with: key.key,
            boundTo: LogEntry.binding(person, number, kind, keyVersion, previousHash))
    }

    private static func binding(
        _ person: String, _ number: Int64, _ kind: Kind, _ keyVersion: Int64, _ previous: [UInt8]
    ) -> [UInt8] {
        var binding = SealBinding()
        binding.add(person)
        binding.add(number)
        binding.add(kind.rawValue)
        binding.add(keyVersion)
        binding.add(previous)
        return binding.bytes
    }
}

/// The answer to a request of a device. Its idempotency key finds it again.
package struct LogReceipt: Hashable, Sendable {
    package var device: String
    /// The request's idempotency key.
    package var key: String
    package var bodyHash: [UInt8]
    /// The sender's position after the request; nil for formats without one.
    package var cursor: String?
    /// The number of the last entry when the request was settled.
    package var number: Int64
    /// The answer as JSON. It contains no health value.
    package var answer: String

    package init(
        device: String, key: String, bodyHash: [UInt8], cursor: String?, number: Int64,
        answer: String
    ) {
        self.device = device
        self.key = key
        self.bodyHash = bodyHash
        self.cursor = cursor
        self.number = number
        self.answer = answer
    }
}
