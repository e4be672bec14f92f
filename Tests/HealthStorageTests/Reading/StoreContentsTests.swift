import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("The contents of a store in one pass")
struct StoreContentsTests {
    private func filled() throws -> SampleStore {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Old App", 0, 60, 1, created: 100)
        recording.add(.steps, "Phone", 60, 600, 2, device: .phone, created: 200)
        recording.add(.bodyMass, "Scale", 90, 90, 70, created: 600)
        recording.add(.steps, "Phone", 30, Sample.undeterminedEnd, 2, device: .phone, created: 210)
        recording.add(.bodyMass, "Phone", 900, 900, 71, device: .phone, created: 900)
        try file.add(recording)
        return try file.open()
    }

    @Test("it equals the separate results of types and sources")
    func agrees() throws {
        let store = try filled()
        let contents = try store.contents()
        #expect(contents.types == (try store.types()))
        #expect(contents.sources == (try store.sources(of: nil)))
        #expect(contents.sourceCounts.values.sorted() == [2, 2])
        #expect(contents.types.map(\.last) == [900, 600])
    }

    @Test("it shows no more than a reader may see")
    func visibility() throws {
        let store = try filled()
        let steps = try store.type(named: "stepCount").code
        let hidden = Visibility(grants: [steps: .none])
        #expect(try store.contents(visibility: hidden).types.map(\.type.name) == ["bodyMass"])
        let late = Visibility(grants: [steps: .init(earliest: 50)])
        #expect(try store.contents(visibility: late).types.map(\.samples) == [2, 1])
        #expect(try store.contents(visibility: late).types == store.types(visibility: late))
    }
}

@Suite("When samples begin")
struct StartTests {
    @Test("the first and the last start of some types, long samples and empty types or not")
    func starts() throws {
        let store = try SampleStore.inMemory()
        #expect(try store.starts(of: [.steps, .heartRate]) == nil)
        try store.save(1, .steps, 500, 9000)
        try store.save(2, .steps, 100, 200)
        try store.save(3, .heartRate, 700)
        #expect(try store.starts(of: [.steps]) == 100...500)
        #expect(try store.starts(of: [.bodyMass]) == nil)
        #expect(try store.starts(of: [.steps, .bodyMass, .heartRate]) == 100...700)
    }
}

@Suite("store contents that are updated incrementally")
struct ContentsTests {
    private func same(_ a: StoreContents, _ b: StoreContents) -> Bool {
        a.types.map { "\($0)" } == b.types.map { "\($0)" }
            && a.sources.map { "\($0)" } == b.sources.map { "\($0)" }
            && a.sourceCounts == b.sourceCounts
    }

    @Test(
        "updating an earlier count gives the result of a new count",
        arguments: 1...8 as ClosedRange<UInt64>)
    func incremental(seed: UInt64) throws {
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
