import Foundation
import HealthEngine

/// Who asks for a step of a session: its app, or the app of its mirror, which receives the errors.
enum SessionCaller: Sendable { case app, mirror }

// The steps of a session, and the notification of its builder, delegate and mirror.
extension HKWorkoutSession {
    var now: Date { healthStore.connection.clock.now }

    /// Calls a closure with the state of the session, which can't change meanwhile.
    func withSnapshot<Result>(_ body: (WorkoutSessionSnapshot) -> Result) -> Result {
        stateMachine { body(WorkoutSessionSnapshot(configuration, $0)) }
    }

    /// Takes a step. A mirrored session asks its primary session for it.
    ///
    /// - Parameter date: The date of the step; nil for now.
    func perform(
        _ action: WorkoutSessionStateMachine.Action, at date: Date?,
        for caller: SessionCaller = .app
    ) {
        if request(.perform(action, date: date?.timeIntervalSinceReferenceDate)) { return }
        let now = now
        attempt(for: caller) {
            // The notifications are enqueued while the lock is held, so that delegates and the
            // mirror receive them in the order of the states.
            let transition = try stateMachine { (stateMachine) throws(HKError) in
                let transition = try stateMachine.apply(
                    action, at: date ?? stateMachine.date(of: action, now: now))
                if let event = transition.event { builder { $0 }?.sessionDidGenerate(event) }
                if let ended = transition.endedActivity {
                    notifyEnd(of: ended, at: transition.date, stateMachine)
                }
                notify(of: transition, stateMachine)
                return transition
            }
            if transition.to == .running, transition.from != .paused { ActiveSessions.add(self) }
            if transition.to == .ended { ActiveSessions.remove(self) }
            saveForRecovery()
            if transition.to == .running { builder { $0 }?.sessionDidStart() }
        }
    }

    /// Begins an activity.
    func begin(_ activity: HKWorkoutActivity, for caller: SessionCaller) {
        if request(.beginActivity(activity.value)) { return }
        attempt(for: caller) {
            try stateMachine { (stateMachine) throws(HKError) in
                let date = activity.startDate
                if let ended = try stateMachine.begin(activity) {
                    notifyEnd(of: ended, at: date, stateMachine)
                }
                builder { $0 }?.sessionDidBegin(activity)
                notifyBegin(of: activity, stateMachine)
            }
            saveForRecovery()
        }
    }

    /// Ends the current activity.
    func endActivity(on date: Date, for caller: SessionCaller) {
        if request(.endActivity(date: date.timeIntervalSinceReferenceDate)) { return }
        attempt(for: caller) {
            try stateMachine { (stateMachine) throws(HKError) in
                notifyEnd(of: try stateMachine.endActivity(at: date), at: date, stateMachine)
            }
            saveForRecovery()
        }
    }

    /// Adds an event that a device detects, such as a lap or a pause of the person's motion. It
    /// doesn't change the state. The delegate and the builder are notified.
    ///
    /// Not permitted unless the session is running or paused; then the delegate receives
    /// `errorInvalidArgument`.
    package func generate(_ event: HKWorkoutEvent) {
        attempt(for: .app) {
            try stateMachine { (stateMachine) throws(HKError) in
                try stateMachine.requireActive("An event")
                builder { $0 }?.sessionDidGenerate(event)
                mirrorSend(.generated(event.value))
                notifyDelegate { $0.workoutSession($1, didGenerate: event) }
            }
            saveForRecovery()
        }
    }

    /// Executes a step. If it throws an error, the caller receives the error.
    private func attempt(for caller: SessionCaller, _ step: () throws -> Void) {
        do { try step() } catch {
            let error = HKError(reporting: error)
            switch caller {
            case .app: notifyDelegate { $0.workoutSession($1, didFailWithError: error) }
            case .mirror:
                mirrorSend(.failed(code: error.code.rawValue, reason: error.reason))
            }
        }
    }

    private func notify(
        of transition: WorkoutSessionStateMachine.Transition,
        _ stateMachine: WorkoutSessionStateMachine
    ) {
        mirrorSend(
            .changed(
                from: transition.from.rawValue,
                date: transition.date.timeIntervalSinceReferenceDate,
                event: transition.event?.value,
                WorkoutSessionSnapshot(configuration, stateMachine)))
        notifyDelegate(of: transition)
        if transition.to == .ended { endMirroring() }
    }

    /// Notifies the delegate of a change of state.
    func notifyDelegate(of transition: WorkoutSessionStateMachine.Transition) {
        notifyDelegate { delegate, session in
            delegate.workoutSession(
                session, didChangeTo: transition.to, from: transition.from, date: transition.date)
            if let event = transition.event {
                delegate.workoutSession(session, didGenerate: event)
            }
        }
    }

    private func notifyBegin(
        of activity: HKWorkoutActivity, _ stateMachine: WorkoutSessionStateMachine
    ) {
        mirrorSend(
            .beganActivity(activity.value, WorkoutSessionSnapshot(configuration, stateMachine)))
        notifyDelegate {
            $0.workoutSession(
                $1, didBeginActivityWith: activity.workoutConfiguration, date: activity.startDate)
        }
    }

    /// Notifies the builder, the mirror and the delegate of the end of an activity.
    private func notifyEnd(
        of activity: HKWorkoutActivity, at date: Date, _ stateMachine: WorkoutSessionStateMachine
    ) {
        builder { $0 }?.sessionDidEnd(activity, at: date)
        mirrorSend(
            .endedActivity(
                activity.value, date: date.timeIntervalSinceReferenceDate,
                WorkoutSessionSnapshot(configuration, stateMachine)))
        notifyDelegate {
            $0.workoutSession(
                $1, didEndActivityWith: activity.workoutConfiguration, date: date)
        }
    }

    /// Calls the delegate on the session's queue, as the app of the session's store.
    func notifyDelegate(
        _ message: @escaping @Sendable (any HKWorkoutSessionDelegate, HKWorkoutSession) -> Void
    ) {
        callbacks.async { [self] in
            guard let delegate else { return }
            AppIdentity.withCurrent(healthStore.identity) { message(delegate, self) }
        }
    }

    /// Ends the session because another one has started on its store.
    func endForNewSession() {
        notifyDelegate {
            $0.workoutSession(
                $1,
                didFailWithError: HKError(
                    .errorAnotherWorkoutSessionStarted, "Another workout session has started."))
        }
        end()
    }
}

extension WorkoutSessionStateMachine {
    /// Returns the date of an action without one: now, but a stop isn't before the start.
    fileprivate func date(of action: Action, now: Date) -> Date {
        guard action == .stopActivity else { return now }
        return ([start, activity?.startDate].compactMap { $0 } + [now]).max() ?? now
    }
}
