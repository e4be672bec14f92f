import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("what a store holds, counted once and kept in step")
struct ContentsTests {
    private func same(_ a: StoreContents, _ b: StoreContents) -> Bool {
        a.types.map { "\($0)" } == b.types.map { "\($0)" }
            && a.sources.map { "\($0)" } == b.sources.map { "\($0)" }
            && a.sourceCounts == b.sourceCounts
    }

    @Test(
        "going on from an earlier count gives what counting anew gives",
        arguments: 1...8 as ClosedRange<UInt64>)
    func keptInStep(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let store = try SampleStore.inMemory()
        var known = try store.contents()
        var live: [SampleUUID] = []
        for number in 1...60 {
            let isDeletion = Int.random(in: 0..<5, using: &random) == 0
            if isDeletion, let victim = live.randomElement(using: &random) {
                try store.delete([victim], by: "com.example.walks")
                live.removeAll { $0 == victim }
            } else {
                let uuid = SampleUUID(high: 0, low: UInt64(number))
                let start = Double(Int.random(in: 0..<1000, using: &random))
                try store.save(
                    uuid, Bool.random(using: &random) ? .steps : .heartRate, start, start + 60,
                    source: "walks")
                live.append(uuid)
            }
            if Bool.random(using: &random) {
                known = try store.contents(since: known)
                #expect(same(known, try store.contents()), "seed \(seed), step \(number)")
            }
        }
    }
}
