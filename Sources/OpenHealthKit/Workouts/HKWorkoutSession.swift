public import Foundation
import HealthEngine

/// A workout session: a state machine with the store's clock, without sensors.
///
/// ```swift
/// let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
/// let builder = session.associatedWorkoutBuilder()
/// session.startActivity(with: start)
/// try await builder.beginCollection(at: start)    // collects what is saved from now on
/// ```
/// A method has changed the state when it returns. The delegate is notified asynchronously, in
/// order, on a background queue. A step that the state does not permit is reported to the delegate
/// as `errorInvalidArgument` and has no effect. A store has one active session in a process. If
/// another one starts, the earlier one ends, and its delegate receives
/// `errorAnotherWorkoutSessionStarted`.
// Unchecked: all mutable state is locked.
open class HKWorkoutSession: NSObject, NSSecureCoding, @unchecked Sendable {
    let healthStore: HKHealthStore
    let stateMachine = Locked(WorkoutSessionStateMachine())
    private let configuration: WorkoutActivityConfiguration
    private let builder = Locked<HKLiveWorkoutBuilder?>(nil)
    private let delegateReference = WeakReference<any HKWorkoutSessionDelegate>()
    private let callbacks = DispatchQueue(label: "HKWorkoutSession", qos: .userInitiated)

    /// Creates a session that has not started.
    ///
    /// - Parameters:
    ///   - healthStore: The store.
    ///   - configuration: The activity type and its location.
    /// - Throws: `errorInvalidArgument` for a lap length that is not compatible with metres.
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration) throws {
        if let length = configuration.lapLength, !length.is(compatibleWith: .meter()) {
            throw HKError(.errorInvalidArgument, "A lap’s length is measured in metres")
        }
        self.healthStore = healthStore
        self.configuration = configuration.stored
    }

    /// Creates a session of the default store, like the older initializer of watchOS.
    ///
    /// - Parameter configuration: The activity type and its location.
    /// - Throws: `errorInvalidArgument` for a lap length that is not compatible with metres.
    public convenience init(configuration: HKWorkoutConfiguration) throws {
        try self.init(healthStore: HKHealthStore(), configuration: configuration)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Creates a session of the default store with a decoded configuration. The session has not
    /// started. Nil if the configuration is missing.
    public required init?(coder: NSCoder) {
        guard let configuration = coder.value(HKWorkoutConfiguration.self, "configuration") else {
            return nil
        }
        healthStore = HKHealthStore()
        self.configuration = configuration.stored
    }

    open func encode(with coder: NSCoder) {
        coder.encode(workoutConfiguration, forKey: "configuration")
    }

    /// A copy of the configuration.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

    /// The delegate, which is notified of changes; a weak reference.
    open weak var delegate: (any HKWorkoutSessionDelegate)? {
        get { delegateReference.value }
        set { delegateReference.value = newValue }
    }

    /// The state of the session.
    open var state: HKWorkoutSessionState { stateMachine { $0.state } }

    /// The type of the session; always `primary`, because there is no companion device.
    open var type: HKWorkoutSessionType { .primary }

    /// The start of the session; nil before it has started.
    open var startDate: Date? { stateMachine { $0.start } }

    /// The date at which the session was stopped or, if it was not stopped, ended. Nil before that
    /// date, and for a session that was never started.
    open var endDate: Date? { stateMachine { $0.end } }

    /// The current activity; if none was begun or the last one has ended, a new object for the
    /// whole workout.
    open var currentActivity: HKWorkoutActivity {
        stateMachine { $0.activity }
            ?? HKWorkoutActivity(
                workoutConfiguration: workoutConfiguration, start: startDate ?? now, end: endDate,
                metadata: nil)
    }

    /// Prepares the session, for example during a countdown.
    open func prepare() { perform(.prepare, at: now) }

    /// Starts the session.
    ///
    /// - Parameter date: The start; nil for now.
    open func startActivity(with date: Date?) { perform(.startActivity, at: date ?? now) }

    /// Stops the workout and the current activity. The session remains active until ``end()``.
    ///
    /// - Parameter date: The end; nil for now.
    open func stopActivity(with date: Date?) { perform(.stopActivity, at: date ?? now) }

    /// Ends the session permanently. Permitted in every state except `ended`.
    open func end() { perform(.end, at: now) }

    /// Pauses the session. The builder does not collect samples that start in the pause. The pause
    /// does not count towards the workout's duration if the builder's
    /// ``HKLiveWorkoutBuilder/shouldCollectWorkoutEvents`` is true.
    open func pause() { perform(.pause, at: now) }

    /// Resumes the session after a pause.
    open func resume() { perform(.resume, at: now) }

    /// Returns the builder of the session's workout, the same at each call.
    ///
    /// - Returns: The builder.
    open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
        builder { builder in
            let live = builder ?? HKLiveWorkoutBuilder(_session: self)
            builder = live
            return live
        }
    }

    /// Begins a new activity and ends the current one at the same time. Permitted while the session
    /// is running or paused.
    ///
    /// - Parameters:
    ///   - configuration: The activity type and its location.
    ///   - date: The start of the activity.
    ///   - metadata: Additional facts, or nil.
    open func beginNewActivity(
        configuration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?
    ) {
        let activity = HKWorkoutActivity(
            workoutConfiguration: configuration, start: date, end: nil, metadata: metadata)
        attempt {
            try stateMachine { (stateMachine) throws(HKError) in
                if let ended = try stateMachine.begin(activity) { notifyEnd(of: ended, at: date) }
                builder { $0 }?.sessionDidBegin(activity)
                notifyDelegate {
                    $0.workoutSession(
                        $1, didBeginActivityWith: activity.workoutConfiguration, date: date)
                }
            }
        }
    }

    /// Ends the current activity. Permitted while the session is running or paused; without a
    /// current activity, the delegate receives `errorInvalidArgument`.
    ///
    /// - Parameter date: The end of the activity.
    open func endCurrentActivity(on date: Date) {
        attempt {
            try stateMachine { (stateMachine) throws(HKError) in
                notifyEnd(of: try stateMachine.endActivity(), at: date)
            }
        }
    }

    /// Starts mirroring the session to a companion device. There is none here, so this call
    /// reports `errorHealthDataUnavailable`.
    ///
    /// - Parameter completion: Receives false and the error. Called on a background queue.
    @preconcurrency
    open func startMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { completion(false, HKError.mirroring) }
    }

    /// Starts mirroring the session to a companion device. There is none here, so this call
    /// throws `errorHealthDataUnavailable`.
    ///
    /// - Throws: `errorHealthDataUnavailable`.
    open func startMirroringToCompanionDevice() async throws { throw HKError.mirroring }

    /// Stops mirroring the session to a companion device. There is none here, so this call
    /// reports `errorHealthDataUnavailable`.
    ///
    /// - Parameter completion: Receives false and the error. Called on a background queue.
    @preconcurrency
    open func stopMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { completion(false, HKError.mirroring) }
    }

    /// Stops mirroring the session to a companion device. There is none here, so this call
    /// throws `errorHealthDataUnavailable`.
    ///
    /// - Throws: `errorHealthDataUnavailable`.
    open func stopMirroringToCompanionDevice() async throws { throw HKError.mirroring }

    /// Sends data to the session on a companion device. There is none here, so this call reports
    /// `errorHealthDataUnavailable`.
    ///
    /// - Parameters:
    ///   - data: Ignored.
    ///   - completion: Receives false and the error. Called on a background queue.
    @preconcurrency
    open func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { completion(false, HKError.mirroring) }
    }

    /// Sends data to the session on a companion device. There is none here, so this call throws
    /// `errorHealthDataUnavailable`.
    ///
    /// - Parameter data: Ignored.
    /// - Throws: `errorHealthDataUnavailable`.
    open func sendToRemoteWorkoutSession(data: Data) async throws { throw HKError.mirroring }
}

extension HKError {
    fileprivate static var mirroring: HKError { .unavailable("Mirroring workout sessions") }
}

extension HKWorkoutSession {
    private var now: Date { healthStore.connection.clock.now }

    private func perform(_ action: WorkoutSessionStateMachine.Action, at date: Date) {
        attempt {
            // The notifications are enqueued while the lock is held, so that delegates receive them
            // in the order of the states.
            let transition = try stateMachine { (stateMachine) throws(HKError) in
                let transition = try stateMachine.apply(action, at: date)
                if let event = transition.event { builder { $0 }?.sessionDidGenerate(event) }
                if let ended = transition.endedActivity { notifyEnd(of: ended, at: date) }
                notifyDelegate(of: transition)
                return transition
            }
            if transition.to == .running, transition.from != .paused { ActiveSessions.add(self) }
            if transition.to == .ended { ActiveSessions.remove(self) }
            if transition.to == .running { builder { $0 }?.sessionDidStart() }
        }
    }

    /// Executes a step. If it throws an error, the delegate receives the error.
    private func attempt(_ step: () throws -> Void) {
        do { try step() } catch {
            let error = HKError(reporting: error)
            notifyDelegate { $0.workoutSession($1, didFailWithError: error) }
        }
    }

    private func notifyDelegate(of transition: WorkoutSessionStateMachine.Transition) {
        notifyDelegate { delegate, session in
            delegate.workoutSession(
                session, didChangeTo: transition.to, from: transition.from, date: transition.date)
            if let event = transition.event {
                delegate.workoutSession(session, didGenerate: event)
            }
        }
    }

    /// Notifies the builder and the delegate of the end of an activity.
    private func notifyEnd(of activity: HKWorkoutActivity, at date: Date) {
        builder { $0 }?.sessionDidEnd(activity, at: date)
        notifyDelegate {
            $0.workoutSession(
                $1, didEndActivityWith: activity.workoutConfiguration, date: date)
        }
    }

    private func notifyDelegate(
        _ message: @escaping @Sendable (any HKWorkoutSessionDelegate, HKWorkoutSession) -> Void
    ) {
        callbacks.async { [self] in if let delegate { message(delegate, self) } }
    }

    /// Ends the session because another one has started on its store.
    fileprivate func endForNewSession() {
        notifyDelegate {
            $0.workoutSession(
                $1,
                didFailWithError: HKError(
                    .errorAnotherWorkoutSessionStarted, "Another workout session has started."))
        }
        end()
    }
}

/// The active sessions of this process: at most one for each store, except while an earlier one is
/// being ended.
enum ActiveSessions {
    private static let sessions = Locked<[HKWorkoutSession]>([])

    /// Adds a session and ends other active sessions on the same store.
    static func add(_ session: HKWorkoutSession) {
        let others = sessions { sessions in
            defer { sessions.append(session) }
            return sessions.filter {
                $0 !== session
                    && $0.healthStore.connection === session.healthStore.connection
            }
        }
        // Another thread may have ended the session before it was added.
        if session.stateMachine({ $0.state }) == .ended { remove(session) }
        for other in others { other.endForNewSession() }
    }

    static func remove(_ session: HKWorkoutSession) {
        sessions { $0.removeAll { $0 === session } }
    }

    /// Returns the active session of a handle's app on the handle's store; nil if there is none.
    static func session(of store: HKHealthStore) -> HKWorkoutSession? {
        sessions { sessions in
            sessions.first {
                $0.healthStore.connection === store.connection
                    && $0.healthStore.identity.bundleIdentifier == store.identity.bundleIdentifier
            }
        }
    }
}

/// A thread-safe weak reference.
final class WeakReference<Object>: Sendable {
    private struct Reference {
        weak var object: AnyObject?
    }

    private let reference = Locked(Reference())

    var value: Object? {
        get { reference { $0.object as? Object } }
        set { reference { $0.object = newValue as AnyObject? } }
    }
}
