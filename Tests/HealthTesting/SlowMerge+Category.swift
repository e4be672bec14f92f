import HealthEngine

extension SlowMerge {
    /// What one bucket holds of a category type: seconds by raw value, and how many samples.
    public struct CategoryBucket: Equatable {
        public let start: Double
        public let end: Double
        public var seconds: [Int: Double]
        public var count: Int
    }

    /// Seconds of each value, moments belonging to the best source that has them (§1.3c, §3.7).
    ///
    /// Different values of one source may hold at once and each count; equal ones count once.
    public func categories(over edges: [Double]) -> [CategoryBucket] {
        let pieces = self.pieces(cutAt: edges)
        let valueOf = Dictionary(readings.map { ($0.index, $0.value) }) { first, _ in first }
        var buckets: [CategoryBucket] = []
        for (from, to) in zip(edges, edges.dropFirst()) {
            let present = readings.filter { $0.touches(from, to) }
            if present.isEmpty { continue }
            var intervals: [Int: [(start: Double, end: Double)]] = [:]
            for piece in pieces {
                guard let value = valueOf[piece.sample] else { continue }
                let inside =
                    piece.start == piece.end
                    ? from <= piece.start && piece.start < to
                    : from <= piece.start && piece.end <= to
                if inside { intervals[Int(value), default: []].append((piece.start, piece.end)) }
            }
            buckets.append(
                CategoryBucket(
                    start: from, end: to, seconds: intervals.mapValues { Self.covered($0) },
                    count: present.count))
        }
        return buckets
    }
}
