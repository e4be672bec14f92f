import Foundation
import GRDB

extension SnapshotWriter {
    /// What a file beside an export's records is.
    public enum CompanionKind: String, Sendable {
        case electrocardiogram, clinicalRecord, attachment
    }

    /// Keeps a file of the export as it stands, once; false if an earlier import brought it.
    ///
    /// - Parameters:
    ///   - name: Its path in the export.
    ///   - recorded: When it was recorded, in reference seconds. Two of one kind and moment are the
    ///     same one, whatever language and time zone the phone printed it in.
    /// - Throws: ``StoreError`` of code `cancelled` when asked to stop.
    public func keepFile(
        _ bytes: [UInt8], name: String, kind: CompanionKind, recorded: Double? = nil
    ) throws -> Bool {
        try stopIfCancelled()
        if let recorded {
            let known = try Int.readOne(
                db, sql: "SELECT 1 FROM export_file WHERE kind = ? AND recorded = ?",
                arguments: [kind.rawValue, recorded])
            if known != nil { return false }
        } else {
            let contents = try Data.readAll(
                db, sql: "SELECT content FROM export_file WHERE kind = ? AND name = ?",
                arguments: [kind.rawValue, name])
            if contents.contains(where: { $0.elementsEqual(bytes) }) { return false }
        }
        try db.execute(
            sql: "INSERT INTO export_file (import, kind, name, recorded, content) "
                + "VALUES (?, ?, ?, ?, ?)",
            arguments: [importID, kind.rawValue, name, recorded, Data(bytes)])
        return true
    }
}
