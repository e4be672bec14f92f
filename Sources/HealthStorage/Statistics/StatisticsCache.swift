import GRDB
import HealthEngine

/// A cache of the newest statistics over buckets.
///
/// After an edit, only the touched buckets are recalculated. A bucket depends only on samples that
/// touch it, extended by the gap tolerance. So the result equals a full calculation bit by bit.
struct StatisticsCache {
    /// The cache key.
    struct Key: Equatable {
        var type: Int32
        var from: Double
        var to: Double
        var bounds: TimeBounds
        var sources: [String]
        var originFilter: SampleFilter
        var grant: Visibility.Grant
        var edges: [Double]
        var unit: String
        var rules: StatisticsRules
        /// Doesn't change results, but tests that compare window sizes must not get a cached
        /// result.
        var windowSize: Int
    }

    /// The settings of the store that results depend on: sources, their order and units.
    struct Inputs {
        var sourceOfOrigin: [Int32]
        /// Whether samples of each origin are in the result; nil if all are.
        var shownOrigins: [Bool]?
        var conversions: [UnitConversion?]
        /// The rank by source index; -1 for an excluded source.
        var ranks: [Int32]
    }

    struct Entry {
        var key: Key
        var inputs: Inputs
        var result: StatisticsResult
        /// The version of the file at which the result was calculated or last updated.
        var version: SourceTable.FileVersion
        /// The newest edit that the result includes.
        var edit: Int64
    }

    /// The maximum number of cached results, enough for a dashboard.
    private static let maximumEntries = 16
    /// The maximum number of buckets of a cached result, enough for ten years of hours.
    private static let maximumBuckets = 100_000

    /// The cached results, the most recently used last.
    private var entries: [Entry] = []

    mutating func entry(_ key: Key) -> Entry? {
        guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry
    }

    mutating func insert(_ entry: Entry) {
        entries.removeAll { $0.key == entry.key }
        guard entry.result.buckets.count <= StatisticsCache.maximumBuckets else { return }
        if entries.count >= StatisticsCache.maximumEntries { entries.removeFirst() }
        entries.append(entry)
    }
}

extension StatisticsCache.Inputs {
    /// Returns whether a result from these inputs can be updated for later ones: the
    /// sources and origins have the same order, exclusions and units as before. New ones may have
    /// been added.
    func canUpdate(to later: StatisticsCache.Inputs) -> Bool {
        guard later.sourceOfOrigin.starts(with: sourceOfOrigin),
            later.shownOrigins?.starts(with: shownOrigins ?? []) ?? true,
            later.conversions.starts(with: conversions), later.ranks.count >= ranks.count
        else { return false }
        let inOrder = ranks.indices.filter { ranks[$0] >= 0 }.sorted { ranks[$0] < ranks[$1] }
        let places = inOrder.map { later.ranks[$0] }
        return zip(ranks, later.ranks).allSatisfy { ($0 < 0) == ($1 < 0) }
            && zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    }
}

extension [Double] {
    /// Returns the buckets between these boundaries that time ranges touch, as ascending runs of
    /// bucket indices.
    func runs(near spans: [ClosedRange<Double>]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let first = Swift.max(partitioningIndex { $0 > span.lowerBound.nextDown } - 1, 0)
            let last = Swift.min(partitioningIndex { $0 > span.upperBound }, count - 1)
            guard first < last else { continue }
            if let previous = runs.last, previous.upperBound >= first {
                runs[runs.count - 1] =
                    previous.lowerBound..<Swift.max(previous.upperBound, last)
            } else {
                runs.append(first..<last)
            }
        }
        return runs
    }
}

extension [Statistics] {
    /// Replaces the buckets that begin in a time range (half-open).
    mutating func replace(from low: Double, to high: Double, with buckets: [Statistics]) {
        let first = partitioningIndex { $0.start >= low }
        replaceSubrange(first..<partitioningIndex { $0.start >= high }, with: buckets)
    }
}
