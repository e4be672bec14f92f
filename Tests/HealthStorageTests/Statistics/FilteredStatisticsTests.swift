import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("statistics over a filter agree with the reference merge of the samples it selects")
struct FilteredStatisticsTests {
    private static let rounds =
        TestTier.isTorture ? 400 : 25

    private typealias SavedSamples = [(sample: Sample, source: String, parts: [SeriesQuantity])]

    /// Creates a store with random samples of three sources, some of them series.
    private func randomStore(
        _ type: SampleType, _ random: inout SeededRandom
    ) throws -> (store: SampleStore, saved: SavedSamples) {
        let store = try SampleStore.inMemory()
        var samples: SavedSamples = []
        var saved = SavedBatch()
        for number in 0..<60 {
            let source = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let start = Double(Int.random(in: 0..<300, using: &random))
            let length: Double = [0, 5, 10, 60].randomElement(using: &random) ?? 0
            let value = Double(Int.random(in: 40..<200, using: &random))
            var parts: [SeriesQuantity] = []
            if Int.random(in: 0..<4, using: &random) == 0, length > 0 {
                let step = length / 5
                for part in 0..<5 {
                    let from = start + Double(part) * step
                    let value = Double(Int.random(in: 1..<50, using: &random))
                    parts.append(SeriesQuantity(start: from, end: from + step, value: value))
                }
            }
            saved.source = source
            saved.add(
                type, start, start + length, value, uuid: SampleUUID(number: number),
                detail: parts.isEmpty ? nil : .series(parts), created: Double(number))
        }
        try store.save(saved)
        let stored = try store.objects([SampleRequest(type)])
        for index in 0..<stored.count {
            let sample = stored.batch.samples[index]
            var parts: [SeriesQuantity] = []
            if case .series(let series) = stored.batch.details[index] { parts = series }
            samples.append((sample, stored.batch.source(of: sample).name, parts))
        }
        return (store, samples)
    }

    /// Returns the samples that a filter selects, with expanded series, numbered as in the store.
    private func batch(
        _ samples: SavedSamples, _ store: SampleStore,
        _ isIncluded: (Sample) -> Bool
    ) throws -> SampleBatch {
        let table = try store.read { try SourceTable($0) }
        var batch = SampleBatch(sources: table.sources, origins: table.origins)
        for (sample, _, parts) in samples where isIncluded(sample) {
            if parts.isEmpty { batch.samples.append(sample) }
            for part in parts {
                var copy = sample
                (copy.start, copy.end, copy.value) = (part.start, part.end, part.value)
                batch.samples.append(copy)
            }
        }
        batch.sort()
        return batch
    }

    @Test(
        "§1, §2.3, §2.4, §3.8 random stores, in one bucket and in several", .inTestAll,
        arguments: [SampleType.steps, .heartRate, .bodyMass, .sound])
    func random(type: SampleType) throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let aggregation = try #require(type.aggregation)
        for round in 0..<Self.rounds {
            let (store, samples) = try randomStore(type, &random)
            let low = Double(Int.random(in: 0..<200, using: &random))
            let high = low + Double(Int.random(in: 1..<150, using: &random))
            let filter = SampleFilter.and([
                .test(.end, .compare(.atLeast, .date(low))),
                .test(.start, .compare(.less, .date(high))),
                .test(.source, .oneOf([.string("com.example.a"), .string("com.example.b")])),
            ])
            let selected = try batch(samples, store) { sample in
                sample.end >= low && sample.start < high
            }
            let settings = try store.read { try SourceTable($0).order([:]) }
            var rules = StatisticsRules()
            rules.separation = .bySource
            let ab = selected.keeping { ["a", "b"].contains($0.name) }
            let reference = ReferenceMerge(
                ab, conversions: ab.origins.map { _ in .identity }, order: settings, rules: rules)
            let request = SampleRequest(type, filter)
            let compare = ResultComparison(tolerance: 1e-9)
            let edges = stride(from: 0.0, through: 420, by: 30).map { $0 }
            let bucketed = try store.statistics(request, over: edges, rules: rules)
            let difference = compare.difference(
                bucketed.buckets, reference.statistics(of: aggregation, over: edges),
                bySource: true)
            #expect(difference == nil, "seed \(seed), round \(round): \(difference ?? "")")
            let overall = try store.overallStatistics(request, rules: rules)
            var referenceOverall = reference.statistics(
                of: aggregation, over: [-.infinity, .infinity])
            if let first = ab.samples.map(\.start).min(), let last = ab.samples.map(\.end).max(),
                !referenceOverall.isEmpty
            {
                referenceOverall[0].start = first
                referenceOverall[0].end = last
            }
            let overallDifference = compare.difference(
                overall?.buckets ?? [], referenceOverall, bySource: true)
            #expect(
                overallDifference == nil,
                "seed \(seed), round \(round): \(overallDifference ?? "")")
        }
    }

    @Test(
        "§2.3 overall statistics run from the earliest start to the latest end of whole samples"
    )
    func overall() throws {
        let store = try SampleStore.inMemory()
        try store.save(1, .steps, 0, 100, 100)
        try store.save(2, .steps, 150, 250, 50)
        try store.save(3, .steps, 300, 400, 7)
        let filter = SampleFilter.and([
            .test(.end, .compare(.atLeast, .date(50))),
            .test(.start, .compare(.less, .date(200))),
        ])
        let request = SampleRequest(.steps, filter)
        let result = try #require(try store.overallStatistics(request))
        #expect(result.buckets.count == 1 && result.unit == "count")
        #expect(result.buckets[0].start == 0 && result.buckets[0].end == 250)
        #expect(result.buckets[0].merged.sum == 150)
        let bucketed = try store.statistics(request, over: [50, 200])
        #expect(bucketed.buckets.map(\.merged.sum) == [75])
        let nothing = SampleRequest(.steps, .test(.start, .compare(.less, .date(-1))))
        #expect(try store.overallStatistics(nothing) == nil)
        #expect(try store.statistics(nothing, over: [0, 100]).buckets.isEmpty)
        #expect(throws: StoreError.self) { try store.overallStatistics(SampleRequest(.sleep)) }
    }

    @Test("§1.10 an excluded source is not counted and doesn't affect when statistics begin")
    func excluded() throws {
        let store = try SampleStore.inMemory()
        try store.save(1, .steps, 0, 100, 100, source: "other")
        try store.save(2, .steps, 150, 250, 50)
        try store.set(.excluded, of: "other", in: .steps)
        let result = try #require(try store.overallStatistics(SampleRequest(.steps)))
        #expect(result.buckets[0].start == 150 && result.buckets[0].merged.sum == 50)
        #expect(result.excluded.map(\.source.name) == ["other"])
        let only = SampleRequest(
            .steps, .test(.source, .compare(.equal, .string("com.example.other"))))
        #expect(try store.overallStatistics(only) == nil)
        #expect(try store.uuids(.steps) == [1, 2])
    }

    @Test("§3.8 a series counts with its quantities, in buckets and overall, filtered or not")
    func series() throws {
        let store = try SampleStore.inMemory()
        let parts = [
            SeriesQuantity(start: 0, end: 10, value: 60), .init(start: 50, end: 60, value: 100),
        ]
        try store.save(1, .bodyMass, 0, 60, 80, detail: .series(parts))
        try store.save(2, .bodyMass, 20, 20, 20)
        let half = SampleFilter.test(.start, .compare(.less, .date(10)))
        for (filter, average) in [(SampleFilter.everything, 60.0), (half, 80)] {
            let request = SampleRequest(.bodyMass, filter)
            let overall = try #require(try store.overallStatistics(request))
            #expect(overall.buckets[0].merged.average == average)
            #expect(overall.buckets[0].merged.minimum == (filter == .everything ? 20 : 60))
            let bucketed = try store.statistics(request, over: [0, 30, 100])
            #expect(bucketed.buckets.map(\.merged.maximum) == [60, 100])
        }
        let result = try store.statistics(
            SampleQuery(.bodyMass), over: [0, 30, 100], unit: "kg")
        #expect(result.buckets.map(\.merged.average) == [40, 100])
        // Small windows, so that the quantities of a series wait for later windows.
        for number in 3..<20 { try store.save(SampleUUID(number: number), .bodyMass, 70, 70, 10) }
        var few = SampleQuery(.bodyMass)
        few.windowSize = 2
        let windowed = try store.statistics(few, over: [0, 30, 55, 65, 100], unit: "kg")
        #expect(windowed.buckets.map(\.merged.average) == [40, 100, 100, 10])
        #expect(windowed.buckets.map(\.start) == [0, 30, 55, 65])
    }

    @Test("values are in the requested unit, else in the one of the newest sample")
    func units() throws {
        let store = try SampleStore.inMemory()
        var saved = SavedBatch()
        saved.add(.heartRate, 0, 0, 60, unit: "count/min", uuid: 1)
        try store.save(saved)
        let request = SampleRequest(.heartRate, .test(.start, .compare(.atLeast, .date(0))))
        let recorded = try store.statistics(request, over: [0, 1])
        #expect(recorded.buckets[0].merged.average == 60 && recorded.unit == "count/min")
        let overall = try #require(try store.overallStatistics(request))
        #expect(overall.buckets[0].merged.average == 60 && overall.unit == "count/min")
        let seconds = try store.statistics(request, over: [0, 1], unit: "count/s")
        #expect(seconds.buckets[0].merged.average == 1)
        let minutes = try store.statistics(request, over: [0, 1], unit: "count/min")
        #expect(minutes.buckets[0].merged.average == 60 && minutes.unit == "count/min")
        #expect(throws: StoreError.self) {
            try store.statistics(request, over: [0, 1], unit: "kg")
        }
    }
}

extension SampleBatch {
    /// Returns the batch with the samples of some sources only.
    fileprivate func keeping(_ isKept: (Source) -> Bool) -> SampleBatch {
        var batch = self
        batch.samples = samples.filter { isKept(source(of: $0)) }
        return batch
    }
}
