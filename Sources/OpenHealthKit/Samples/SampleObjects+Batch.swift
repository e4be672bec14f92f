import Foundation
import HealthEngine

extension SampleObjects {
    /// A batch to save; `uuids[i]` belongs to `batch.samples[i]`.
    struct Writing {
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
    ///   - author: The version, product type and operating system of the source. The other
    ///     properties are ignored: they depend on each sample.
    /// - Throws: `errorInvalidArgument` for an object that is not a sample or whose type is not in
    ///   the catalogue.
    /// - Complexity: O(n) for n samples, and O(m log m) for a correlation of m members.
    static func batch(
        of objects: [HKObject], source: Source, author: Origin = Origin(source: 0)
    ) throws(HKError) -> Writing {
        var writer = BatchWriter(source: source, author: author)
        for object in objects { try writer.add(object) }
        return writer.writing
    }
}

/// Builds a batch and shares equal origins and metadata between its samples.
private struct BatchWriter {
    var writing: SampleObjects.Writing
    private let author: Origin
    private var origins: [Origin: Int32] = [:]
    private var metadata: [Metadata: Int32] = [:]
    /// The device, unit and origin index of the last sample, because most samples have the same as
    /// the one before.
    private var last: (device: HKDevice?, unit: HKUnit?, index: Int32)?
    /// The index of each object by UUID.
    private var places: [SampleUUID: Int] = [:]

    init(source: Source, author: Origin) {
        writing = SampleObjects.Writing(batch: SampleBatch(sources: [source]), uuids: [])
        self.author = author
    }

    mutating func add(_ object: HKObject) throws(HKError) {
        guard let sample = object as? HKSample else {
            throw HKError(.errorInvalidArgument, "Only samples can be saved")
        }
        let index = try append(sample)
        guard let correlation = sample as? HKCorrelation else { return }
        for member in correlation.objects.sorted(by: { $0.uuid.uuidString < $1.uuid.uuidString }) {
            let place = try append(member)
            if place != index { writing.batch.parents[place] = index }
        }
    }

    private mutating func append(_ sample: HKSample) throws(HKError) -> Int {
        let uuid = SampleUUID(sample.uuid)
        if let place = places[uuid] { return place }
        guard let row = sample.sampleType.row else {
            throw HKError(
                .errorInvalidArgument, "Type \(sample.sampleType.identifier) can't be saved")
        }
        let index = writing.batch.samples.count
        writing.batch.samples.append(
            Sample(
                type: row.code, origin: origin(sample.device, sample.storedUnit),
                metadata: metadata(sample.sampleMetadata), start: sample.start, end: sample.end,
                value: sample.storedValue))
        writing.uuids.append(uuid)
        writing.batch.details[index] = sample.detail
        places[uuid] = index
        return index
    }

    private mutating func origin(_ device: HKDevice?, _ unit: HKUnit?) -> Int32 {
        if let last, last.device === device, last.unit === unit { return last.index }
        var origin = author
        origin.source = 0
        origin.device = device?.value
        origin.unit = unit?.unitString
        let next = Int32(truncatingIfNeeded: writing.batch.origins.count)
        let index = origins[origin] ?? next
        if index == next {
            origins[origin] = index
            writing.batch.origins.append(origin)
        }
        last = (device, unit, index)
        return index
    }

    private mutating func metadata(_ given: SampleMetadata?) -> Int32 {
        guard let stored = given?.stored, !stored.isEmpty else { return -1 }
        if let known = metadata[stored] { return known }
        let index = Int32(truncatingIfNeeded: writing.batch.metadata.count)
        metadata[stored] = index
        writing.batch.metadata.append(stored)
        return index
    }
}
