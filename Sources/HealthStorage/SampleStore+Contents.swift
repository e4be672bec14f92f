import GRDB
import HealthEngine

/// How much a store holds, by type and by source.
public struct StoreContents: Sendable {
    /// Every type that has samples, by identifier.
    public var types: [TypeSummary]
    /// Every source that has samples, in the default order over all types.
    public var sources: [SourceSummary]
    /// How many sources a type has samples of, by the type's code.
    public var sourceCounts: [Int32: Int]
}

extension SampleStore {
    /// What there is of every type and source, in one pass; ``types(visibility:)`` and
    /// ``sources(of:visibility:)`` ask for a part.
    ///
    /// - Complexity: O(samples), in the order they lie in the file.
    public func contents(visibility: Visibility = .everything) throws -> StoreContents {
        try read { db in
            let table = try sourceTable(db)
            let known = try SampleStore.knownTypes(db)
            var types: [Int32: Extent] = [:]
            var sources: [Int32: Extent] = [:]
            var sourceCounts: [Int32: Int] = [:]
            for (place, extent) in try SampleStore.extents(db, table, visibility) {
                types[place.type, default: Extent()].add(extent)
                guard place.source >= 0 else { continue }
                sources[place.source, default: Extent()].add(extent)
                sourceCounts[place.type, default: 0] += 1
            }
            return StoreContents(
                types: types.compactMap { code, extent in
                    known[code].map {
                        TypeSummary(
                            type: $0, samples: extent.samples, first: extent.first,
                            last: extent.last)
                    }
                }.sorted { $0.type.identifier < $1.type.identifier },
                sources: table.defaultOrder.filter { sources[$0] != nil }.enumerated().map {
                    summary($1, rank: $0 + 1, sources[$1] ?? Extent(), table)
                }, sourceCounts: sourceCounts)
        }
    }

    private func summary(
        _ source: Int32, rank: Int, _ extent: Extent, _ table: SourceTable
    ) -> SourceSummary {
        let entry = table.entries[Int(source)].source
        return SourceSummary(
            name: entry.name, bundleIdentifier: entry.bundleIdentifier, rank: rank,
            isExcluded: false, exclusionReason: nil, samples: extent.samples, first: extent.first,
            last: extent.last)
    }

    private struct Place: Hashable {
        var type: Int32
        var source: Int32
    }

    private struct Extent {
        var samples = 0
        var first = Double.infinity
        var last = -Double.infinity

        mutating func add(_ other: Extent) {
            samples += other.samples
            first = min(first, other.first)
            last = max(last, other.last)
        }
    }

    /// Neighbouring rows are mostly alike, so a place is looked up only where it changes.
    private static func extents(
        _ db: Database, _ table: SourceTable, _ visibility: Visibility
    ) throws -> [Place: Extent] {
        var extents: [Place: Extent] = [:]
        var place = Place(type: -1, source: -1)
        var extent = Extent()
        var grant = Visibility.Grant.all
        var isShown = true
        var earliest = -Double.infinity
        let rows = try RawStatement(db, "SELECT type, origin, start_time, end_time FROM sample")
        while try rows.step() {
            let origin = table.index(ofOrigin: rows.int(1))
            let next = Place(
                type: Int32(truncatingIfNeeded: rows.int(0)),
                source: origin < 0 ? -1 : table.origins[Int(origin)].source)
            if next != place {
                if extent.samples > 0 { extents[place, default: Extent()].add(extent) }
                (place, extent) = (next, Extent())
                grant = visibility[next.type]
                let source = next.source < 0 ? nil : table.entries[Int(next.source)].id
                isShown = !grant.isHidden && (grant.onlySource == nil || grant.onlySource == source)
                earliest = source.map(grant.earliest(of:)) ?? grant.earliest ?? -.infinity
            }
            let (start, end) = (rows.double(2), rows.double(3))
            guard isShown, start >= earliest else { continue }
            extent.add(
                Extent(
                    samples: 1, first: start, last: end < Sample.undeterminedEnd ? end : start))
        }
        if extent.samples > 0 { extents[place, default: Extent()].add(extent) }
        return extents
    }
}
