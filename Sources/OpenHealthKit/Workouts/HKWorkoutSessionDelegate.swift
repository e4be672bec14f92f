public import Foundation

/// A delegate of a workout session. Its methods are called serially on a background queue.
public protocol HKWorkoutSessionDelegate: NSObjectProtocol {
    /// The state of the session changed.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - toState: The new state.
    ///   - fromState: The previous state.
    ///   - date: The date that the app gave for the step, or the time of the call.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date)

    /// A step was not permitted in the state of the session, another session has started on the
    /// same store, or a mirrored session is disconnected from its primary session.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - error: An ``HKError`` with the code `errorInvalidArgument`,
    ///     `errorAnotherWorkoutSessionStarted` or `errorHealthDataUnavailable`.
    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)

    /// The session was paused or resumed, or a device detected an event, such as a lap or a pause
    /// of the person's motion. Optional.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - event: The event.
    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent)

    /// An activity of the session has begun. Optional.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - workoutConfiguration: The configuration of the activity.
    ///   - date: The start of the activity.
    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)

    /// An activity of the session has ended. Optional.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - workoutConfiguration: The configuration of the activity.
    ///   - date: The end of the activity.
    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)

    /// The session on the other device has sent data. Optional.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - data: The data, in the order in which they were sent. Those that arrive before the
    ///     session has a delegate arrive together.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])

    /// The other device has disconnected. Optional.
    ///
    /// A primary session goes on, and is mirrored again when a device with a handler is found. A
    /// mirrored session gets no more changes. After the end of a session it is not called.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - error: The reason; nil if the app of the primary session stopped mirroring.
    func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didDisconnectFromRemoteDeviceWithError error: (any Error)?)
}

extension HKWorkoutSessionDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - workoutSession: Ignored.
    ///   - event: Ignored.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - workoutSession: Ignored.
    ///   - workoutConfiguration: Ignored.
    ///   - date: Ignored.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - workoutSession: Ignored.
    ///   - workoutConfiguration: Ignored.
    ///   - date: Ignored.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - workoutSession: Ignored.
    ///   - data: Ignored.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - workoutSession: Ignored.
    ///   - error: Ignored.
    public func workoutSession(
        _ workoutSession: HKWorkoutSession,
        didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {}
}

/// A delegate of a live workout builder. Its methods are called serially on a background queue.
public protocol HKLiveWorkoutBuilderDelegate: NSObjectProtocol {
    /// Samples were added to the workout.
    ///
    /// - Parameters:
    ///   - workoutBuilder: The builder.
    ///   - collectedTypes: The types of the samples.
    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>)

    /// Events were added to the workout.
    ///
    /// - Parameter workoutBuilder: The builder.
    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder)

    /// An activity of the builder's session has begun. Optional.
    ///
    /// - Parameters:
    ///   - workoutBuilder: The builder.
    ///   - workoutActivity: The activity.
    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity)

    /// An activity of the builder's session has ended. Optional.
    ///
    /// - Parameters:
    ///   - workoutBuilder: The builder.
    ///   - workoutActivity: The activity.
    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity)
}

extension HKLiveWorkoutBuilderDelegate {
    /// Does nothing.
    ///
    /// - Parameters:
    ///   - workoutBuilder: Ignored.
    ///   - workoutActivity: Ignored.
    public func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity
    ) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - workoutBuilder: Ignored.
    ///   - workoutActivity: Ignored.
    public func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity
    ) {}
}
