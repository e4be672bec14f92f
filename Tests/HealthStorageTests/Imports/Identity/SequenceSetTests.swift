import HealthTesting
import Testing

@testable import HealthStorage

@Suite("A set of sequence numbers")
struct SequenceSetTests {
    private static func gaps(
        of set: SequenceSet, in range: ClosedRange<Int64>
    ) -> [ClosedRange<Int64>] {
        var gaps: [ClosedRange<Int64>] = []
        set.forEachGap(in: range) { gaps.append($0) }
        return gaps
    }

    @Test("random numbers and runs give the members and gaps of a plain set")
    func model() {
        let seed = TestTier.seed(24)
        var random = SeededRandom(seed: seed)
        for round in 0..<200 {
            var set = SequenceSet(upTo: Int64.random(in: 0...400, using: &random))
            var plain: Set<Int64> = []
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                let first = Int64.random(in: 0..<400, using: &random)
                if Bool.random(using: &random) {
                    set.insert(first)
                    plain.insert(first)
                    continue
                }
                let run = first...first + Int64.random(in: 0..<130, using: &random)
                let isNew = plain.isDisjoint(with: run)
                let isInserted = set.insert(run)
                #expect(isInserted == isNew, "seed \(seed), round \(round)")
                if isNew { plain.formUnion(run) }
            }
            let range = Int64.random(in: 0...80, using: &random)...540
            var expected: [ClosedRange<Int64>] = []
            for number in range where !plain.contains(number) {
                if let last = expected.last, last.upperBound + 1 == number {
                    expected[expected.count - 1] = last.lowerBound...number
                } else {
                    expected.append(number...number)
                }
            }
            #expect(Self.gaps(of: set, in: range) == expected, "seed \(seed), round \(round)")
            #expect((0...540).filter(set.contains) == plain.sorted(), "seed \(seed), \(round)")
        }
    }

    @Test("pages beyond the last number, and ranges to the highest one, take no time")
    func farNumbers() {
        var set = SequenceSet(upTo: 3)
        set.insert(1)
        let isInserted = set.insert(1_000_000...1_000_100)
        #expect(isInserted)
        #expect(
            Self.gaps(of: set, in: 1...Int64.max) == [2...999_999, 1_000_101...Int64.max])
        set.insert(.max)
        set.insert(-1)
        let areInserted = [set.insert(-5...(-1)), set.insert(.max - 1 ... .max)]
        #expect(areInserted == [false, false])
        #expect(!set.contains(-1) && !set.contains(.max))
    }
}
