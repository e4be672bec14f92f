import HealthTesting
import Testing

@testable import HealthEngine

/// The leading ranks, compared with a search through all higher ranks for each moment.
@Suite("Leading ranks")
struct LeadingRanksTests {
    /// Returns entries of some ranks on a coarse grid, so that times coincide, in (start, key)
    /// order.
    private func entries(
        _ count: Int, sources: Int32, using random: inout SeededRandom
    ) -> [MergeEntry] {
        (0..<count).map { _ in
            let start = Double(Int.random(in: 0..<count, using: &random)) / 2
            let length = Double(Int.random(in: 0...6, using: &random))
            return MergeEntry(
                start: start, end: start + length * length / 2,
                value: Double(Int.random(in: 1...100, using: &random)), created: 0,
                source: Int32.random(in: 0..<sources, using: &random))
        }.sorted { $0.start < $1.start }
    }

    @Test("the counted pieces and bucket parts of each sample equal those of a brute-force search")
    func agreement() {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for round in 0..<400 {
            let sources = Int32.random(in: 1...40, using: &random)
            let entries = entries(
                Int.random(in: 1...120, using: &random), sources: sources, using: &random)
            let ranks = (0..<sources).shuffled(using: &random)
            let gap = Double([0, 1, 3][round % 3])
            let leading = LeadingRanks(entries, ranks: ranks, gapTolerance: gap)
            let search = SearchedPieces(entries, ranks: ranks, gapTolerance: gap)
            let parts = leading.parts(of: entries)
            var pieces: [Span] = []
            for (entry, part) in zip(entries, parts) {
                leading.pieces(of: entry, into: &pieces)
                let expected = search.pieces(of: entry)
                #expect(pieces == expected, "seed \(seed), round \(round)")
                #expect(part.isNothing == expected.isEmpty, "seed \(seed), round \(round)")
                if pieces != expected { return }
                guard let first = expected.first, let last = expected.last else { continue }
                let seconds = expected.reduce(0) { $0 + ($1.end - $1.start) }
                #expect(
                    [part.from, part.to, part.seconds] == [first.start, last.end, seconds],
                    "seed \(seed), round \(round)")
            }
        }
    }

    @Test("of ten thousand concurrent sources, only the highest-priority one counts")
    func manySources() {
        let count: Int32 = 10_000
        let entries = (0..<count).map {
            MergeEntry(
                start: Double($0), end: Double(2 * count), value: 1, created: 0, source: $0)
        }
        // The first source has the lowest rank, so that each takes precedence over the one before.
        let ranks = (0..<count).map { count - 1 - $0 }
        let merge = SourceMerge(entries, ranks: ranks, gapTolerance: 0)
        #expect(merge.pieces.count + merge.countedParts.count { $0.isEverything } == Int(count))
        for (index, won) in merge.countedParts.enumerated().dropLast() {
            #expect(merge.pieces[won.range] == [Span(start: Double(index), end: Double(index + 1))])
        }
        #expect(merge.countedParts.last?.isEverything == true)
    }
}

/// What a sample keeps, found without any order or sweep: its time is cut at all times of higher
/// ranks, and each piece is looked up in every one of them.
private struct SearchedPieces {
    /// The covered spans of each rank, gaps bridged.
    private var covered: [Int32: [Span]] = [:]
    private var instants: [Int32: Set<Double>] = [:]
    private let ranks: [Int32]

    init(_ entries: [MergeEntry], ranks: [Int32], gapTolerance: Double) {
        self.ranks = ranks
        for entry in entries {
            let rank = ranks[Int(entry.source)]
            if entry.isInstant {
                instants[rank, default: []].insert(entry.start)
                continue
            }
            // A gap is bridged if it is shorter than the tolerance and later samples follow it.
            let earlier = covered[rank, default: []].map(\.end).max() ?? -.infinity
            let bridge = earlier < entry.start && entry.start - earlier < gapTolerance
            covered[rank, default: []].append(
                Span(start: bridge ? earlier : entry.start, end: entry.end))
        }
    }

    func pieces(of entry: MergeEntry) -> [Span] {
        let rank = ranks[Int(entry.source)]
        let higher = covered.filter { $0.key < rank }.flatMap(\.value)
        if entry.isInstant {
            let isTaken =
                higher.contains { $0.start <= entry.start && entry.start < $0.end }
                || instants.contains { $0.key < rank && $0.value.contains(entry.start) }
            return isTaken ? [] : [Span(start: entry.start, end: entry.end)]
        }
        let times = higher.flatMap { [$0.start, $0.end] } + [entry.start, entry.end]
        let cuts = Set(times).filter { entry.start <= $0 && $0 <= entry.end }.sorted()
        var pieces: [Span] = []
        for (start, end) in zip(cuts, cuts.dropFirst())
        where !higher.contains(where: { $0.start <= start && end <= $0.end }) {
            if pieces.last?.end == start {
                pieces[pieces.count - 1].end = end
            } else {
                pieces.append(Span(start: start, end: end))
            }
        }
        return pieces
    }
}
