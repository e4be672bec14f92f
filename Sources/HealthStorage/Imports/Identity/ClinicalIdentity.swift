import GRDB
import HealthEngine

/// The part of a clinical record's identity that its FHIR resource determines.
enum ClinicalIdentity {
    /// Returns the number of a row (`SampleDetail.identityNumber`).
    ///
    /// - Parameter detail: The stored detail of the row; nil for none.
    /// - Returns: The number; 0 for a row that is no clinical record.
    /// - Throws: ``StoreError`` if the detail of a clinical record is damaged.
    static func number(detail: String?) throws -> UInt64 {
        guard let detail, detail.hasPrefix(StoredText.opening(.clinicalRecord)) else { return 0 }
        return try StoredText.detail(from: detail).identityNumber
    }

    /// Returns the numbers of all clinical records of imports, by sequence number.
    ///
    /// - Throws: ``StoreError`` if the store can't be read. Damaged details are left out, because
    ///   another check reports them.
    /// - Complexity: O(clinical records, with their contents).
    static func numbers(_ db: Database) throws -> [Int64: UInt64] {
        var numbers: [Int64: UInt64] = [:]
        let types = try SampleStore.knownTypes(db).values.filter(\.isClinicalRecord)
        for type in types {
            try CheckedRow.forEach(
                db,
                sql: "SELECT detail.sequence AS sequence, content FROM sample "
                    + "JOIN detail ON detail.sequence = sample.sequence "
                    + "WHERE type = ? AND uuid IS NULL",
                arguments: [type.code]
            ) { row in
                let (sequence, content): (Int64, String) = (
                    try row["sequence"], try row["content"]
                )
                if let detail = try? StoredText.detail(from: content) {
                    numbers[sequence] = detail.identityNumber
                }
            }
        }
        return numbers
    }
}
