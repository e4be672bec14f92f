import Foundation
import HealthEngine

extension Collection where Element: HKSample {
    /// Returns the common type of all samples; nil if there are none.
    func commonType() throws(TimelineError) -> HKSampleType? {
        let types = Set(map(\.sampleType))
        guard types.count < 2 else { throw .mixedTypes(types.map(\.identifier).sorted()) }
        return types.first
    }
}

/// HealthKit samples converted for the engine: a batch of values and the source order.
struct TimelineInput<Sample: HKSample> {
    let samples: [Sample]
    /// The sources, the highest priority first. In ``batch``, a source and its only origin have the
    /// index that the source has here.
    let sources: [HKSource]
    let batch: SampleBatch
    var order: SourceOrder { SourceOrder(ranking: sources.indices.map(Int32.init)) }

    /// Converts samples for the engine.
    ///
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

extension Timeline.MergedInterval {
    var interval: DateInterval {
        DateInterval(
            start: Date(timeIntervalSinceReferenceDate: start),
            end: Date(timeIntervalSinceReferenceDate: end))
    }
}

extension UUID {
    /// A sort key that makes the order of samples with equal starts deterministic.
    fileprivate var sortingKey: Int64 {
        withUnsafeBytes(of: uuid) { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }
}

/// Why samples cannot be merged. The error contains no health value.
public enum TimelineError: Error, Hashable, Sendable {
    /// There are samples of several types; the identifiers are sorted.
    case mixedTypes([String])
    /// The catalogue doesn't contain the type, and no unit was given.
    case unknownUnit(type: String)
    /// The unit is not compatible with the type.
    case incompatibleUnit(String, type: String)
}

extension TimelineError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .mixedTypes(let types):
            "a timeline needs samples of one type, not of several: \(types.joined(separator: ", "))"
        case .unknownUnit(let type): "the type \(type) has no known unit: pass a unit"
        case .incompatibleUnit(let unit, let type): "the unit \(unit) doesn't fit \(type)"
        }
    }
}
