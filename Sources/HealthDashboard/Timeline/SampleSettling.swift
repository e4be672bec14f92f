import Foundation
import HealthEngine

extension Collection where Element: HKSample {
    /// The one type of all samples, nil if there are none.
    func commonType() throws(TimelineError) -> HKSampleType? {
        let types = Set(map(\.sampleType))
        guard types.count < 2 else { throw .mixedTypes(types.map(\.identifier).sorted()) }
        return types.first
    }
}

/// HealthKit's samples as the engine takes them: numbers, and the order of their sources.
struct SampleSettling<Sample: HKSample> {
    let samples: [Sample]
    /// The winner first; a source's place here is its index in the batch.
    let sources: [HKSource]
    let batch: SampleBatch
    var order: SourceOrder { SourceOrder(ranking: sources.indices.map(Int32.init)) }

    /// - Complexity: O(n log n).
    init(_ samples: [Sample], order: [HKSource], value: (Sample) -> Double) {
        let sources = samples.rankedSources(preferring: order)
        let places = Dictionary(uniqueKeysWithValues: zip(sources, sources.indices.map(Int32.init)))
        var batch = SampleBatch(
            sources: sources.map { Source(name: $0.name, bundleIdentifier: $0.bundleIdentifier) },
            origins: sources.indices.map { Origin(source: Int32($0)) })
        batch.samples = samples.map { sample in
            HealthEngine.Sample(
                type: 0, origin: places[sample.sourceRevision.source] ?? 0,
                start: sample.startDate.timeIntervalSinceReferenceDate,
                end: sample.endDate.timeIntervalSinceReferenceDate, value: value(sample),
                key: sample.uuid.sortingKey)
        }
        self.samples = samples
        self.sources = sources
        self.batch = batch
    }
}

extension Timeline.Stretch {
    var interval: DateInterval {
        DateInterval(
            start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(timeIntervalSinceReferenceDate: end))
    }
}

extension UUID {
    /// Orders samples that start together the same way however they came.
    fileprivate var sortingKey: Int64 {
        withUnsafeBytes(of: uuid) { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }
}
