import Foundation
import HealthEngine

extension SampleObjects {
    /// A batch to save; `uuids[i]` belongs to `batch.samples[i]`.
    struct NewBatch {
        var batch: SampleBatch
        var uuids: [SampleUUID]
    }

    /// Creates the batch for new objects; correlations are followed by their members.
    ///
    /// A member that is also one of the objects is written once. Values keep the unit they were
    /// given in.
    ///
    /// - Parameters:
    ///   - objects: The objects to save.
    ///   - source: The source that saves them.
    ///   - revision: The version, product type and operating system of the source. The other
    ///     properties are ignored: they depend on each sample.
    /// - Throws: `errorInvalidArgument` for an object that is not a sample or whose type is not in
    ///   the catalogue.
    /// - Complexity: O(n) for n samples, and O(m log m) for a correlation of m members.
    static func batch(
        of objects: [HKObject], source: Source, revision: Origin = Origin(source: 0)
    ) throws(HKError) -> NewBatch {
        var writer = BatchWriter(source: source, revision: revision)
        for object in objects { try writer.add(object) }
        return writer.result
    }
}

/// Builds a batch and shares equal origins and metadata between its samples.
private struct BatchWriter {
    var result: SampleObjects.NewBatch
    private let revision: Origin
    private var origins: [Origin: Int32] = [:]
    private var metadata: [Metadata: Int32] = [:]
    /// The device, unit and origin index of the last sample: a cache, because consecutive samples
    /// usually have the same device and unit.
    private var last: (device: HKDevice?, unit: HKUnit?, index: Int32)?
    /// The index of each sample of the batch by UUID.
    private var indices: [SampleUUID: Int] = [:]

    init(source: Source, revision: Origin) {
        result = SampleObjects.NewBatch(batch: SampleBatch(sources: [source]), uuids: [])
        self.revision = revision
    }

    mutating func add(_ object: HKObject) throws(HKError) {
        guard let sample = object as? HKSample else {
            throw HKError(.errorInvalidArgument, "Only samples can be saved")
        }
        let index = try append(sample)
        guard let correlation = sample as? HKCorrelation else { return }
        for member in correlation.objects.sorted(by: { $0.uuid.uuidString < $1.uuid.uuidString }) {
            let memberIndex = try append(member)
            if memberIndex != index { result.batch.parents[memberIndex] = index }
        }
    }

    private mutating func append(_ sample: HKSample) throws(HKError) -> Int {
        let uuid = SampleUUID(sample.uuid)
        if let known = indices[uuid] { return known }
        guard let row = sample.sampleType.row else {
            throw HKError(
                .errorInvalidArgument, "Type \(sample.sampleType.identifier) can't be saved")
        }
        let index = result.batch.samples.count
        result.batch.samples.append(
            Sample(
                type: row.code, origin: origin(sample.device, sample.storedUnit),
                metadata: metadata(sample.sampleMetadata), start: sample.start, end: sample.end,
                value: sample.storedValue))
        result.uuids.append(uuid)
        result.batch.details[index] = sample.detail
        indices[uuid] = index
        return index
    }

    private mutating func origin(_ device: HKDevice?, _ unit: HKUnit?) -> Int32 {
        if let last, last.device === device, last.unit === unit { return last.index }
        var origin = revision
        origin.source = 0
        origin.device = device?.value
        origin.unit = unit?.unitString
        let next = Int32(truncatingIfNeeded: result.batch.origins.count)
        let index = origins[origin] ?? next
        if index == next {
            origins[origin] = index
            result.batch.origins.append(origin)
        }
        last = (device, unit, index)
        return index
    }

    private mutating func metadata(_ sampleMetadata: SampleMetadata?) -> Int32 {
        guard let stored = sampleMetadata?.stored, !stored.isEmpty else { return -1 }
        if let known = metadata[stored] { return known }
        let index = Int32(truncatingIfNeeded: result.batch.metadata.count)
        metadata[stored] = index
        result.batch.metadata.append(stored)
        return index
    }
}
