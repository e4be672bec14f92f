/// The indices of entries by rank, the winners first; of ranks that occur alone.
struct RankGroups {
    private let indices: [Int32]
    private let bounds: [Int]

    var count: Int { bounds.count - 1 }
    subscript(group: Int) -> ArraySlice<Int32> { indices[bounds[group]..<bounds[group + 1]] }

    init(_ entries: [Entry], ranks: [Int32]) {
        var counts = [Int](repeating: 0, count: ranks.count + 1)
        for entry in entries { counts[Int(ranks[Int(entry.source)])] += 1 }
        var places: [Int] = []
        var bounds = [0]
        for count in counts {
            places.append(bounds[bounds.count - 1])
            if count > 0 { bounds.append(bounds[bounds.count - 1] + count) }
        }
        var indices = [Int32](repeating: 0, count: entries.count)
        for (index, entry) in entries.enumerated() {
            let rank = Int(ranks[Int(entry.source)])
            indices[places[rank]] = Int32(truncatingIfNeeded: index)
            places[rank] += 1
        }
        self.indices = indices
        self.bounds = bounds
    }
}
