import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("every read shows what its visibility shows, and nothing else")
struct VisibilityTests {
    /// Creates a store with a hundred samples of two sources on a hundred days.
    private func store() throws -> TemporaryStore {
        let file = try TemporaryStore()
        var recording = Recording()
        for day in 0..<50 {
            let start = Double(day) * 86_400
            recording.add(.steps, "Phone", start, start + 600, 100, device: .phone)
            recording.add(.steps, "App", start + 300, start + 900, 100)
            recording.add(.sleep, "App", start, start + 600, 1, unit: nil)
        }
        recording.add(.heartRate, "Phone", 0, 0, 60, device: .phone)
        try file.add(recording)
        return file
    }

    private func number(of name: String, _ store: SampleStore) throws -> Int64 {
        try store.read { db in
            let table = try SourceTable(db)
            return table.entries[Int(try SampleStore.source(named: name, in: table))].id
        }
    }

    private let edges: [Double] = [0, 25 * 86_400, 50 * 86_400.0]

    @Test("samples before the earliest date are not there")
    func earliest() throws {
        let file = try store()
        let store = try file.open(.reading)
        let visibility = Visibility(grants: [SampleType.steps.code: .init(earliest: 25 * 86_400)])
        let query = SampleQuery(.steps, visibility: visibility)
        #expect(try store.samples(query).samples.count == 50)
        #expect(try store.statistics(query, over: edges).buckets.count == 1)
        #expect(try store.extent(of: query)?.first == 25 * 86_400)
        let types = try store.types(visibility: visibility)
        #expect(types.map(\.type.name) == ["sleepAnalysis", "heartRate", "stepCount"])
        #expect(types.last?.samples == 50 && types.last?.first == 25 * 86_400)
        #expect(types.last?.last == 4_234_500.0)
        #expect(types.first?.samples == 50)
        #expect(try store.sources(of: .steps, visibility: visibility).map(\.samples) == [25, 25])
        #expect(
            try store.sources(of: nil, visibility: visibility).map(\.samples) == [26, 75])
    }

    @Test("with only its own source a reader gets sums of its own data")
    func ownSource() throws {
        let file = try store()
        let store = try file.open()
        let app = try number(of: "App", store)
        let visibility = Visibility(others: .init(onlySource: app))
        let query = SampleQuery(.steps, visibility: visibility)
        let batch = try store.samples(query)
        #expect(Set(batch.samples.map { batch.source(of: $0).name }) == ["App"])
        let result = try store.statistics(query, over: edges)
        #expect(result.buckets.map(\.merged.sum) == [2500, 2500])
        let everything = try store.statistics(SampleQuery(.steps), over: edges)
        #expect(everything.buckets.map(\.merged.sum) == [3750, 3750])
        let explanation = try store.explanation(
            of: SampleQuery(.steps, from: 0, to: 86_400, visibility: visibility))
        #expect((explanation.naive, explanation.merged) == (100, 100))
        #expect(explanation.parts.map(\.source.name) == ["App"])
        #expect(try store.mergedIntervals(query).count == 50)
        #expect(
            try store.types(visibility: visibility).map(\.type.name)
                == ["sleepAnalysis", "stepCount"])
        #expect(try store.sources(of: .steps, visibility: visibility).map(\.rank) == [1])
        #expect(try store.sources(of: .steps, visibility: visibility).map(\.name) == ["App"])
        #expect(try store.sources(of: nil, visibility: visibility).map(\.samples) == [100])
        try store.set(.excluded, of: "Phone", in: .steps)
        #expect(try store.statistics(query, over: edges).excluded.isEmpty)
        #expect(try store.exclusions(visibility: visibility).isEmpty)
        #expect(try store.exclusions().count == 1)
        let hidden = SampleQuery(
            .steps, visibility: Visibility(others: .init(onlySource: 999)))
        #expect(try store.samples(hidden).samples.isEmpty)
    }

    @Test("a hidden type is as if there were none of it")
    func hidden() throws {
        let file = try store()
        let store = try file.open(.reading)
        for visibility in [
            Visibility(others: .none),
            Visibility(grants: [SampleType.steps.code: .none], others: .all),
        ] {
            let query = SampleQuery(.steps, visibility: visibility)
            #expect(try store.samples(query).samples.isEmpty)
            #expect(try store.statistics(query, over: edges).buckets.isEmpty)
            #expect(try store.extent(of: query) == nil)
            #expect(try store.sources(of: .steps, visibility: visibility).isEmpty)
            #expect(
                try store.types(visibility: visibility).allSatisfy { $0.type.name != "stepCount" })
            var batches = 0
            try store.forEachBatch(query) { _, _ in batches += 1 }
            #expect(batches == 0)
        }
        let sleep = SampleQuery(.sleep, visibility: Visibility(others: .none))
        #expect(try store.categoryStatistics(sleep, over: edges).buckets.isEmpty)
    }

    @Test("statistics of a random view are those of the samples in it")
    func random() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let file = try store()
        let store = try file.open(.reading)
        let sources = try ["Phone", "App"].map { try number(of: $0, store) }
        for _ in 0..<30 {
            let grant = Visibility.Grant(
                earliest: Bool.random(using: &random)
                    ? Double.random(in: 0...4_320_000, using: &random) : nil,
                onlySource: Bool.random(using: &random)
                    ? sources.randomElement(using: &random) : nil,
                exempt: Bool.random(using: &random)
                    ? .init(
                        source: try #require(sources.randomElement(using: &random)),
                        earliest: Bool.random(using: &random)
                            ? Double.random(in: 0...4_320_000, using: &random) : nil) : nil)
            let visibility = Visibility(grants: [SampleType.steps.code: grant], others: .none)
            let query = SampleQuery(.steps, visibility: visibility)
            let batch = try store.samples(query)
            let all = try store.samples(SampleQuery(.steps))
            let shown = try all.samples.filter { sample in
                let source = try number(of: all.source(of: sample).name, store)
                let from = grant.earliest ?? -.infinity
                let ownFrom = grant.exempt?.source == source ? grant.exempt?.earliest : from
                return sample.start >= min(from, ownFrom ?? -.infinity)
                    && (grant.onlySource == nil || grant.onlySource == source)
            }
            #expect(batch.samples.map(\.sequence) == shown.map(\.sequence), "seed \(seed)")
            let matched = try store.objects([SampleRequest(.steps)], visibility: visibility)
            #expect(
                matched.batch.samples.map(\.sequence) == shown.map(\.sequence), "seed \(seed)")
            let types = try store.types(visibility: visibility)
            #expect(
                types.map(\.samples) == (batch.samples.isEmpty ? [] : [batch.samples.count]),
                "seed \(seed)")
            let counted = try store.sources(of: nil, visibility: visibility)
            #expect(counted.map(\.samples).reduce(0, +) == batch.samples.count, "seed \(seed)")
            let sum = try store.statistics(query, over: [-1, 50 * 86_400]).buckets
            let order = try store.read { try SourceTable($0).order([:]) }
            let conversions = batch.origins.map { _ in UnitConversion?.some(.identity) }
            let expected = batch.statistics(
                of: .cumulative, over: [-1, 50 * 86_400], conversions: conversions, order: order)
            #expect(sum == expected, "seed \(seed)")
        }
    }
}
