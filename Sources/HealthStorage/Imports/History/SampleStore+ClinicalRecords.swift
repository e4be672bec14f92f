import Foundation
import GRDB
import HealthEngine

extension SnapshotWriter {
    /// Returns the resource of a clinical record that an import has stored, by the name of its
    /// file. Files that earlier versions kept apart are searched too, the newest first.
    ///
    /// - Parameter fileName: The last component of the file's path.
    /// - Returns: The resource; nil if there is none.
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(n) for n stored clinical records at the first call, then O(log n).
    package func clinicalResource(fileName: String) throws -> String? {
        let known = try clinicalFiles ?? ClinicalFiles(db)
        clinicalFiles = known
        if let sequence = known.sequences[fileName],
            case .clinicalRecord(let record)? = try DetailReader(db).detail(sequence)
        {
            return record.resource
        }
        let content = try Data.readOne(
            db,
            sql: "SELECT content FROM export_file WHERE kind = ? AND name = ? "
                + "ORDER BY import DESC, id DESC",
            arguments: [CompanionKind.clinicalRecord.rawValue, "clinical-records/" + fileName])
        return content.flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// The clinical records of imports by the name of their file.
struct ClinicalFiles {
    /// The sequence numbers of the newest record of each file.
    private(set) var sequences: [String: Int64] = [:]

    init(_ db: Database) throws {
        for type in try SampleStore.knownTypes(db).values where type.isClinicalRecord {
            try CheckedRow.forEach(
                db,
                sql: "SELECT detail.sequence AS sequence, CASE WHEN json_valid(content) "
                    + "THEN json_extract(content, '$.clinicalRecord.file') END AS file "
                    + "FROM sample JOIN detail ON detail.sequence = sample.sequence "
                    + "WHERE type = ? AND uuid IS NULL ORDER BY detail.sequence",
                arguments: [type.code]
            ) { row in
                let (sequence, file): (Int64, String?) = (try row["sequence"], try row["file"])
                guard let name = file?.split(separator: "/").last else { return }
                sequences[String(name)] = sequence
            }
        }
    }
}
