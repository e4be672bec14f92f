/// What is wrong with a batch, and where: every number is an index into the batch's own tables.
public enum SampleBatchBreach: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sample's origin is none of the batch's.
    case origin(sample: Int)
    /// A sample's metadata is none of the batch's.
    case metadata(sample: Int)
    /// A start or end is infinite or missing, or a creation infinite.
    case times(sample: Int)
    /// A structured part belongs to no sample.
    case detail(sample: Int)
    /// A membership names no sample, or a sample its own parent.
    case parent(sample: Int)
    /// The source of a sample's origin is none of the batch's.
    case source(origin: Int)

    /// "Sample 3 of the batch names an origin that isn't there." Holds no health value.
    public var description: String {
        switch self {
        case .origin(let index): "Sample \(index) of the batch names an origin that isn't there."
        case .metadata(let index): "Sample \(index) of the batch names metadata that isn't there."
        case .times(let index): "Sample \(index) of the batch has times that are none."
        case .detail(let index): "A detail names sample \(index), which the batch hasn't."
        case .parent(let index): "Sample \(index) of the batch has a parent that isn't there."
        case .source(let index): "Origin \(index) of the batch names a source that isn't there."
        }
    }
}

extension SampleBatch {
    /// Checks that every number points at something and that every time is one, so that a batch
    /// from anywhere can be taken in without a trap.
    ///
    /// -1 stands for "none" in a sample's metadata and an origin's source. Order is not
    /// asked for (``isOrdered``), nor that samples end after they start: statistics leave those out
    /// that don't.
    ///
    /// - Throws: The first breach: of samples and their origins, then of details and memberships.
    /// - Complexity: O(samples); origins that no sample has are not looked at.
    public func checkInvariants() throws(SampleBatchBreach) {
        for (index, sample) in samples.enumerated() {
            guard sample.origin >= 0, sample.origin < origins.count else {
                throw .origin(sample: index)
            }
            let source = origins[Int(sample.origin)].source
            guard source >= -1, source < sources.count else {
                throw .source(origin: Int(sample.origin))
            }
            guard sample.metadata >= -1, sample.metadata < metadata.count else {
                throw .metadata(sample: index)
            }
            guard sample.start.isFinite, sample.end.isFinite, !sample.created.isInfinite else {
                throw .times(sample: index)
            }
        }
        if let index = details.keys.filter({ !samples.indices.contains($0) }).min() {
            throw .detail(sample: index)
        }
        let lost = parents.filter { child, parent in
            !samples.indices.contains(child) || !samples.indices.contains(parent)
                || parent == child
        }
        if let index = lost.keys.min() { throw .parent(sample: index) }
        if let index = orphans.first(where: { !samples.indices.contains($0) }) {
            throw .parent(sample: index)
        }
    }
}
