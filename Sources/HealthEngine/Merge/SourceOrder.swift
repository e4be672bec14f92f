/// Which source wins where several recorded the same moments, for one type.
///
/// Ranks are by source index of a batch: 0 wins over 1. An excluded source takes no part in any
/// statistic (Semantics §1.10).
public struct SourceOrder: Hashable, Sendable {
    /// Source indices, the winner first. A source not listed ranks after all listed ones, by index.
    public var ranking: [Int32]
    public var excluded: Set<Int32>

    public init(ranking: [Int32], excluded: Set<Int32> = []) {
        self.ranking = ranking
        self.excluded = excluded
    }

    /// The rank of each of `count` sources, or -1 for excluded ones.
    public func ranks(count: Int) -> [Int32] {
        var ranks = [Int32](repeating: .max, count: count)
        var next: Int32 = 0
        for source in ranking
        where ranks.indices.contains(Int(source)) && ranks[Int(source)] == .max {
            ranks[Int(source)] = next
            next += 1
        }
        for source in ranks.indices where ranks[source] == .max {
            ranks[source] = next
            next += 1
        }
        for source in excluded where source >= 0 && Int(source) < count { ranks[Int(source)] = -1 }
        return ranks
    }
}
