public import HealthEngine

/// Which samples of one type a query is about.
public struct SampleRequest: Sendable, Hashable {
    public var type: SampleType
    public var filter: SampleFilter

    public init(_ type: SampleType, _ filter: SampleFilter = .everything) {
        self.type = type
        self.filter = filter
    }
}

/// Samples as a query answers them, with their UUIDs.
public struct StoredSamples: Sendable {
    /// The samples and what they point at. The first ``count`` are the answer; the others are members
    /// of correlations among them, tied to them by ``SampleBatch/parents``.
    public var batch: SampleBatch
    /// By index of ``SampleBatch/samples``.
    public var uuids: [SampleUUID]
    public var count: Int
    /// By code, the types among them that the catalogue doesn't know.
    public var strangeTypes: [Int32: SampleType]

    public init(
        batch: SampleBatch = SampleBatch(), uuids: [SampleUUID] = [], count: Int = 0,
        strangeTypes: [Int32: SampleType] = [:]
    ) {
        self.batch = batch
        self.uuids = uuids
        self.count = count
        self.strangeTypes = strangeTypes
    }

    /// The type of a sample's code, the catalogue's or the store's own.
    public func type(code: Int32) -> SampleType? {
        Catalogue.type(code: code) ?? strangeTypes[code]
    }
}

/// One key that samples are put in order by.
public struct SampleSort: Sendable, Hashable {
    /// What samples can be put in order by.
    public enum Key: Sendable, Hashable, CaseIterable {
        case start, end
        /// Seconds without pauses. Like the totals, samples that have none come first.
        case workoutDuration
        case workoutTotalDistance, workoutTotalEnergyBurned
        case workoutTotalSwimmingStrokeCount, workoutTotalFlightsClimbed
    }

    /// Which end comes first.
    public enum Direction: Sendable, Hashable { case ascending, descending }

    public var key: Key
    public var direction: Direction

    public init(_ key: Key, _ direction: Direction = .ascending) {
        self.key = key
        self.direction = direction
    }
}

/// What was saved and deleted after some number of a change.
public struct StoredChanges: Sendable {
    /// In order of their numbers.
    public var samples: StoredSamples
    /// In order of the deletions.
    public var deleted: [DeletedSample]
    /// The number to ask after next time: of the last change returned if a limit ended the answer,
    /// else the highest of the store.
    public var sequence: Int64
}

/// What is left of a deleted sample (Semantics §6.6).
public struct DeletedSample: Sendable, Hashable {
    public var uuid: SampleUUID
    /// The number of the deletion.
    public var sequence: Int64
    public var type: Int32
    public var syncIdentifier: String?
    public var syncVersion: Double?
}

/// The sources that samples came from, with the versions they were in.
public struct StoredSources: Sendable {
    /// In order of their bundle identifiers.
    public var sources: [Source]
    /// Each different pair of source and version, by index into ``sources``; without device and unit.
    public var revisions: [Origin]
}
