import Testing

@testable import HealthEngine

/// Merges of many ranks in one pass over time, compared with merges rank by rank.
@Suite("many ranks are merged as few are")
struct LeadingRanksTests {
    /// Returns entries of some ranks on a coarse grid, so that times coincide, in (start, key)
    /// order.
    private func entries(
        _ count: Int, sources: Int32, using random: inout SystemRandomNumberGenerator
    ) -> [Entry] {
        (0..<count).map { _ in
            let start = Double(Int.random(in: 0..<count, using: &random)) / 2
            let length = Double(Int.random(in: 0...6, using: &random))
            return Entry(
                start: start, end: start + length * length / 2,
                value: Double(Int.random(in: 1...100, using: &random)), created: 0,
                source: Int32.random(in: 0..<sources, using: &random))
        }.sorted { $0.start < $1.start }
    }

    @Test("every sample keeps the same pieces, and the same part of a bucket, to the bit")
    func agreement() {
        var random = SystemRandomNumberGenerator()
        for round in 0..<400 {
            let sources = Int32.random(in: 1...40, using: &random)
            let entries = entries(
                Int.random(in: 1...120, using: &random), sources: sources, using: &random)
            let ranks = (0..<sources).shuffled(using: &random)
            let gap = [0, 1, 3][round % 3]
            func coverage(_ mostUnions: Int) -> HigherCoverage {
                HigherCoverage(
                    entries, ranks: ranks, gapTolerance: Double(gap), mostUnions: mostUnions)
            }
            let (few, many) = (coverage(.max), coverage(0))
            var (a, b): ([Span], [Span]) = ([], [])
            for entry in entries {
                few.pieces(of: entry, into: &a)
                many.pieces(of: entry, into: &b)
                #expect(a == b, "round \(round)")
                if a != b { return }
            }
            let (left, right) = (few.parts(of: entries), many.parts(of: entries))
            for (first, second) in zip(left, right) {
                #expect(first.isNothing == second.isNothing)
                if first.isNothing { continue }
                #expect(
                    [first.from, first.to, first.seconds]
                        == [second.from, second.to, second.seconds], "round \(round)")
            }
        }
    }

    @Test("ten thousand sources active at once take a moment, and the highest takes all")
    func manySources() {
        let count: Int32 = 10_000
        let entries = (0..<count).map {
            Entry(
                start: Double($0), end: Double(2 * count), value: 1, created: 0, source: $0)
        }
        // The first source has the lowest rank, so that each takes precedence over the one before.
        let ranks = (0..<count).map { count - 1 - $0 }
        let merge = SourceMerge(entries, ranks: ranks, gapTolerance: 0)
        #expect(merge.pieces.count + merge.won.count { $0.isEverything } == Int(count))
        for (index, won) in merge.won.enumerated().dropLast() {
            #expect(merge.pieces[won.range] == [Span(start: Double(index), end: Double(index + 1))])
        }
        #expect(merge.won.last?.isEverything == true)
    }
}
