import Foundation
import HealthEngine

/// The state of a workout session with its dates.
///
/// ```
/// notStarted ─prepare─► prepared ─start─► running ─stop─► stopped ─end─► ended
///      └─────────start───────────────────►  │ ▲             ▲
///                                     pause ▼ │ resume      │
///                                          paused ──stop────┘
/// ```
/// The action `end` is permitted in every state except `ended`. Any other action throws an error
/// and has no effect, and so does a stop or an activity before the start of the session.
struct WorkoutSessionStateMachine {
    enum Action: String, Codable {
        case prepare, startActivity, pause, resume, stopActivity, end
    }

    /// A completed change of state.
    struct Transition {
        var from: HKWorkoutSessionState
        var to: HKWorkoutSessionState
        var date: Date
        /// The pause or resumption that the action causes; nil for other actions.
        var event: HKWorkoutEvent?
        /// The activity that the action ended; nil if it ended none.
        var endedActivity: HKWorkoutActivity?
    }

    private(set) var state = HKWorkoutSessionState.notStarted
    private(set) var start: Date?
    private(set) var end: Date?
    /// The pauses and resumptions so far.
    private(set) var events: [HKWorkoutEvent] = []
    /// The current activity of a multisport workout; nil if none was begun or the last one ended.
    private(set) var activity: HKWorkoutActivity?

    init() {}

    /// Restores a state; nil if its number is unknown.
    init?(_ snapshot: WorkoutSessionSnapshot) {
        guard let state = HKWorkoutSessionState(rawValue: snapshot.state) else { return nil }
        self.state = state
        start = snapshot.start.map(Date.init(timeIntervalSinceReferenceDate:))
        end = snapshot.end.map(Date.init(timeIntervalSinceReferenceDate:))
        events = snapshot.events.map(HKWorkoutEvent.init(_event:))
        activity = snapshot.activity.map(HKWorkoutActivity.init(_activity:))
    }

    mutating func apply(_ action: Action, at date: Date) throws(HKError) -> Transition {
        guard let next = WorkoutSessionStateMachine.state(after: state, action) else {
            throw HKError(
                .errorInvalidArgument,
                "\(action.rawValue) is not allowed while the workout session is \(state).")
        }
        if action == .stopActivity { try requireStarted(at: date, "stopActivity") }
        var transition = Transition(from: state, to: next, date: date)
        switch action {
        case .startActivity: start = date
        case .stopActivity: end = date
        // A session that ends before a start in the future has no duration.
        case .end: end = end ?? start.map { max($0, date) }
        case .pause: transition.event = HKWorkoutEvent(type: .pause, date: date)
        case .resume: transition.event = HKWorkoutEvent(type: .resume, date: date)
        case .prepare: break
        }
        if let event = transition.event { events.append(event) }
        if next == .stopped || next == .ended {
            transition.endedActivity = activity
            activity = nil
        }
        state = next
        return transition
    }

    /// Begins an activity.
    ///
    /// - Returns: The previous activity, which ends; nil if there was none.
    /// - Throws: `errorInvalidArgument` unless the session is running or paused, and if the new
    ///   activity begins before the session or the previous activity.
    mutating func begin(_ new: HKWorkoutActivity) throws(HKError) -> HKWorkoutActivity? {
        try requireActive("beginNewActivity")
        try requireStarted(at: new.startDate, "beginNewActivity")
        defer { activity = new }
        return activity
    }

    /// Ends the current activity and returns it.
    ///
    /// - Throws: `errorInvalidArgument` without a current activity, for a date before its start,
    ///   and unless the session is running or paused.
    mutating func endActivity(at date: Date) throws(HKError) -> HKWorkoutActivity {
        try requireActive("endCurrentActivity")
        guard let ended = activity else {
            throw HKError(.errorInvalidArgument, "No workout activity has been started")
        }
        try requireStarted(at: date, "endCurrentActivity")
        activity = nil
        return ended
    }

    /// Checks that a date is not before the start of the session or of the current activity.
    private func requireStarted(at date: Date, _ call: String) throws(HKError) {
        let starts = [start, activity?.startDate].compactMap { $0 }
        if let latest = starts.max(), date < latest {
            throw HKError(
                .errorInvalidArgument,
                "\(call) is not allowed before the start of the workout session or its activity.")
        }
    }

    /// Checks that events and activities are possible now.
    ///
    /// - Throws: `errorInvalidArgument` unless the session is running or paused.
    func requireActive(_ call: String) throws(HKError) {
        if state != .running && state != .paused {
            throw HKError(
                .errorInvalidArgument,
                "\(call) is not allowed while the workout session is \(state).")
        }
    }

    private static func state(
        after state: HKWorkoutSessionState, _ action: Action
    ) -> HKWorkoutSessionState? {
        switch (state, action) {
        case (.notStarted, .prepare): .prepared
        case (.notStarted, .startActivity), (.prepared, .startActivity): .running
        case (.running, .pause): .paused
        case (.paused, .resume): .running
        case (.running, .stopActivity), (.paused, .stopActivity): .stopped
        case (.ended, _): nil
        case (_, .end): .ended
        default: nil
        }
    }
}
