@testable import HealthEngine

/// The sums of merged sources, computed for each bucket and sample by a search through all others.
/// It shares only the entries of eligible samples with the engine, and has the same bits.
struct SlowSums {
    /// The samples in (start, key) order.
    let entries: [MergeEntry]
    /// The rank of each source.
    let ranks: [Int32]

    private func rank(_ entry: MergeEntry) -> Int32 { ranks[Int(entry.source)] }

    /// Returns the statistics of the populated buckets.
    func statistics(over edges: [Double]) -> [Statistics] {
        zip(edges, edges.dropFirst()).compactMap { low, high in
            let touching = entries.filter { entry in
                entry.isInstant
                    ? low <= entry.start && entry.start < high
                    : min(entry.end, high) > max(entry.start, low)
            }
            if touching.isEmpty { return nil }
            return Statistics(start: low, end: high, merged: values(of: touching, low, high))
        }
    }

    private func values(of touching: [MergeEntry], _ low: Double, _ high: Double)
        -> Statistics.Values
    {
        var values = Statistics.Values(count: touching.count)
        values.sum = 0
        var union: [(start: Double, end: Double)] = []
        var recent: MergeEntry?
        for entry in touching {
            let (from, to) = (max(entry.start, low), min(entry.end, high))
            if let last = union.last, from <= last.end {
                union[union.count - 1].end = max(last.end, to)
            } else {
                union.append((from, to))
            }
            guard let seconds = seconds(of: entry, low, high) else { continue }
            let whole = entry.end - entry.start
            values.sum? += seconds == whole ? entry.value : entry.value * seconds / whole
            if recent.map({ follows(entry, $0) }) ?? true { recent = entry }
        }
        values.duration = union.reduce(0) { $0 + ($1.end - $1.start) }
        values.mostRecent = recent?.value
        values.mostRecentStart = recent?.start
        values.mostRecentEnd = recent?.recordedEnd
        return values
    }

    private func follows(_ entry: MergeEntry, _ other: MergeEntry) -> Bool {
        if entry.start != other.start { return entry.start > other.start }
        return (entry.end, entry.created) >= (other.end, other.created)
    }

    /// Returns the seconds that a sample keeps in a bucket; nil if it keeps nothing.
    private func seconds(of entry: MergeEntry, _ low: Double, _ high: Double) -> Double? {
        let higher = entries.filter { rank($0) < rank(entry) }
        if entry.isInstant {
            let isHidden = higher.contains {
                $0.start <= entry.start && entry.start < $0.end || $0.start == entry.start
            }
            return isHidden ? nil : 0
        }
        var (cursor, seconds) = (entry.start, 0.0)
        for other in higher where !other.isInstant && other.start < entry.end {
            seconds += max(0, min(other.start, high) - max(cursor, low))
            cursor = max(cursor, other.end)
        }
        seconds += max(0, min(entry.end, high) - max(cursor, low))
        return seconds > 0 ? seconds : nil
    }
}
