import Foundation
import HealthEngine

/// The configuration and the state of a session as a value, for its recovery and its mirrors.
struct WorkoutSessionSnapshot: Codable, Sendable {
    var configuration: WorkoutActivityConfiguration
    /// The raw value of the state.
    var state: Int
    /// The start, in reference seconds; nil before it.
    var start: Double?
    /// The end, in reference seconds; nil before it.
    var end: Double?
    /// The pauses and resumptions.
    var events: [WorkoutEvent]
    /// The current activity; nil if none was begun or the last one ended.
    var activity: WorkoutActivity?

    init(_ configuration: WorkoutActivityConfiguration, _ machine: WorkoutSessionStateMachine) {
        self.configuration = configuration
        state = machine.state.rawValue
        start = machine.start?.timeIntervalSinceReferenceDate
        end = machine.end?.timeIntervalSinceReferenceDate
        events = machine.events.map(\.value)
        activity = machine.activity?.value
    }
}

/// What a builder has collected, as a value for its recovery. The collected samples are stored
/// apart, because only they grow with the workout.
struct WorkoutCollectionSnapshot: Codable, Sendable {
    var phase: WorkoutCollection.Phase
    /// The start, in reference seconds; nil before it.
    var start: Double?
    /// The end, in reference seconds; nil before it.
    var end: Double?
    var metadata: Metadata
    var events: [WorkoutEvent]
    var activities: [WorkoutActivity]

    init(_ collection: WorkoutCollection) {
        phase = collection.phase
        start = collection.start?.timeIntervalSinceReferenceDate
        end = collection.end?.timeIntervalSinceReferenceDate
        metadata = SampleMetadata(values: collection.metadata).stored
        events = collection.events.map(\.value)
        activities = collection.activities
    }
}
