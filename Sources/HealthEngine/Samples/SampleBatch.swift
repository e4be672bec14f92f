/// Samples together with everything their numbers point at: the unit of work between rooms.
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
/// A batch read for a merge holds one type in (start, key) order; a batch to be written may mix
/// types in any order.
public struct SampleBatch: Sendable {
    public var samples: [Sample]
    public var sources: [Source]
    public var origins: [Origin]
    public var metadata: [Metadata]
    /// Structured parts, by index into `samples`.
    public var details: [Int: SampleDetail]
    /// Membership, by index into `samples`: a blood pressure's systolic reading names its correlation.
    public var parents: [Int: Int]
    /// Members whose correlation or workout is not stored, by index into `samples`: like other
    /// members they may show again a sample that stands elsewhere.
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
    /// The metadata of a sample, or nil if it has none.
    public func metadata(of sample: Sample) -> Metadata? {
        sample.metadata < 0 ? nil : metadata[Int(sample.metadata)]
    }

    /// The source of a sample.
    public func source(of sample: Sample) -> Source {
        sources[Int(origins[Int(sample.origin)].source)]
    }

    /// Whether samples stand in (start, key) order, as merges and statistics want them.
    public var isOrdered: Bool {
        for index in samples.indices.dropFirst() {
            let (a, b) = (samples[index - 1], samples[index])
            if a.start > b.start || (a.start == b.start && a.key > b.key) { return false }
        }
        return true
    }

    /// Puts samples into (start, key) order, details and memberships following their samples.
    ///
    /// - Complexity: O(n log n); O(n) if already in order.
    public mutating func order() {
        if isOrdered { return }
        let indices = samples.indices.sorted { left, right in
            let (a, b) = (samples[left], samples[right])
            if a.start != b.start { return a.start < b.start }
            if a.key != b.key { return a.key < b.key }
            return left < right
        }
        var places = [Int](repeating: 0, count: samples.count)
        for (new, old) in indices.enumerated() { places[old] = new }
        samples = indices.map { samples[$0] }
        details = Dictionary(uniqueKeysWithValues: details.map { (places[$0], $1) })
        parents = Dictionary(uniqueKeysWithValues: parents.map { (places[$0], places[$1]) })
        orphans = Set(orphans.map { places[$0] })
    }
}
