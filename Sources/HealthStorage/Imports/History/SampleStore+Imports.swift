import Foundation
import GRDB

/// One import that a store remembers.
public struct ImportSummary: Hashable, Sendable {
    /// 1 for the first; what `openhealth imports` calls it.
    public var number: Int64
    /// The file's name, without its folder.
    public var file: String
    /// When the phone made the export, in reference seconds; nil if the file doesn't say.
    public var exportDate: Double?
    /// The phone's language and region, "en_FR"; nil if the file doesn't say.
    public var locale: String?
    public var importedAt: Double
    public var kind: SnapshotOutcome.Kind
    /// The size of its xml.
    public var bytes: Int64
    /// The report as it was told, in JSON: `ImportReport.json`.
    public var ledger: String

    static let columns = "id, file, export_date, locale, imported_at, kind, bytes, ledger"

    /// Reads the columns above.
    init(_ row: CheckedRow) throws {
        number = try row["id"]
        file = try row["file"]
        exportDate = try row["export_date"]
        locale = try row["locale"]
        importedAt = try row["imported_at"]
        kind = SnapshotOutcome.Kind(rawValue: try row["kind"]) ?? .partial
        bytes = try row["bytes"]
        ledger = try row["ledger"]
        let object = try? JSONSerialization.jsonObject(with: Data(ledger.utf8))
        guard let object = object as? [String: Any], ImportSummary.hasSmallNumbers(object) else {
            throw StoreError.damaged("import.ledger, row \(number)")
        }
    }

    /// Whether counts can be added up without a second look.
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
    /// Every import into the store, the newest first.
    ///
    /// - Complexity: O(imports).
    public func imports() throws -> [ImportSummary] {
        try read { db in
            try CheckedRow.readAll(
                db, sql: "SELECT \(ImportSummary.columns) FROM import ORDER BY id DESC"
            ).map(ImportSummary.init)
        }
    }

    /// The bytes of the store's file and of what SQLite keeps beside it; 0 for one in memory.
    public var fileSize: Int64 {
        ["", "-wal", "-shm"].reduce(0) { size, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            return size + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }
}
