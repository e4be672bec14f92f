import Foundation
import GRDB
package import HealthEngine

/// A place in the samples of a type: behind the sample with a start and a key.
package struct SamplePosition: Hashable, Sendable {
    /// The start of the sample, in reference seconds.
    package var start: Double
    /// The key that distinguishes samples with the same start.
    package var key: Int64

    package init(start: Double, key: Int64) {
        self.start = start
        self.key = key
    }
}

/// Some samples of a query, with their UUIDs.
package struct SamplePage: Sendable {
    /// The samples, in (start, key) order.
    package var batch: SampleBatch
    /// The UUIDs of the samples, in upper case.
    package var uuids: [String]
    /// The position to continue from; nil if there are no further samples.
    package var next: SamplePosition?
}

extension SampleStore {
    /// Returns the samples of a query after a position, in the order of
    /// ``forEachBatch(_:of:limit:_:)``. A sample that is saved or deleted between two pages doesn't
    /// shift the others.
    ///
    /// - Parameters:
    ///   - query: The samples to read.
    ///   - position: The position of the last page; nil for the first page.
    ///   - limit: The maximum number of samples.
    /// - Returns: The samples and the next position.
    /// - Throws: ``StoreError``, also if no source or several have a name of the query.
    /// - Complexity: O(log n + samples of the page), and O(samples that the query leaves out
    ///   between them).
    package func page(
        of query: SampleQuery, after position: SamplePosition?, limit: Int
    ) throws -> SamplePage {
        try read { db in
            let table = try sourceTable(db)
            var page = SamplePage(
                batch: SampleBatch(sources: table.sources, origins: table.origins), uuids: [])
            var metadata: [Int64: Int32] = [:]
            let reader = try SampleReader(db, query, table)
            func add(_ row: SampleReader.Row) throws -> SampleReader.Continuation {
                if page.batch.samples.count >= limit {
                    page.next = page.batch.samples.last.map {
                        SamplePosition(start: $0.start, key: $0.key)
                    }
                    return .stop
                }
                var sample = row.sample
                if row.metadata != 0 {
                    if metadata[row.metadata] == nil {
                        metadata[row.metadata] = Int32(page.batch.metadata.count)
                        page.batch.metadata.append(try SampleStore.metadata(row.metadata, db))
                    }
                    sample.metadata = metadata[row.metadata] ?? -1
                }
                page.batch.samples.append(sample)
                return .next
            }
            if let position {
                let position = SegmentPosition(start: position.start, key: position.key)
                try reader.forEach(after: position, add)
            } else {
                try reader.forEach(add)
            }
            let own = try SampleStore.ownUUIDs(page.batch, db)
            page.uuids = page.batch.samples.map { own[$0.sequence] ?? $0.importedUUID }
            return page
        }
    }
}
