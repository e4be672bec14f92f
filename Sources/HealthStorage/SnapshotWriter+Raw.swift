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
        let known = try String.readAll(
            db, sql: "SELECT xml FROM raw_element WHERE digest = ?", arguments: [digest])
        if known.contains(xml) { return }
        try db.execute(
            sql: "INSERT INTO raw_element (import, position, element, reason, digest, xml) "
                + "VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [importID, offset, element, reason.rawValue, digest, xml])
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
