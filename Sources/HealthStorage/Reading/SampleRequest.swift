public import HealthEngine

/// A query for samples of one type.
public struct SampleRequest: Sendable, Hashable {
    /// The type of the samples.
    public var type: SampleType
    /// The condition that the samples must fulfil.
    public var filter: SampleFilter

    public init(_ type: SampleType, _ filter: SampleFilter = .everything) {
        self.type = type
        self.filter = filter
    }
}

/// The samples that a query returns, with their UUIDs.
public struct StoredSamples: Sendable {
    /// The samples and the values they refer to. The first ``count`` samples are the result. The
    /// others are members of correlations in the result, linked by `SampleBatch.parents`.
    public var batch: SampleBatch
    /// The UUIDs, by index of `SampleBatch.samples`.
    public var uuids: [SampleUUID]
    /// The number of samples in the result, without appended members.
    public var count: Int
    /// The types of the samples that are not in the catalogue, by code.
    package var uncataloguedTypes: [Int32: SampleType]

    package init(
        batch: SampleBatch = SampleBatch(), uuids: [SampleUUID] = [], count: Int = 0,
        uncataloguedTypes: [Int32: SampleType] = [:]
    ) {
        self.batch = batch
        self.uuids = uuids
        self.count = count
        self.uncataloguedTypes = uncataloguedTypes
    }

    /// Returns the type with a code, from the catalogue or the store's other types.
    ///
    /// - Parameter code: The code of a type.
    /// - Returns: The type; nil if it is in neither.
    public func type(code: Int32) -> SampleType? {
        Catalogue.type(code: code) ?? uncataloguedTypes[code]
    }
}

/// A sort key with a direction.
public struct SampleSort: Sendable, Hashable {
    /// The value by which samples are sorted.
    public enum Key: Sendable, Hashable, CaseIterable {
        case start, end
        /// The workout's recorded duration in seconds, which excludes pauses; without one, the time
        /// from start to end. Samples that are no workouts sort as the lowest value.
        case workoutDuration
        /// A total of the workout. Samples without it sort as the lowest value.
        case workoutTotalDistance, workoutTotalEnergyBurned
        /// A total of the workout. Samples without it sort as the lowest value.
        case workoutTotalSwimmingStrokeCount, workoutTotalFlightsClimbed
    }

    /// The sort direction.
    public enum Direction: Sendable, Hashable { case ascending, descending }

    /// The value to sort by.
    public var key: Key
    /// The direction.
    public var direction: Direction

    public init(_ key: Key, _ direction: Direction = .ascending) {
        self.key = key
        self.direction = direction
    }
}

/// The samples saved and deleted after a sequence number.
public struct StoredChanges: Sendable {
    /// The saved and imported samples, in order of sequence number. Appended members of
    /// correlations follow.
    public var samples: StoredSamples
    /// The deletions, in order of sequence number.
    public var deleted: [DeletedSample]
    /// The sequence number to continue from: that of the last returned change if a limit was
    /// reached, otherwise the store's last one.
    public var sequence: Int64
}

/// The tombstone of a deleted sample (Semantics §6.6).
public struct DeletedSample: Sendable, Hashable {
    /// The UUID of the sample.
    public var uuid: SampleUUID
    /// The sequence number of the deletion.
    public var sequence: Int64
    /// The code of the sample's type.
    public var type: Int32
    /// The sample's `HKMetadataKeySyncIdentifier`, if it had one.
    public var syncIdentifier: String?
    /// The sample's `HKMetadataKeySyncVersion`, if it had one.
    public var syncVersion: Double?
    /// Whether the sample is only no longer in this store, for example after the undo of an import,
    /// and HealthKit has not reported its deletion. It can come back.
    package var isWithdrawn = false
}

/// The sources of samples, with their versions.
package struct StoredSources: Sendable {
    /// The sources, in order of bundle identifier.
    package var sources: [Source]
    /// The distinct combinations of source, version, product type and operating system.
    /// `Origin.source` is an index into ``sources``. Device and unit are nil.
    package var revisions: [Origin]
}
