import GRDB
import HealthEngine

/// Counts the stored samples of types without reading each.
enum SampleCount {
    /// Returns the number of samples of each type that has some, in ascending order of code.
    ///
    /// - Complexity: O(segments + samples outside them).
    static func all(_ db: Database) throws -> [(type: Int32, samples: Int)] {
        let rows = try StoreStatement<SegmentSpan, SingleField>(
            db, "SELECT count(*) FROM sample INDEXED BY sample_order \(SegmentSpan.condition)")
        return try SampleStore.presentTypeCodes(db).sorted().map { type in
            var samples = 0
            for part in try SegmentRange.parts(of: type, db) {
                switch part {
                case .segment(let segment): samples += segment.count
                case .rows(let from, let until):
                    try rows.bind(type, from, until)
                    defer { rows.reset() }
                    if try rows.step() { samples += Int(clamping: rows.int(.value)) }
                }
            }
            return (type, samples)
        }
    }
}
