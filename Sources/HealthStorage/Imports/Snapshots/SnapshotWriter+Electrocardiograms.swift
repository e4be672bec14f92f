import Foundation
import GRDB
import HealthEngine

extension SnapshotWriter {
    /// What has become of a file other than an export's records.
    package enum FileOutcome: Sendable {
        /// The store had none like it.
        case new
        /// The store has the same, perhaps in another language.
        case known
        /// The file replaces one of the same recording.
        case changed
        /// Another file of the recording stays: less can be read of this one, or this import may not
        /// change what is stored.
        case outdone
    }

    /// A kept file of an electrocardiogram.
    package struct KeptElectrocardiogram {
        /// The bytes of the file.
        package var content: [UInt8]
        /// The number of files of the recording, of which this is the last.
        package var version: Int
    }

    /// Returns the file of an electrocardiogram that is in the store, from this import or an
    /// earlier one; nil if there is none.
    ///
    /// - Parameter recorded: When it was recorded, in seconds since the reference date.
    /// - Throws: An error if the store can't be read.
    package func electrocardiogramFile(recorded: Double) throws -> KeptElectrocardiogram? {
        guard let content = try SampleStore.electrocardiogramFile(recorded: recorded, db) else {
            return nil
        }
        let version = try Int.readOne(
            db, sql: "SELECT count(*) FROM export_file WHERE kind = ? AND recorded = ?",
            arguments: [CompanionKind.electrocardiogram.rawValue, recorded])
        return KeptElectrocardiogram(content: content, version: version ?? 1)
    }

    /// Stores the file of an electrocardiogram, unless the store has the same or a better one
    /// (Semantics §10.5c).
    ///
    /// The file that it replaces stays in the store for an undo of this import, if an earlier import
    /// has stored it.
    ///
    /// - Parameters:
    ///   - bytes: The file from the line of the recorded date on.
    ///   - name: The path in the export.
    ///   - recorded: When it was recorded, in seconds since the reference date. Files of the same
    ///     time are of the same recording.
    ///   - completeness: Whether any element of the export was lost.
    /// - Throws: ``StoreError`` of code `cancelled` if the import was cancelled, or another error
    ///   if the store can't be written.
    /// - Complexity: O(log n + bytes of both files).
    package func storeElectrocardiogram(
        _ bytes: [UInt8], name: String, recorded: Double, _ completeness: SnapshotCompleteness
    ) throws -> FileOutcome {
        try stopIfCancelled()
        let kind = CompanionKind.electrocardiogram
        let row = try CheckedRow.readOne(
            db,
            sql: "SELECT id, import, content FROM export_file WHERE kind = ? AND recorded = ? "
                + "ORDER BY id DESC LIMIT 1",
            arguments: [kind.rawValue, recorded])
        guard let row else {
            try insertFile(bytes, name: name, kind: kind, recorded: recorded)
            return .new
        }
        let (id, number, data): (Int64, Int64, Data) = (
            try row["id"], try row["import"], try row["content"]
        )
        let content = [UInt8](data)
        if content == bytes { return .known }
        let (old, new) = (ElectrocardiogramReading(content), ElectrocardiogramReading(bytes))
        if new.hasLess(than: old) { return .outdone }
        let hasMore = old.hasLess(than: new)
        if !hasMore, new.isSame(as: old) { return .known }
        if number == importID {
            if !hasMore { return .outdone }
            try db.execute(
                sql: "UPDATE export_file SET name = ?, content = ? WHERE id = ?",
                arguments: [name, Data(bytes), id])
            return .changed
        }
        if !hasMore, !isLatest { return .outdone }
        // Only a snapshot changes samples of earlier imports.
        if old.fault == nil, !isLatest || completeness == .damaged {
            outcome.notApplied += 1
            return .outdone
        }
        try insertFile(bytes, name: name, kind: kind, recorded: recorded)
        return .changed
    }
}
