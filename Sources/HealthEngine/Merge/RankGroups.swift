/// The indices of entries grouped by rank, highest priority first. Ranks without entries have no
/// group.
struct RankGroups {
    /// The rank of each group, in ascending order.
    let ranks: [Int32]
    private let indices: [Int32]
    private let bounds: [Int]

    /// The indices of a group's entries, in the order of the entries.
    subscript(group: Int) -> ArraySlice<Int32> { indices[bounds[group]..<bounds[group + 1]] }

    /// - Parameters:
    ///   - entries: Samples in (start, key) order.
    ///   - ranks: The rank of each source.
    /// - Complexity: O(entries + sources).
    init(_ entries: [MergeEntry], ranks: [Int32]) {
        var counts = [Int](repeating: 0, count: ranks.count + 1)
        for entry in entries { counts[Int(ranks[Int(entry.source)])] += 1 }
        var places: [Int] = []
        var bounds = [0]
        var present: [Int32] = []
        for (rank, count) in counts.enumerated() {
            places.append(bounds[bounds.count - 1])
            if count == 0 { continue }
            bounds.append(bounds[bounds.count - 1] + count)
            present.append(Int32(truncatingIfNeeded: rank))
        }
        var indices = [Int32](repeating: 0, count: entries.count)
        for (index, entry) in entries.enumerated() {
            let rank = Int(ranks[Int(entry.source)])
            indices[places[rank]] = Int32(truncatingIfNeeded: index)
            places[rank] += 1
        }
        self.ranks = present
        self.indices = indices
        self.bounds = bounds
    }
}
