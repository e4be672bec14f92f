public import Foundation
import HealthEngine
import HealthStorage

/// Which effort scores were given to a workout, or to one leg of it.
// Immutable.
open class HKWorkoutEffortRelationship: NSObject, @unchecked Sendable {
    /// The workout.
    public let workout: HKWorkout
    /// The leg; nil for the whole workout.
    public let activity: HKWorkoutActivity?
    /// The scores, by start.
    public let samples: [HKSample]?

    init(_workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]?) {
        workout = _workout
        self.activity = activity
        self.samples = samples
    }
}

extension HKQuery {
    /// Effort scores given to a workout, or to one leg of it as the workout object knows it.
    public class func predicateForWorkoutEffortSamplesRelated(
        workout: HKWorkout, activity: HKWorkoutActivity?
    ) -> NSPredicate {
        let ofWorkout = predicateForObjects(from: workout)
        guard let activity else { return ofWorkout }
        let leg = workout.content.activities.first { $0.uuid == activity.uuid.uuidString }
        let uuids = (leg?.effortSamples ?? []).compactMap { UUID(uuidString: $0) }
        return NSCompoundPredicate(
            andPredicateWithSubpredicates: [ofWorkout, predicateForObjects(with: Set(uuids))])
    }
}

/// Asks which effort scores were given to workouts.
// Immutable but for the locked handler.
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

    /// Asks for the relations of effort scores.
    ///
    /// - Parameters:
    ///   - predicate: Which effort scores; nil for all.
    ///   - anchor: Only scores saved after it.
    ///   - options: With `.mostRelevant` one score a relation: a given one before an estimated one,
    ///     a later one before an earlier one.
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
            _number: sequence, store: try execution.connection.store.identifier, question: nil)
        execution.deliver { handler.current?(self, relationships, next, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// The scores of a workout or a leg, before they become an object.
private struct EffortRelation {
    var workout: HKWorkout
    var activity: HKWorkoutActivity?
    var samples: [HKSample]

    static let types = [
        HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
    ]

    static func isMoreRelevant(_ a: HKSample, _ b: HKSample) -> Bool {
        let (isGivenA, isGivenB) = (a.sampleType == types[0], b.sampleType == types[0])
        return isGivenA == isGivenB ? a.startDate > b.startDate : isGivenA
    }
}

extension QueryExecution {
    /// The relations of matching effort scores saved after a change, and the last change.
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
            relations += EffortRelation.split(samples, of: workout)
        }
        return (relations, changes.sequence)
    }
}

extension EffortRelation {
    /// Scores of legs by leg, the others together.
    fileprivate static func split(_ samples: [HKSample], of workout: HKWorkout) -> [EffortRelation]
    {
        var rest = samples
        var relations: [EffortRelation] = []
        for activity in workout.workoutActivities {
            let uuids = Set(activity.value.effortSamples ?? [])
            let own = rest.filter { uuids.contains($0.uuid.uuidString) }
            if own.isEmpty { continue }
            rest.removeAll { uuids.contains($0.uuid.uuidString) }
            relations.append(EffortRelation(workout: workout, activity: activity, samples: own))
        }
        if !rest.isEmpty {
            relations.insert(
                EffortRelation(workout: workout, activity: nil, samples: rest), at: 0)
        }
        return relations
    }
}

/// Asks which effort scores were given to workouts, once or again and again.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
    /// Which effort scores; nil for all.
    public var predicate: NSPredicate?
    /// Only scores saved after it.
    public var anchor: HKQueryAnchor?
    /// One score a relation, or all.
    public var option: HKWorkoutEffortRelationshipQueryOptions

    /// Asks for the relations of effort scores.
    public init(
        predicate: NSPredicate?, anchor: HKQueryAnchor?,
        option: HKWorkoutEffortRelationshipQueryOptions
    ) {
        self.predicate = predicate
        self.anchor = anchor
        self.option = option
    }

    /// Relations, and where to go on.
    public struct Result: Sendable {
        public let relationships: [HKWorkoutEffortRelationship]
        public let newAnchor: HKQueryAnchor
    }

    /// The relations there are now.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let predicate = CollectedPredicate(value: predicate)
        let (anchor, option) = (anchor, option)
        return try await healthStore.answer { give in
            HKWorkoutEffortRelationshipQuery(
                predicate: predicate.value, anchor: anchor, options: option
            ) { _, relationships, newAnchor, error in
                let result = relationships.flatMap { relationships in
                    newAnchor.map { Result(relationships: relationships, newAnchor: $0) }
                }
                give(Swift.Result(result, error))
            }
        }
    }

    /// The relations there are now, as a sequence of one element: for later ones ask anew.
    public func results(for healthStore: HKHealthStore) -> Results {
        let question = CollectedPredicate(value: predicate)
        let (anchor, option) = (anchor, option)
        return Results(
            answers: healthStore.answers { continuation in
                HKWorkoutEffortRelationshipQuery(
                    predicate: question.value, anchor: anchor, options: option
                ) { _, relationships, newAnchor, error in
                    if let relationships, let newAnchor {
                        continuation.yield(
                            Result(relationships: relationships, newAnchor: newAnchor))
                    }
                    continuation.finish(throwing: error)
                }
            })
    }

    /// Relations as they come in.
    public struct Results: AsyncSequence {
        /// What each step gives.
        public typealias Element = Result
        let answers: QueryAnswers<Result>

        /// One iteration, with a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryAnswers<Result>.Iterator
            /// The next one; nil at the end. Throws what the query reports.
            public mutating func next() async throws -> Result? { try await base.next() }
        }

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(base: answers.makeIterator()) }
    }
}
