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

    /// A step was not permitted in the state of the session, or another session has started on the
    /// same store.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - error: An ``HKError`` with the code `errorInvalidArgument` or
    ///     `errorAnotherWorkoutSessionStarted`.
    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)

    /// The session was paused or resumed. Optional.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - event: A pause or a resumption.
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

    /// A companion device has sent data; never called here. Optional.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - data: The data.
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])

    /// A companion device has disconnected; never called here. Optional.
    ///
    /// - Parameters:
    ///   - workoutSession: The session.
    ///   - error: The reason, or nil.
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
