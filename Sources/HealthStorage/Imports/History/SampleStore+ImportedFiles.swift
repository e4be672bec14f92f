import Foundation
import GRDB

/// An element of an imported file that is unknown, not supported or invalid, as text.
package struct RawElement: Hashable, Sendable {
    /// The name of the element, such as "ClinicalRecord"; empty for bytes that are no element.
    package var element: String
    /// Why the element is kept.
    package var reason: SnapshotWriter.RawReason
    /// The text of the element.
    package var xml: String
}

/// A file of an export other than its records.
package struct ImportedFile: Hashable, Sendable {
    /// The kind of the file.
    package var kind: SnapshotWriter.CompanionKind
    /// The path in the export, such as "electrocardiograms/ecg_2024-03-10.csv".
    package var name: String
    /// When it was recorded, in seconds since the reference date; nil except for
    /// electrocardiograms.
    package var recorded: Double?
    /// The bytes of the file.
    package var content: [UInt8]
}

extension SampleStore {
    /// Calls `body` with every raw element, in order of import and position.
    ///
    /// - Parameter body: Receives each element.
    /// - Throws: ``StoreError`` if the file can't be read, and errors of `body`.
    /// - Complexity: O(n log n) for n elements.
    package func forEachRawElement(_ body: (RawElement) throws -> Void) throws {
        try read { db in
            try CheckedRow.forEach(
                db,
                sql: "SELECT element, reason, xml FROM raw_element ORDER BY import, position, id"
            ) { row in
                let reason: String = try row["reason"]
                try body(
                    RawElement(
                        element: row["element"], reason: .init(rawValue: reason) ?? .unknown,
                        xml: row["xml"]))
            }
        }
    }

    /// Calls `body` with every kept file, in order of name. Among equal names, that of the newest
    /// import is first. Of the files of an electrocardiogram, only the newest is passed.
    ///
    /// - Parameter body: Receives each file.
    /// - Throws: ``StoreError`` if the file can't be read, and errors of `body`.
    /// - Complexity: O(bytes of the files + n log n) for n files.
    package func forEachImportedFile(_ body: (ImportedFile) throws -> Void) throws {
        try read { db in
            try CheckedRow.forEach(
                db,
                sql: "SELECT kind, name, recorded, content FROM export_file "
                    + "WHERE \(SampleStore.isNewestFile) ORDER BY name, import DESC, id"
            ) { row in
                let (kind, content): (String, Data) = (try row["kind"], try row["content"])
                guard let kind = SnapshotWriter.CompanionKind(rawValue: kind) else { return }
                try body(
                    ImportedFile(
                        kind: kind, name: row["name"], recorded: row["recorded"],
                        content: [UInt8](content)))
            }
        }
    }
}
