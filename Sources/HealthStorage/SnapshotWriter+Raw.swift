import GRDB
public import HealthEngine

extension SnapshotWriter {
    /// Why an element is kept as it stood.
    public enum RawReason: String, Sendable {
        /// An element nobody knows.
        case unknown
        /// A known element whose typed form is not built yet.
        case untyped
        /// A record that is wrong by itself.
        case quarantined
        /// Bytes that are no element.
        case malformed
    }

    /// Keeps an element of the file as text, once: the same text of an earlier import is not kept again.
    public func keep(_ xml: String, element: String, reason: RawReason, at offset: Int64) throws {
        let digest = StoredText.digest(xml)
        findRaw.bind(digest, at: 1)
        var isKnown = false
        while try !isKnown && findRaw.step() { isKnown = findRaw.text(0) == xml }
        findRaw.reset()
        if isKnown { return }
        insertRaw.bind(importID, at: 1)
        insertRaw.bind(offset, at: 2)
        try insertRaw.bind(element, at: 3)
        try insertRaw.bind(reason.rawValue, at: 4)
        insertRaw.bind(digest, at: 5)
        try insertRaw.bind(xml, at: 6)
        try insertRaw.run()
    }

    /// Counts a sample that is wrong by itself and keeps its element.
    public func quarantine(
        _ xml: String, element: String, kind: SampleType.Kind, at offset: Int64
    ) throws {
        outcome[kind].quarantined += 1
        try keep(xml, element: element, reason: .quarantined, at: offset)
    }

    /// Notes what the file says of the person; ``finish(_:)`` takes it over, an import that only adds
    /// filling gaps alone.
    ///
    /// - Parameter values: By Apple's characteristic identifiers, as exported.
    public func setCharacteristics(_ values: [String: String]) { characteristics = values }

    func settleCharacteristics() throws {
        for (identifier, value) in characteristics.sorted(by: { $0.key < $1.key }) {
            let old = try String.readOne(
                db, sql: "SELECT value FROM characteristic WHERE identifier = ?",
                arguments: [identifier])
            if old == value || (old != nil && outcome.kind != .snapshot) { continue }
            try db.execute(
                sql: "INSERT INTO characteristic (identifier, value) VALUES (?, ?) "
                    + "ON CONFLICT (identifier) DO UPDATE SET value = excluded.value",
                arguments: [identifier, value])
        }
    }
}
