import Foundation
import GRDB

/// An element of an imported file that nothing reads yet, or that is wrong by itself, as it stood.
public struct RawElement: Hashable, Sendable {
    /// "ClinicalRecord"; empty for bytes that are no element.
    public var element: String
    public var reason: SnapshotWriter.RawReason
    public var xml: String
}

/// A file of an import beside its records.
public struct KeptFile: Hashable, Sendable {
    public var kind: SnapshotWriter.CompanionKind
    /// Its path in the export: "electrocardiograms/ecg_2024-03-10.csv".
    public var name: String
    /// When it was recorded, in reference seconds; nil for what isn't an electrocardiogram.
    public var recorded: Double?
    public var content: [UInt8]
}

extension SampleStore {
    /// Hands every raw element to `body`, in the order they were met.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    /// - Complexity: O(elements), one in memory at a time.
    public func forEachRawElement(_ body: (RawElement) throws -> Void) throws {
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

    /// Hands every kept file to `body`, by name, of one name the newest first.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    /// - Complexity: O(bytes of the files), one file in memory at a time.
    public func forEachKeptFile(_ body: (KeptFile) throws -> Void) throws {
        try read { db in
            try CheckedRow.forEach(
                db,
                sql: "SELECT kind, name, recorded, content FROM export_file "
                    + "ORDER BY name, import DESC, id"
            ) { row in
                let (kind, content): (String, Data) = (try row["kind"], try row["content"])
                guard let kind = SnapshotWriter.CompanionKind(rawValue: kind) else { return }
                try body(
                    KeptFile(
                        kind: kind, name: row["name"], recorded: row["recorded"],
                        content: [UInt8](content)))
            }
        }
    }
}
