import Foundation
import GRDB

/// An import in the history of a store.
public struct ImportSummary: Hashable, Sendable {
    /// The number of the import, from 1, as shown by `openhealth imports`.
    public var number: Int64
    /// The name of the file, without its folder.
    public var file: String
    /// When the iPhone created the export, in seconds since the reference date; nil if the file
    /// doesn't say.
    public var exportDate: Double?
    /// The language and region of the iPhone, such as "en_FR"; nil if the file doesn't say.
    public var locale: String?
    /// When the import ran, in seconds since the reference date.
    public var importedAt: Double
    /// Which changes the import could make.
    public var kind: SnapshotOutcome.Kind
    /// The size of the XML file in bytes.
    public var bytes: Int64
    /// The import's report as JSON, as in `ImportReport.json`.
    public var ledger: String

    static let columns = "id, file, export_date, locale, imported_at, kind, bytes, ledger"

    /// Reads a row with the columns of ``columns``.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` if the report isn't a JSON object or has huge
    ///   numbers.
    init(_ row: CheckedRow) throws {
        number = try row["id"]
        file = try row["file"]
        exportDate = try row["export_date"]
        locale = try row["locale"]
        importedAt = try row["imported_at"]
        kind = SnapshotOutcome.Kind(rawValue: try row["kind"]) ?? .partial
        bytes = try row["bytes"]
        ledger = try row["ledger"]
        // A ledger that isn't JSON is reported as damaged below.
        let object = try? JSONSerialization.jsonObject(with: Data(ledger.utf8))
        guard let object = object as? [String: Any], ImportSummary.hasSmallNumbers(object) else {
            throw StoreError.damaged("import.ledger, row \(number)")
        }
    }

    /// Returns whether all numbers in a JSON value are below 10¹⁵, so that they can be added
    /// without overflow.
    private static func hasSmallNumbers(_ value: Any) -> Bool {
        switch value {
        case let object as [String: Any]: object.values.allSatisfy(hasSmallNumbers)
        case let list as [Any]: list.allSatisfy(hasSmallNumbers)
        case let number as NSNumber: abs(number.doubleValue) < 1e15
        default: true
        }
    }
}

extension SampleStore {
    /// Returns all imports into the store.
    ///
    /// - Returns: One summary for each import, newest first.
    /// - Throws: ``StoreError`` if the file can't be read, or a report is damaged.
    /// - Complexity: O(imports).
    public func imports() throws -> [ImportSummary] {
        try read { db in
            try CheckedRow.readAll(
                db, sql: "SELECT \(ImportSummary.columns) FROM import ORDER BY id DESC"
            ).map(ImportSummary.init)
        }
    }

    /// Returns the last import into the store if it was of the file with a digest, and nothing was
    /// saved, received, removed or undone since. Importing the file once more would change nothing
    /// then.
    ///
    /// An import that lost parts of a damaged file doesn't count, since its file can have the
    /// digest of the intact one.
    ///
    /// - Parameter digest: The digest of an export, see ``SnapshotDescription/digest``.
    /// - Returns: The import, or nil.
    /// - Throws: ``StoreError`` if the file can't be read, or the report is damaged.
    /// - Complexity: O(log *i*) for *i* imports.
    package func unchangedImport(ofDigest digest: String) throws -> ImportSummary? {
        try read { db in
            let last = try CheckedRow.readAll(
                db,
                sql: """
                    SELECT \(ImportSummary.columns) FROM import
                    WHERE id = (SELECT max(id) FROM import) AND digest = ?
                        AND kind <> 'partial' AND last_sequence = ?
                    """, arguments: [digest, SampleStore.lastSequence(db)])
            return try last.first.map(ImportSummary.init)
        }
    }

    /// The size in bytes of the store's file and of SQLite's files `-wal` and `-shm` beside it; 0
    /// for a store in memory.
    package var fileSize: Int64 {
        ["", "-wal", "-shm"].reduce(0) { size, suffix in
            // A missing file counts as 0 bytes.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return size + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }
}
