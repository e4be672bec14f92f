public import Foundation
import HealthEngine

/// A workout session: a state machine with the store's clock.
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
///
/// There are no sensors here: other apps of the store, or `WorkoutSensor` of the product
/// HealthSimulator, save the samples. In a file, a session that is active when its process ends
/// can be recovered, see ``HKHealthStore/recoverActiveWorkoutSession()``.
///
/// A device is a process that has the same store file open, or another app of the same process.
/// ``startMirroringToCompanionDevice()`` mirrors a session to one (Semantics §10.13).
// Unchecked: all mutable state is locked.
open class HKWorkoutSession: NSObject, NSSecureCoding, @unchecked Sendable {
    let healthStore: HKHealthStore
    let stateMachine = Locked(WorkoutSessionStateMachine())
    let configuration: WorkoutActivityConfiguration
    let builder = Locked<HKLiveWorkoutBuilder?>(nil)
    let link = Locked(WorkoutSessionLink())
    let recovery = Locked<WorkoutRecovery?>(nil)
    let callbacks = DispatchQueue(label: "HKWorkoutSession", qos: .userInitiated)
    private let delegateReference = WeakReference<any HKWorkoutSessionDelegate>()

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
        set {
            delegateReference.value = newValue
            deliverReceivedData()
        }
    }

    /// The state of the session.
    open var state: HKWorkoutSessionState { stateMachine { $0.state } }

    /// The type of the session: `mirrored` for one that
    /// ``HKHealthStore/workoutSessionMirroringStartHandler`` received, otherwise `primary`.
    open var type: HKWorkoutSessionType { link { $0.type } }

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
    open func prepare() { perform(.prepare, at: nil) }

    /// Starts the session.
    ///
    /// - Parameter date: The start; nil for now.
    open func startActivity(with date: Date?) { perform(.startActivity, at: date) }

    /// Stops the workout and the current activity. The session remains active until ``end()``.
    ///
    /// - Parameter date: The end, not before the start of the session and of the current activity;
    ///   nil for now.
    open func stopActivity(with date: Date?) { perform(.stopActivity, at: date) }

    /// Ends the session permanently. Permitted in every state except `ended`.
    open func end() { perform(.end, at: nil) }

    /// Pauses the session. The builder does not collect samples that start in the pause. The pause
    /// does not count towards the workout's duration if the builder's
    /// ``HKLiveWorkoutBuilder/shouldCollectWorkoutEvents`` is true.
    open func pause() { perform(.pause, at: nil) }

    /// Resumes the session after a pause.
    open func resume() { perform(.resume, at: nil) }

    /// Returns the builder of the session's workout, the same at each call.
    ///
    /// The primary session's builder records the workout. That of a mirrored session can't begin
    /// its collection.
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
    ///   - date: The start of the activity, not before that of the session and of the current
    ///     activity.
    ///   - metadata: Additional facts, or nil.
    open func beginNewActivity(
        configuration: HKWorkoutConfiguration, date: Date, metadata: [String: Any]?
    ) {
        begin(
            HKWorkoutActivity(
                workoutConfiguration: configuration, start: date, end: nil, metadata: metadata),
            for: .app)
    }

    /// Ends the current activity. Permitted while the session is running or paused; without a
    /// current activity, the delegate receives `errorInvalidArgument`.
    ///
    /// - Parameter date: The end of the activity, not before its start.
    open func endCurrentActivity(on date: Date) { endActivity(on: date, for: .app) }

    /// Starts mirroring the session to a companion device. It ends with the session.
    ///
    /// A companion device is a process that has the store's file open, or another app of this
    /// process, with a ``HKHealthStore/workoutSessionMirroringStartHandler``, whose bundle
    /// identifier is the same one or begins with that of the other app, such as
    /// "com.example.run.watchkitapp" for "com.example.run". The first one that is found mirrors the
    /// session. If there is none, or it disconnects, the session is mirrored as soon as one sets
    /// its handler.
    ///
    /// - Parameter completion: Receives true when a device has accepted the session or none was
    ///   found; false and `errorInvalidArgument` for a mirrored session and for one that has ended.
    ///   Called on a background queue.
    @preconcurrency
    open func startMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        startMirroring { [healthStore] isStarted, error in
            healthStore.handle { completion(isStarted, error) }
        }
    }

    /// Starts mirroring the session to a companion device; see
    /// ``startMirroringToCompanionDevice(completion:)``. Returns when a device has accepted the
    /// session or none was found.
    ///
    /// - Throws: `errorInvalidArgument` for a mirrored session and for one that has ended.
    open func startMirroringToCompanionDevice() async throws {
        try await healthStore.awaitSuccess { startMirroringToCompanionDevice(completion: $0) }
    }

    /// Stops mirroring the session to a companion device. The delegate of the mirrored session is
    /// notified that it has disconnected, without an error.
    ///
    /// - Parameter completion: Receives true; false and `errorInvalidArgument` if the session isn't
    ///   mirrored from here. Called on a background queue.
    @preconcurrency
    open func stopMirroringToCompanionDevice(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let error = stopMirroring()
        healthStore.handle { completion(error == nil, error) }
    }

    /// Stops mirroring the session to a companion device; see
    /// ``stopMirroringToCompanionDevice(completion:)``.
    ///
    /// - Throws: `errorInvalidArgument` if the session isn't mirrored from here.
    open func stopMirroringToCompanionDevice() async throws {
        try await healthStore.awaitSuccess { stopMirroringToCompanionDevice(completion: $0) }
    }

    /// Sends data to the session on the other device: from the primary session to its mirror, or
    /// back. The delegate of that session receives the data in order. If it has no delegate yet, it
    /// receives them when the app sets one.
    ///
    /// - Parameters:
    ///   - data: The data, at most ``maximumRemoteDataLength`` bytes.
    ///   - completion: Receives true when the data have arrived in the other process. Receives
    ///     false and `errorDataSizeExceeded` for longer data, or `errorHealthDataUnavailable` if no
    ///     device is connected or it disconnects. Called on a background queue.
    @preconcurrency
    open func sendToRemoteWorkoutSession(
        data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        send(data) { [healthStore] isSent, error in
            healthStore.handle { completion(isSent, error) }
        }
    }

    /// Sends data to the session on the other device; see
    /// ``sendToRemoteWorkoutSession(data:completion:)``. Returns when the data have arrived.
    ///
    /// - Parameter data: The data, at most ``maximumRemoteDataLength`` bytes.
    /// - Throws: `errorDataSizeExceeded` for longer data; `errorHealthDataUnavailable` if no device
    ///   is connected or it disconnects.
    open func sendToRemoteWorkoutSession(data: Data) async throws {
        try await healthStore.awaitSuccess {
            sendToRemoteWorkoutSession(data: data, completion: $0)
        }
    }

    /// The maximum length of data for the other device, in bytes: 100,000. Not part of Apple's API.
    public static let maximumRemoteDataLength = 100_000
}
