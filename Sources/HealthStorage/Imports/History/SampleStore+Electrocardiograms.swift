import Foundation
import GRDB

/// The beginning of an electrocardiogram that an import has kept as a file.
package struct ElectrocardiogramHead: Hashable, Sendable {
    /// When it was recorded, in seconds since the reference date.
    package var recorded: Double
    /// The first bytes of the file, which begins with the line of the recorded date.
    package var bytes: [UInt8]
}

extension SampleStore {
    /// The number of bytes of an electrocardiogram's beginning, which contains all lines before the
    /// voltages.
    package static let electrocardiogramHeadLength = 1_024

    /// Returns the beginnings of the electrocardiogram files that were recorded in a range. The
    /// voltages, some 100 kB a file, are not returned.
    ///
    /// - Parameters:
    ///   - from: The earliest recorded time (inclusive), in seconds since the reference date.
    ///   - to: The latest recorded time (exclusive), in seconds since the reference date.
    /// - Returns: The beginnings, in order of the recorded time.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n + bytes of the files in the range).
    package func electrocardiograms(
        from: Double, to: Double
    ) throws -> [ElectrocardiogramHead] {
        try read { db in
            let rows = try CheckedRow.readAll(
                db,
                sql: "SELECT id, recorded, substr(content, 1, ?) AS content FROM export_file "
                    + "WHERE kind = ? AND recorded >= ? AND recorded < ? ORDER BY recorded, id",
                arguments: [
                    SampleStore.electrocardiogramHeadLength,
                    SnapshotWriter.CompanionKind.electrocardiogram.rawValue, from, to,
                ])
            return try rows.map { row -> ElectrocardiogramHead in
                let (recorded, content): (Double, Data) = (try row["recorded"], try row["content"])
                return ElectrocardiogramHead(recorded: recorded, bytes: [UInt8](content))
            }
        }
    }
}
