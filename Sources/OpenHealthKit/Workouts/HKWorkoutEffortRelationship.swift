public import Foundation
import HealthEngine
import HealthStorage

/// The effort scores of a workout, or of one of its activities.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKWorkoutEffortRelationship: NSObject, @unchecked Sendable {
    /// The workout.
    public let workout: HKWorkout
    /// The activity; nil for the whole workout.
    public let activity: HKWorkoutActivity?
    /// The scores, ordered by start.
    public let samples: [HKSample]?

    init(_workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]?) {
        workout = _workout
        self.activity = activity
        self.samples = samples
    }
}

extension HKQuery {
    /// Returns a predicate for the effort scores of a workout or of one of its activities.
    ///
    /// Without an activity, it matches all samples associated with the workout. Then execute the
    /// query for the type of the effort scores. With an activity, it matches the scores that the
    /// object `workout` lists for it. The object does not change, so read the workout again after
    /// scores were added or removed.
    ///
    /// - Parameters:
    ///   - workout: The workout.
    ///   - activity: The activity; nil for the whole workout.
    /// - Returns: The predicate.
    public class func predicateForWorkoutEffortSamplesRelated(
        workout: HKWorkout, activity: HKWorkoutActivity?
    ) -> NSPredicate {
        let workoutPredicate = predicateForObjects(from: workout)
        guard let activity else { return workoutPredicate }
        let storedActivity = workout.content.activities.first {
            $0.uuid == activity.uuid.uuidString
        }
        let uuids = (storedActivity?.effortSamples ?? []).compactMap { UUID(uuidString: $0) }
        return NSCompoundPredicate(
            andPredicateWithSubpredicates: [
                workoutPredicate, predicateForObjects(with: Set(uuids)),
            ])
    }
}

/// A query for effort scores, grouped by workout and activity.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
    private let anchor: HKQueryAnchor?
    private let options: HKWorkoutEffortRelationshipQueryOptions
    private let handler:
        QueryHandler<
            @Sendable (
                HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
        >

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - predicate: Which effort scores to consider; nil for all.
    ///   - anchor: Only scores saved after this anchor are considered; nil for all.
    ///   - options: With `.mostRelevant`, one score for each relationship: entered scores are
    ///     preferred to estimated ones, then later starts to earlier ones. Otherwise all scores.
    ///   - resultsHandler: Receives the query, the relationships, the new anchor and nil, or the
    ///     query, nil, nil and the error. Called once on a background queue.
    @preconcurrency
    public required init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?,
        options: HKWorkoutEffortRelationshipQueryOptions,
        resultsHandler:
            @escaping @Sendable (
                HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
    ) {
        self.anchor = anchor
        self.options = options
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: .workoutType(), predicate: predicate)
    }

    override func run(_ execution: QueryExecution) throws {
        try execution.check(anchor, of: execution.connection.readableStore)
        let (relations, sequence) = try execution.effortRelations(
            super.predicate, after: anchor?.number ?? 0)
        let relationships = relations.map { relation in
            let samples =
                options.contains(.mostRelevant)
                ? Array(relation.samples.sorted(by: EffortRelation.isMoreRelevant).prefix(1))
                : relation.samples
            return HKWorkoutEffortRelationship(
                _workout: relation.workout, activity: relation.activity, samples: samples)
        }
        let next = HKQueryAnchor(
            _number: sequence, store: try execution.connection.store.identifier, fingerprint: nil)
        execution.deliver { handler.current?(self, relationships, next, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// The effort scores of a workout or an activity.
private struct EffortRelation {
    var workout: HKWorkout
    var activity: HKWorkoutActivity?
    var samples: [HKSample]

    static let types = [
        HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
    ]

    static func isMoreRelevant(_ a: HKSample, _ b: HKSample) -> Bool {
        let (isUserScoreA, isUserScoreB) = (a.sampleType == types[0], b.sampleType == types[0])
        return isUserScoreA == isUserScoreB ? a.startDate > b.startDate : isUserScoreA
    }
}

extension QueryExecution {
    /// Returns the relationships of matching effort scores saved after a sequence number, and the
    /// sequence number of the last change in the store.
    ///
    /// - Complexity: O(workouts · log n + scores).
    fileprivate func effortRelations(
        _ predicate: NSPredicate?, after sequence: Int64
    ) throws -> (relations: [EffortRelation], sequence: Int64) {
        let store = try connection.readableStore
        let workoutType = HKObjectType.workoutType()
        let visibility = try visibility(of: EffortRelation.types + [workoutType])
        let scores = try EffortRelation.types.map { try request($0, predicate) }
        let changes = try store.changes(scores, after: sequence, visibility: visibility)
        let new = Set(SampleObjects.objects(changes.samples).map(\.uuid))
        if new.isEmpty { return ([], changes.sequence) }
        let workouts = try store.objects(
            [try request(workoutType, nil)], visibility: visibility)
        var relations: [EffortRelation] = []
        for case let workout as HKWorkout in SampleObjects.objects(workouts) {
            let members = scores.map {
                SampleRequest(
                    $0.type, .and([$0.filter, .memberOf(SampleUUID(workout.uuid))]))
            }
            let stored = try store.objects(members, visibility: visibility)
            let samples = SampleObjects.objects(stored).filter { new.contains($0.uuid) }
            relations += EffortRelation.grouped(samples, of: workout)
        }
        return (relations, changes.sequence)
    }
}

extension EffortRelation {
    /// Groups the scores of a workout by activity. The scores that no activity lists form one
    /// group, which comes first.
    fileprivate static func grouped(_ samples: [HKSample], of workout: HKWorkout)
        -> [EffortRelation]
    {
        var unassigned = samples
        var relations: [EffortRelation] = []
        for activity in workout.workoutActivities {
            let uuids = Set(activity.value.effortSamples ?? [])
            let activitySamples = unassigned.filter { uuids.contains($0.uuid.uuidString) }
            if activitySamples.isEmpty { continue }
            unassigned.removeAll { uuids.contains($0.uuid.uuidString) }
            relations.append(
                EffortRelation(workout: workout, activity: activity, samples: activitySamples))
        }
        if !unassigned.isEmpty {
            relations.insert(
                EffortRelation(workout: workout, activity: nil, samples: unassigned), at: 0)
        }
        return relations
    }
}

/// A query descriptor for the effort scores of workouts. Its sequence has one result, and does not
/// observe later changes.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
    /// Which effort scores to consider; nil for all.
    public var predicate: NSPredicate?
    /// Only scores saved after this anchor are considered; nil for all.
    public var anchor: HKQueryAnchor?
    /// With `.mostRelevant`, one score for each relationship, otherwise all.
    public var option: HKWorkoutEffortRelationshipQueryOptions

    /// Creates a query descriptor.
    ///
    /// - Parameters:
    ///   - predicate: Which effort scores to consider; nil for all.
    ///   - anchor: Only scores saved after this anchor are considered; nil for all.
    ///   - option: With `.mostRelevant`, one score for each relationship, otherwise all.
    public init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?,
        option: HKWorkoutEffortRelationshipQueryOptions
    ) {
        self.predicate = predicate
        self.anchor = anchor
        self.option = option
    }

    /// Relationships and the anchor for the next query.
    public struct Result: Sendable {
        /// The effort scores by workout and activity.
        public let relationships: [HKWorkoutEffortRelationship]
        /// The anchor to pass to the next query.
        public let newAnchor: HKQueryAnchor
    }

    /// Executes the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The relationships and the new anchor.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let predicate = SendablePredicate(value: predicate)
        let (anchor, option) = (anchor, option)
        return try await healthStore.awaitResult { deliver in
            HKWorkoutEffortRelationshipQuery(
                predicate: predicate.value, anchor: anchor, options: option
            ) { _, relationships, newAnchor, error in
                let result = relationships.flatMap { relationships in
                    newAnchor.map { Result(relationships: relationships, newAnchor: $0) }
                }
                deliver(Swift.Result(result, error))
            }
        }
    }

    /// Returns a sequence whose iterators execute the query. It does not observe later changes.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of one result, which throws an error if the query fails.
    public func results(for healthStore: HKHealthStore) -> Results {
        let condition = SendablePredicate(value: predicate)
        let (anchor, option) = (anchor, option)
        return Results(
            sequence: healthStore.resultSequence { continuation in
                HKWorkoutEffortRelationshipQuery(
                    predicate: condition.value, anchor: anchor, options: option
                ) { _, relationships, newAnchor, error in
                    if let relationships, let newAnchor {
                        continuation.yield(
                            Result(relationships: relationships, newAnchor: newAnchor))
                    }
                    continuation.finish(throwing: error)
                }
            })
    }

    /// A sequence of one result.
    public struct Results: AsyncSequence {
        /// The relationships and the new anchor.
        public typealias Element = Result
        let sequence: QueryResultSequence<Result>

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryResultSequence<Result>.Iterator
            /// Waits for the next result.
            ///
            /// - Returns: The next result; nil at the end.
            /// - Throws: ``HKError``.
            public mutating func next() async throws -> Result? { try await base.next() }
        }

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(base: sequence.makeIterator()) }
    }
}
