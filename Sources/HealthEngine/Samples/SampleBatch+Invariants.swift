/// An invalid part of a batch, with its index. Indices in a batch must refer to the batch's own
/// tables, and times must be finite.
public enum SampleBatchViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sample's origin is not in the batch.
    case origin(sample: Int)
    /// A sample's metadata is not in the batch.
    case metadata(sample: Int)
    /// A start or end is infinite or NaN, or a creation date is infinite.
    case times(sample: Int)
    /// A detail belongs to a sample that is not in the batch.
    case detail(sample: Int)
    /// In `parents`, a member or its parent is not in the batch, or a sample is its own parent.
    /// Also an index in `orphans` that is not in the batch. The associated value is the member's
    /// index.
    case parent(sample: Int)
    /// The source of an origin is not in the batch, and is not -1.
    case source(origin: Int)

    /// The error as a sentence, without health values: "Sample 3 of the batch refers to a missing
    /// origin."
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
    /// Checks that all indices are in range and all times are finite, so that code that uses the
    /// indices of an untrusted batch does not trap.
    ///
    /// In a sample's metadata and an origin's source, -1 means none. A creation date can be NaN.
    /// The order of the samples (``isSorted``) is not checked. Samples can end before they start,
    /// because statistics skip them.
    ///
    /// - Throws: The first ``SampleBatchViolation``. Samples and their origins are checked first,
    ///   then details, parents and orphans. Origins without a sample are not checked.
    /// - Complexity: O(n) in the number of samples, details, parents and orphans.
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
        let missing = parents.filter { child, parent in
            !samples.indices.contains(child) || !samples.indices.contains(parent)
                || parent == child
        }
        if let index = missing.keys.min() { throw .parent(sample: index) }
        if let index = orphans.first(where: { !samples.indices.contains($0) }) {
            throw .parent(sample: index)
        }
    }
}
