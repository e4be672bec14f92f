import HealthEngine
import HealthTesting
import Testing

@Suite("Binary search")
struct OrderedSearchTests {
    @Test("equals a linear search in arrays, slices and ranges")
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

    @Test("the number of tested elements is logarithmic")
    func steps() {
        var testCount = 0
        let index = (0..<1_000_000).partitioningIndex {
            testCount += 1
            return $0 >= 654_321
        }
        #expect(index == 654_321)
        #expect(testCount <= 20)
    }

    @Test("returns the last boundary at or before a time, or the first index if all are later")
    func boundaries() {
        let boundaries = [-Double.infinity, 0, 10, 20]
        #expect(boundaries.lastBoundary(atOrBefore: 10) == 2)
        #expect(boundaries.lastBoundary(atOrBefore: 9.5) == 1)
        #expect(boundaries.lastBoundary(atOrBefore: -5, from: 2) == 2)
        #expect(boundaries.lastBoundary(atOrBefore: 1e9, from: 2) == 3)
    }
}
