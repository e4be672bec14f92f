import HealthEngine
import HealthTesting
import Testing

@Suite("where an order changes over is found in a few steps")
struct OrderedSearchTests {
    @Test("in every list, part of a list and range, as a look at each element finds it")
    func agreement() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<500 {
            let count = Int.random(in: 0...20, using: &random)
            let list = (0..<count).map { _ in Int.random(in: 0...9, using: &random) }.sorted()
            let first = Int.random(in: 0...count, using: &random)
            for value in -1...10 {
                let part = list[first...]
                let expected = part.firstIndex { $0 >= value } ?? count
                #expect(part.partitioningIndex { $0 >= value } == expected)
                #expect((first..<count).partitioningIndex { list[$0] >= value } == expected)
            }
        }
    }

    @Test("no more than its logarithm of elements is asked")
    func steps() {
        var asked = 0
        let place = (0..<1_000_000).partitioningIndex {
            asked += 1
            return $0 >= 654_321
        }
        #expect(place == 654_321)
        #expect(asked <= 20)
    }

    @Test("the last border at or before a time, and the first where all come later")
    func borders() {
        let borders = [-Double.infinity, 0, 10, 20]
        #expect(borders.lastBoundary(atOrBefore: 10) == 2)
        #expect(borders.lastBoundary(atOrBefore: 9.5) == 1)
        #expect(borders.lastBoundary(atOrBefore: -5, from: 2) == 2)
        #expect(borders.lastBoundary(atOrBefore: 1e9, from: 2) == 3)
    }
}
