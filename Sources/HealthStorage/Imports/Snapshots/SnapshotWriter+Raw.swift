import Foundation
import GRDB
package import HealthEngine

extension SnapshotWriter {
    /// Why an element is kept as text.
    package enum RawReason: String, Sendable {
        /// The element isn't known.
        case unknown
        /// The element is known, but not supported yet.
        case untyped
        /// The record is invalid.
        case quarantined
        /// The bytes are no element.
        case malformed
    }

    /// Stores an element of the file as text, unless an equal text is stored already.
    ///
    /// - Parameters:
    ///   - xml: The text of the element.
    ///   - element: The name of the element; empty for bytes that are no element.
    ///   - reason: Why the element is kept.
    ///   - offset: The position of the element in the file, in bytes.
    /// - Throws: An error if the file can't be written.
    package func storeRaw(
        _ xml: String, element: String, reason: RawReason, at offset: Int64
    ) throws {
        let digest = StoredText.digest(xml)
        try findRaw.bind(digest, to: .value)
        var isKnown = false
        while try !isKnown && findRaw.step() { isKnown = try findRaw.text(.value) == xml }
        findRaw.reset()
        if isKnown { return }
        try insertRaw.bind(importID, to: .import)
        try insertRaw.bind(offset, to: .position)
        try insertRaw.bind(element, to: .element)
        try insertRaw.bind(reason.rawValue, to: .reason)
        try insertRaw.bind(digest, to: .digest)
        try insertRaw.bind(xml, to: .xml)
        try insertRaw.run()
    }

    /// Counts an invalid sample and keeps its element.
    ///
    /// - Parameters:
    ///   - xml: The text of the element.
    ///   - element: The name of the element.
    ///   - kind: The kind of the sample.
    ///   - offset: The position of the element in the file, in bytes.
    /// - Throws: An error if the file can't be written.
    package func quarantine(
        _ xml: String, element: String, kind: SampleType.Kind, at offset: Int64
    ) throws {
        outcome[kind].quarantined += 1
        try storeRaw(xml, element: element, reason: .quarantined, at: offset)
    }

    /// Sets the person's characteristics in the file, which ``finish(_:)`` stores. An import that
    /// only adds doesn't replace existing values.
    ///
    /// - Parameter values: The values by Apple's identifiers, as exported.
    package func setCharacteristics(_ values: [String: String]) { characteristics = values }

    func resolveCharacteristics() throws {
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

extension SnapshotWriter {
    /// The kind of a file other than an export's records.
    package enum CompanionKind: String, Sendable {
        case electrocardiogram, clinicalRecord, attachment
    }

    /// Stores a file of the export other than an electrocardiogram, unless the store has one of the
    /// same name and content.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - name: The path in the export.
    ///   - kind: The kind of the file.
    /// - Returns: Whether the file is new; false if it was kept before.
    /// - Throws: ``StoreError`` of code `cancelled` if the import was cancelled, or another error
    ///   if the store can't be written.
    /// - Complexity: O(kept files of this kind and name, with their contents).
    package func storeFile(
        _ bytes: [UInt8], name: String, kind: CompanionKind
    ) throws -> Bool {
        try stopIfCancelled()
        let contents = try Data.readAll(
            db, sql: "SELECT content FROM export_file WHERE kind = ? AND name = ?",
            arguments: [kind.rawValue, name])
        if contents.contains(where: { $0.elementsEqual(bytes) }) { return false }
        try insertFile(bytes, name: name, kind: kind)
        return true
    }

    func insertFile(
        _ bytes: [UInt8], name: String, kind: CompanionKind, recorded: Double? = nil
    ) throws {
        try db.execute(
            sql: "INSERT INTO export_file (import, kind, name, recorded, content) "
                + "VALUES (?, ?, ?, ?, ?)",
            arguments: [importID, kind.rawValue, name, recorded, Data(bytes)])
    }
}
