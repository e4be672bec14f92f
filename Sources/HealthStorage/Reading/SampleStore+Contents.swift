import GRDB
import HealthEngine

/// The number and time range of a store's samples, by type and by source.
package struct StoreContents: Sendable {
    /// The types with samples, in order of identifier.
    package var types: [TypeSummary]
    /// The sources with samples, in the default order.
    package var sources: [SourceSummary]
    /// The number of sources with samples of a type, by type code.
    package var sourceCounts: [Int32: Int]
    /// The counts and the state of the store, from which ``SampleStore/contents(since:)``
    /// continues.
    var count: Count

    struct TypeAndSource: Hashable {
        var type: Int32
        /// The id of the source in the store; nil for none.
        var source: Int64?
    }

    struct Extent {
        var samples = 0
        var first = Double.infinity
        var last = -Double.infinity

        mutating func add(_ other: Extent) {
            samples += other.samples
            first = min(first, other.first)
            last = max(last, other.last)
        }
    }

    struct Count {
        var extents: [TypeAndSource: Extent]
        var sequence: Int64
        var imports: Int
        var visibility: Visibility
    }
}

extension SampleStore {
    /// Returns the number and time range of the samples of each type and source, from one pass.
    ///
    /// ``types(visibility:)`` and ``sources(of:visibility:)`` return parts of this.
    ///
    /// - Parameter visibility: What the caller may read.
    /// - Returns: The contents that are visible.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(samples), from columns where there are segments.
    package func contents(visibility: Visibility = .everything) throws -> StoreContents {
        try read { db in
            let table = try sourceTable(db)
            let count = StoreContents.Count(
                extents: try ExtentTally.all(db, table, visibility),
                sequence: try SampleStore.lastSequence(db),
                imports: try SampleStore.importCount(db), visibility: visibility)
            return try contents(count, table, db)
        }
    }

    /// Returns the current contents, starting from earlier ones.
    ///
    /// - Parameter known: Earlier contents of this store. Their visibility applies.
    /// - Returns: The current contents.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(samples added since) if samples were only added by programs; otherwise
    ///   O(samples).
    package func contents(since known: StoreContents) throws -> StoreContents {
        let updated = try read { db -> StoreContents? in
            var count = known.count
            let head = try SampleStore.lastSequence(db)
            // If every number since then belongs to a sample, none was deleted, replaced or
            // renumbered.
            let added = try Int64.readOne(
                db, sql: "SELECT count(*) FROM sample WHERE sequence > ?",
                arguments: [count.sequence])
            let hasOnlyAdditions = added == head - count.sequence
            guard hasOnlyAdditions, try SampleStore.importCount(db) == count.imports else {
                return nil
            }
            let table = try sourceTable(db)
            if head != count.sequence {
                let new = try ExtentTally.samples(
                    after: count.sequence, db, table, count.visibility)
                count.extents.merge(new) { known, new in
                    var sum = known
                    sum.add(new)
                    return sum
                }
                count.sequence = head
            }
            return try contents(count, table, db)
        }
        return try updated ?? contents(visibility: known.count.visibility)
    }

    private static func importCount(_ db: Database) throws -> Int {
        try Int.readOne(db, sql: "SELECT count(*) FROM import") ?? 0
    }

    private func contents(
        _ count: StoreContents.Count, _ table: SourceTable, _ db: Database
    ) throws -> StoreContents {
        let known = try SampleStore.knownTypes(db)
        var types: [Int32: StoreContents.Extent] = [:]
        var sources: [Int64: StoreContents.Extent] = [:]
        var sourceCounts: [Int32: Int] = [:]
        for (place, extent) in count.extents {
            types[place.type, default: .init()].add(extent)
            guard let source = place.source else { continue }
            sources[source, default: .init()].add(extent)
            sourceCounts[place.type, default: 0] += 1
        }
        let ranked = table.defaultOrder.compactMap { index in
            sources[table.entries[Int(index)].id].map { (index: index, extent: $0) }
        }
        return StoreContents(
            types: types.compactMap { code, extent in
                known[code].map {
                    TypeSummary(
                        type: $0, samples: extent.samples, first: extent.first, last: extent.last)
                }
            }.sorted { $0.type.identifier < $1.type.identifier },
            sources: ranked.enumerated().map {
                summary($1.index, rank: $0 + 1, $1.extent, table)
            }, sourceCounts: sourceCounts, count: count)
    }

    private func summary(
        _ source: Int32, rank: Int, _ extent: StoreContents.Extent, _ table: SourceTable
    ) -> SourceSummary {
        let entry = table.entries[Int(source)].source
        return SourceSummary(
            name: entry.name, bundleIdentifier: entry.bundleIdentifier, rank: rank,
            isExcluded: false, exclusionReason: nil, samples: extent.samples, first: extent.first,
            last: extent.last)
    }
}
