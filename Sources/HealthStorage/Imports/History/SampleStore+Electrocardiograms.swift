import Foundation
import GRDB
import HealthEngine

/// The beginning of an electrocardiogram that an import has kept as a file.
package struct ElectrocardiogramHead: Hashable, Sendable {
    /// When it was recorded, in seconds since the reference date.
    package var recorded: Double
    /// The first bytes of the file, which begins with the line of the recorded date.
    package var bytes: [UInt8]
}

extension SampleStore {
    /// Returns the file of an electrocardiogram that an import has kept.
    ///
    /// - Parameter recorded: When it was recorded, in seconds since the reference date.
    /// - Returns: The file from the line of the recorded date on; nil if there is none.
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(log n + bytes of the file).
    package func electrocardiogramFile(recorded: Double) throws -> [UInt8]? {
        try read { db in try SampleStore.electrocardiogramFile(recorded: recorded, db) }
    }

    /// Returns when the kept electrocardiograms were recorded, in seconds since the reference date.
    ///
    /// - Throws: ``StoreError`` if the store can't be read.
    /// - Complexity: O(electrocardiograms).
    package func electrocardiogramTimes() throws -> Set<Double> {
        try read { db in
            try Set(
                Double.readAll(
                    db,
                    sql: "SELECT recorded FROM export_file WHERE kind = ? AND recorded NOTNULL",
                    arguments: [SnapshotWriter.CompanionKind.electrocardiogram.rawValue]))
        }
    }

    /// A condition of SQL: no later file of the same recording has replaced the file.
    static let isNewestFile = """
        NOT EXISTS (SELECT 1 FROM export_file later WHERE later.kind = export_file.kind
            AND later.recorded = export_file.recorded AND later.id > export_file.id)
        """

    static func electrocardiogramFile(recorded: Double, _ db: Database) throws -> [UInt8]? {
        let content = try Data.readOne(
            db,
            sql: "SELECT content FROM export_file WHERE kind = ? AND recorded = ? "
                + "ORDER BY id DESC LIMIT 1",
            arguments: [SnapshotWriter.CompanionKind.electrocardiogram.rawValue, recorded])
        return content.map { [UInt8]($0) }
    }

    /// Adds the microvolts of kept files to the electrocardiograms of a batch that lack them.
    static func addVoltages(to batch: inout SampleBatch, _ db: Database) throws {
        for (index, detail) in batch.details {
            guard case .numbers(var numbers) = detail,
                numbers[ElectrocardiogramRecording.Key.count] != nil,
                ElectrocardiogramRecording(numbers: numbers, start: 0) == nil,
                let file = try electrocardiogramFile(
                    recorded: batch.samples[index].start, db),
                let recording = ElectrocardiogramRecording(
                    file: file, recorded: batch.samples[index].start)
            else { continue }
            numbers[ElectrocardiogramRecording.Key.microvolts] = recording.microvolts
            batch.details[index] = .numbers(numbers)
        }
    }

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
                    + "WHERE kind = ? AND recorded >= ? AND recorded < ? "
                    + "AND \(SampleStore.isNewestFile) ORDER BY recorded",
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
