/// The source priority of one type, used where several sources recorded the same time.
///
/// Ranks are by source index of a batch; rank 0 has the highest priority. An excluded source takes
/// no part in any statistic (Semantics §1.10).
public struct SourceOrder: Hashable, Sendable {
    /// Source indices, highest priority first. Sources that are not listed follow in order of their
    /// index. Unknown and repeated indices are ignored.
    public var ranking: [Int32]
    /// The indices of excluded sources.
    public var excluded: Set<Int32>

    /// Creates a source order.
    ///
    /// - Parameters:
    ///   - ranking: Source indices, highest priority first.
    ///   - excluded: The indices of excluded sources.
    public init(ranking: [Int32], excluded: Set<Int32> = []) {
        self.ranking = ranking
        self.excluded = excluded
    }

    /// Returns the rank of each source.
    ///
    /// - Parameter count: The number of sources.
    /// - Returns: Ranks by source index, 0 being the highest priority; -1 for excluded sources.
    /// - Complexity: O(count + ranking + excluded).
    package func ranks(count: Int) -> [Int32] {
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
