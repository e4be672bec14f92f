public import Foundation
import HealthEngine

/// A workout under way: a state machine on the store's clock, without sensors.
///
/// ```swift
/// let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
/// let builder = session.associatedWorkoutBuilder()
/// session.startActivity(with: start)
/// try await builder.beginCollection(at: start)    // what others save now becomes part of it
/// ```
/// States change inside the call; the delegate hears of it afterwards, on a background queue and in
/// order. A step that the state doesn't allow is told to the delegate as `errorInvalidArgument` and
/// changes nothing. A store has one session under way: starting another ends it with
/// `errorAnotherWorkoutSessionStarted`.
// Unchecked: all that changes is in locked boxes.
open class HKWorkoutSession: NSObject, NSSecureCoding, @unchecked Sendable {
    let healthStore: HKHealthStore
    let progress = Locked(WorkoutSessionProgress())
    private let configuration: WorkoutActivityConfiguration
    private let builder = Locked<HKLiveWorkoutBuilder?>(nil)
    private let listener = WeakReference<any HKWorkoutSessionDelegate>()
    private let callbacks = DispatchQueue(label: "HKWorkoutSession", qos: .userInitiated)

    /// A session that hasn't started.
    ///
    /// - Throws: `errorInvalidArgument` for a lap length that isn't a length.
    public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration) throws {
        if let length = configuration.lapLength, !length.is(compatibleWith: .meter()) {
            throw HKError(.errorInvalidArgument, "A lap’s length is measured in metres")
        }
        self.healthStore = healthStore
        self.configuration = configuration.stored
    }

    /// A session of the default store; watchOS has this from before stores were given.
    public convenience init(configuration: HKWorkoutConfiguration) throws {
        try self.init(healthStore: HKHealthStore(), configuration: configuration)
    }

    public static var supportsSecureCoding: Bool { true }

    /// A session of the default store, not started, with the archived configuration.
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

    /// What the workout is; a copy.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

    /// Who hears of changes; not kept alive.
    open weak var delegate: (any HKWorkoutSessionDelegate)? {
        get { listener.value }
        set { listener.value = newValue }
    }

    /// How far it has come.
    open var state: HKWorkoutSessionState { progress { $0.state } }

    /// Primary: there is no other device that mirrors it.
    open var type: HKWorkoutSessionType { .primary }

    /// When it started; nil before.
    open var startDate: Date? { progress { $0.start } }

    /// When it stopped; nil before.
    open var endDate: Date? { progress { $0.end } }

    /// The leg that goes on; the whole workout where none was begun.
    open var currentActivity: HKWorkoutActivity {
        progress { $0.activity }
            ?? HKWorkoutActivity(
                workoutConfiguration: workoutConfiguration, start: startDate ?? now, end: endDate,
                metadata: nil)
    }

    /// Gets ready: an app shows its countdown now.
    open func prepare() { take(.prepare, at: now) }

    /// Starts, at a date or now.
    open func startActivity(with date: Date?) { take(.startActivity, at: date ?? now) }

    /// Stops, at a date or now; the session is still there until ``end()``.
    open func stopActivity(with date: Date?) { take(.stopActivity, at: date ?? now) }

    /// Ends, whatever the state: for good.
    open func end() { take(.end, at: now) }

    /// Pauses: what is recorded from now on isn't part of the workout.
    open func pause() { take(.pause, at: now) }

    /// Goes on after a pause.
    open func resume() { take(.resume, at: now) }

    /// The builder of the session's workout, always the same.
    open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
        builder { builder in
            let live = builder ?? HKLiveWorkoutBuilder(_session: self)
            builder = live
            return live
        }
    }

    /// Begins a leg; the one before ends.
    open func beginNewActivity(
        configuration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?
    ) {
        let activity = HKWorkoutActivity(
            workoutConfiguration: configuration, start: date, end: nil, metadata: metadata)
        attempt {
            try progress { (progress) throws(HKError) in
                if let ended = try progress.begin(activity) { tellEnd(of: ended, at: date) }
                builder { $0 }?.sessionDidBegin(activity)
                tell {
                    $0.workoutSession(
                        $1, didBeginActivityWith: activity.workoutConfiguration, date: date)
                }
            }
        }
    }

    /// Ends the leg that goes on; refused where none was begun.
    open func endCurrentActivity(on date: Date) {
        attempt {
            try progress { (progress) throws(HKError) in
                tellEnd(of: try progress.endActivity(), at: date)
            }
        }
    }

    /// Mirroring needs a companion device: reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func startMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { completion(false, HKError.mirroring) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func startMirroringToCompanionDevice() async throws { throw HKError.mirroring }

    /// Mirroring needs a companion device: reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func stopMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { completion(false, HKError.mirroring) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func stopMirroringToCompanionDevice() async throws { throw HKError.mirroring }

    /// Mirroring needs a companion device: reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { completion(false, HKError.mirroring) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func sendToRemoteWorkoutSession(data: Data) async throws { throw HKError.mirroring }
}

extension HKError {
    fileprivate static var mirroring: HKError { .absent("Mirroring workout sessions") }
}

extension HKWorkoutSession {
    private var now: Date { healthStore.connection.clock.now }

    private func take(_ step: WorkoutSessionProgress.Step, at date: Date) {
        attempt {
            // Told under the lock, so in the order of the states; delegates are called later.
            let transition = try progress { (progress) throws(HKError) in
                let transition = try progress.take(step, at: date)
                if let event = transition.event { builder { $0 }?.sessionDidGenerate(event) }
                if let ended = transition.endedActivity { tellEnd(of: ended, at: date) }
                tell(transition)
                return transition
            }
            if transition.to == .running, transition.from != .paused { ActiveSessions.add(self) }
            if transition.to == .ended { ActiveSessions.remove(self) }
            if transition.to == .running { builder { $0 }?.sessionDidStart() }
        }
    }

    /// Takes a step, or tells the delegate why not.
    private func attempt(_ step: () throws -> Void) {
        do { try step() } catch {
            let error = HKError(reporting: error)
            tell { $0.workoutSession($1, didFailWithError: error) }
        }
    }

    private func tell(_ transition: WorkoutSessionProgress.Transition) {
        tell { delegate, session in
            delegate.workoutSession(
                session, didChangeTo: transition.to, from: transition.from, date: transition.date)
            if let event = transition.event {
                delegate.workoutSession(session, didGenerate: event)
            }
        }
    }

    /// Tells the builder and the delegate.
    private func tellEnd(of activity: HKWorkoutActivity, at date: Date) {
        builder { $0 }?.sessionDidEnd(activity, at: date)
        tell {
            $0.workoutSession(
                $1, didEndActivityWith: activity.workoutConfiguration, date: date)
        }
    }

    private func tell(
        _ message: @escaping @Sendable (any HKWorkoutSessionDelegate, HKWorkoutSession) -> Void
    ) {
        callbacks.async { [self] in if let delegate { message(delegate, self) } }
    }

    /// Ends the session because another one has started on its store.
    fileprivate func giveWay() {
        tell {
            $0.workoutSession(
                $1,
                didFailWithError: HKError(
                    .errorAnotherWorkoutSessionStarted, "Another workout session has started."))
        }
        end()
    }
}

/// The session that is under way on each store of this process.
enum ActiveSessions {
    private static let sessions = Locked<[HKWorkoutSession]>([])

    /// Ends another session that is under way on the same store.
    static func add(_ session: HKWorkoutSession) {
        let others = sessions { sessions in
            defer { sessions.append(session) }
            return sessions.filter {
                $0 !== session
                    && $0.healthStore.connection === session.healthStore.connection
            }
        }
        // Another thread may have ended it before it was added.
        if session.progress({ $0.state }) == .ended { remove(session) }
        for other in others { other.giveWay() }
    }

    static func remove(_ session: HKWorkoutSession) {
        sessions { $0.removeAll { $0 === session } }
    }

    /// The session that this app has under way on its store.
    static func session(of store: HKHealthStore) -> HKWorkoutSession? {
        sessions { sessions in
            sessions.first {
                $0.healthStore.connection === store.connection
                    && $0.healthStore.identity.bundleIdentifier == store.identity.bundleIdentifier
            }
        }
    }
}

/// An object that others keep alive.
// Unchecked: the reference is touched only under the lock.
final class WeakReference<Object>: @unchecked Sendable {
    private let lock = NSLock()
    private weak var object: AnyObject?

    var value: Object? {
        get { lock.withLock { object as? Object } }
        set { lock.withLock { object = newValue as AnyObject? } }
    }
}
