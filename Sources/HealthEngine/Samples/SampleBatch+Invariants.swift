/// An invariant of a batch that does not hold, with the index concerned. Indices in a batch must
/// refer to the batch's own tables.
public enum SampleBatchViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sample's origin is not in the batch.
    case origin(sample: Int)
    /// A sample's metadata is not in the batch.
    case metadata(sample: Int)
    /// A start or end is infinite or NaN, or a creation date is infinite.
    case times(sample: Int)
    /// A detail belongs to a sample that is not in the batch.
    case detail(sample: Int)
    /// A membership refers to a sample that is not in the batch, or to the sample itself.
    case parent(sample: Int)
    /// The source of an origin is not in the batch.
    case source(origin: Int)

    /// The error as a sentence, without health values: "Sample 3 of the batch names an origin that
    /// isn't there."
    public var description: String {
        switch self {
        case .origin(let index): "Sample \(index) of the batch refers to a missing origin."
        case .metadata(let index): "Sample \(index) of the batch refers to missing metadata."
        case .times(let index): "Sample \(index) of the batch has an invalid time."
        case .detail(let index): "A detail of the batch refers to the missing sample \(index)."
        case .parent(let index): "Sample \(index) of the batch refers to a missing parent."
        case .source(let index): "Origin \(index) of the batch refers to a missing source."
        }
    }
}

extension SampleBatch {
    /// Checks that all indices are in range and all times are valid, so that a batch of unknown
    /// origin can be used without a trap.
    ///
    /// In a sample's metadata and an origin's source, -1 means none. The order of the samples
    /// (``isOrdered``) is not checked. Nor is that samples end after they start, because statistics
    /// skip those that do not.
    ///
    /// - Throws: The first ``SampleBatchViolation``: first of samples and their origins, then of
    ///   details, memberships and orphans.
    /// - Complexity: O(n) for the samples, details and memberships. Origins without a sample are
    ///   not checked.
    public func checkInvariants() throws(SampleBatchViolation) {
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
