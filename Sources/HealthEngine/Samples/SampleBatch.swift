/// Samples and the tables that their indices refer to. Targets exchange samples in batches.
///
/// ```
/// samples   [ type origin metadata start end created value key sequence ] …
///                    │       └────────────► metadata [ Metadata ]
///                    └─► origins [ source version device unit ]
///                                    └────► sources [ name bundleIdentifier ]
/// details   index of a sample ─► its structured part (workout, rings, heartbeats)
/// parents   index of a sample ─► index of the correlation or workout it is a member of
/// orphans   indices of members whose correlation or workout is not stored
/// ```
///
/// A batch for a merge or statistics must have one type. The calculation is faster if the samples
/// are in (start, key) order. A batch to be written can have several types, in any order.
public struct SampleBatch: Sendable {
    /// The samples.
    public var samples: [Sample]
    /// The sources that ``origins`` refer to.
    public var sources: [Source]
    /// The origins that ``samples`` refer to.
    public var origins: [Origin]
    /// The metadata that ``samples`` refer to.
    public var metadata: [Metadata]
    /// Structured parts of samples, by index into `samples`.
    public var details: [Int: SampleDetail]
    /// The index of the containing correlation or workout for each member, both indices into
    /// `samples`. A systolic reading, for example, refers to its blood pressure.
    public var parents: [Int: Int]
    /// Indices of members whose correlation or workout is not stored. Like other members, such a
    /// sample can be a repetition of a sample that is also stored on its own.
    public var orphans: Set<Int>

    public init(
        samples: [Sample] = [], sources: [Source] = [], origins: [Origin] = [],
        metadata: [Metadata] = [], details: [Int: SampleDetail] = [:], parents: [Int: Int] = [:],
        orphans: Set<Int> = []
    ) {
        self.samples = samples
        self.sources = sources
        self.origins = origins
        self.metadata = metadata
        self.details = details
        self.parents = parents
        self.orphans = orphans
    }
}

extension SampleBatch {
    /// Returns the metadata of a sample.
    ///
    /// - Parameter sample: A sample of this batch. An index outside ``metadata`` traps.
    /// - Returns: The metadata, or nil if the sample has none.
    public func metadata(of sample: Sample) -> Metadata? {
        sample.metadata < 0 ? nil : metadata[Int(sample.metadata)]
    }

    /// Returns the source of a sample.
    ///
    /// - Parameter sample: A sample of this batch whose origin has a source. If the source is -1 or
    ///   outside ``sources``, this traps.
    /// - Returns: The source of the sample's origin.
    public func source(of sample: Sample) -> Source {
        sources[Int(origins[Int(sample.origin)].source)]
    }

    /// Whether the samples are in (start, key) order. Merges and statistics sort the samples of
    /// other batches first.
    ///
    /// - Complexity: O(n).
    public var isSorted: Bool {
        for index in samples.indices.dropFirst() {
            let (a, b) = (samples[index - 1], samples[index])
            if a.start > b.start || (a.start == b.start && a.key > b.key) { return false }
        }
        return true
    }

    /// Sorts the samples by (start, key) and updates the indices in ``details``, ``parents`` and
    /// ``orphans``. Samples with equal start and key keep their order.
    ///
    /// - Complexity: O(n log n), or O(n) if already in order.
    public mutating func sort() {
        if isSorted { return }
        let indices = samples.indices.sorted { left, right in
            let (a, b) = (samples[left], samples[right])
            if a.start != b.start { return a.start < b.start }
            if a.key != b.key { return a.key < b.key }
            return left < right
        }
        var newIndices = [Int](repeating: 0, count: samples.count)
        for (new, old) in indices.enumerated() { newIndices[old] = new }
        samples = indices.map { samples[$0] }
        details = Dictionary(uniqueKeysWithValues: details.map { (newIndices[$0], $1) })
        parents = Dictionary(uniqueKeysWithValues: parents.map { (newIndices[$0], newIndices[$1]) })
        orphans = Set(orphans.map { newIndices[$0] })
    }
}
