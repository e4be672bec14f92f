import Foundation
import HealthEngine

/// The connection of a session to another device.
struct WorkoutSessionLink {
    /// The type of the session.
    var type = HKWorkoutSessionType.primary
    /// The mirroring of a primary session; nil before it starts.
    var mirroring: PrimaryMirroring?
    /// The channel of a mirrored session to its primary session; nil once it is closed.
    var channel: MirrorChannel?
    /// Whether the primary session's app stopped mirroring, so that the disconnection is no error.
    var isStopped = false
    /// Received data that no delegate has got yet.
    var received: [Data] = []
}

// The primary session.
extension HKWorkoutSession {
    func startMirroring(_ completion: @escaping PrimaryMirroring.Completion) {
        let isEnded = state == .ended
        let mirroring = link { link -> PrimaryMirroring? in
            guard link.type == .primary, !isEnded else { return nil }
            let mirroring = link.mirroring ?? PrimaryMirroring(self)
            link.mirroring = mirroring
            return mirroring
        }
        guard let mirroring else {
            return completion(
                false,
                HKError(
                    .errorInvalidArgument,
                    "Only a primary workout session that has not ended can be mirrored."))
        }
        mirroring.start(completion)
    }

    /// Stops mirroring; returns the error if the session isn't mirrored.
    func stopMirroring() -> HKError? {
        let mirroring = link { $0.mirroring }
        guard let mirroring, mirroring.isOn else {
            return HKError(.errorInvalidArgument, "The workout session is not being mirrored.")
        }
        mirroring.stop(sending: .stopped)
        return nil
    }

    /// Ends mirroring with the session.
    func endMirroring() { link { $0.mirroring }?.stop(sending: nil) }

    /// Sends a message to the mirror, if there is one.
    func mirrorSend(_ message: MirrorMessage) { link { $0.mirroring }?.send(message) }

    func send(_ data: Data, _ completion: @escaping MirrorChannel.Completion) {
        guard data.count <= Self.maximumRemoteDataLength else {
            return completion(
                false,
                HKError(
                    .errorDataSizeExceeded,
                    "Data for the other device have at most \(Self.maximumRemoteDataLength) bytes."
                ))
        }
        let (mirroring, channel) = link { ($0.mirroring, $0.channel) }
        if let channel {
            channel.send(data, completion)
        } else if let mirroring {
            mirroring.send(data, completion)
        } else {
            completion(false, HKError.disconnected)
        }
    }

    /// Handles a message of the mirror.
    func primaryDidReceive(_ message: MirrorMessage) {
        switch message {
        case .data(_, let data): receive(data)
        case .request(.perform(let action, let date)):
            perform(
                action, at: date.map(Date.init(timeIntervalSinceReferenceDate:)), for: .mirror)
        case .request(.beginActivity(let activity)):
            begin(HKWorkoutActivity(_activity: activity), for: .mirror)
        case .request(.endActivity(let date)):
            endActivity(on: Date(timeIntervalSinceReferenceDate: date), for: .mirror)
        default: break
        }
    }

    func notifyOfDisconnection(_ error: HKError?) {
        notifyDelegate { $0.workoutSession($1, didDisconnectFromRemoteDeviceWithError: error) }
    }

    private func receive(_ data: Data) {
        link { $0.received.append(data) }
        deliverReceivedData()
    }

    /// Passes received data to the delegate. Without a delegate, they wait for one.
    func deliverReceivedData() {
        callbacks.async { [self] in
            guard let delegate else { return }
            let data = link { link in
                defer { link.received = [] }
                return link.received
            }
            if data.isEmpty { return }
            AppIdentity.withCurrent(healthStore.identity) {
                delegate.workoutSession(self, didReceiveDataFromRemoteWorkoutSession: data)
            }
        }
    }
}

// The mirrored session. Its state changes when its primary session reports a change.
extension HKWorkoutSession {
    func becomeMirror(of machine: WorkoutSessionStateMachine, _ channel: MirrorChannel) {
        stateMachine { $0 = machine }
        link { link in
            link.type = .mirrored
            link.channel = channel
        }
    }

    /// Calls a handler of the app on the queue of the delegate, so that a delegate that the handler
    /// sets gets all that follows.
    func callAsMirror(_ body: @escaping @Sendable () -> Void) {
        callbacks.async { [healthStore] in
            AppIdentity.withCurrent(healthStore.identity, body)
        }
    }

    /// Asks the primary session for a step.
    ///
    /// - Returns: False if this is the primary session, which takes the step itself.
    func request(_ request: MirrorRequest) -> Bool {
        let (type, channel) = link { ($0.type, $0.channel) }
        guard type == .mirrored else { return false }
        if let channel {
            channel.send(.request(request))
        } else {
            notifyDelegate { $0.workoutSession($1, didFailWithError: HKError.disconnected) }
        }
        return true
    }

    /// Handles a message of the primary session.
    func mirrorDidReceive(_ message: MirrorMessage) {
        switch message {
        case .changed(let from, let date, let event, let snapshot):
            didChange(from, date, event, snapshot)
        case .generated(let event):
            notifyDelegate {
                $0.workoutSession($1, didGenerate: HKWorkoutEvent(_event: event))
            }
        case .beganActivity(let activity, let snapshot):
            restore(snapshot)
            let activity = HKWorkoutActivity(_activity: activity)
            notifyDelegate {
                $0.workoutSession(
                    $1, didBeginActivityWith: activity.workoutConfiguration,
                    date: activity.startDate)
            }
        case .endedActivity(let activity, let date, let snapshot):
            restore(snapshot)
            let activity = HKWorkoutActivity(_activity: activity)
            notifyDelegate {
                $0.workoutSession(
                    $1, didEndActivityWith: activity.workoutConfiguration,
                    date: Date(timeIntervalSinceReferenceDate: date))
            }
        case .failed(let code, let reason):
            let error = HKError(HKError.Code(rawValue: code) ?? .unknownError, reason)
            notifyDelegate { $0.workoutSession($1, didFailWithError: error) }
        case .stopped: link { $0.isStopped = true }
        case .data(_, let data): receive(data)
        case .begin, .accepted, .request, .received: break
        }
    }

    /// Handles the end of the connection, which after the end of the session is expected.
    func mirrorDidClose() {
        let isStopped = link { link in
            link.channel = nil
            return link.isStopped
        }
        if state != .ended { notifyOfDisconnection(isStopped ? nil : HKError.disconnected) }
    }

    private func restore(_ snapshot: WorkoutSessionSnapshot) {
        if let machine = WorkoutSessionStateMachine(snapshot) { stateMachine { $0 = machine } }
    }

    private func didChange(
        _ from: Int, _ date: Double, _ event: WorkoutEvent?, _ snapshot: WorkoutSessionSnapshot
    ) {
        restore(snapshot)
        guard let from = HKWorkoutSessionState(rawValue: from),
            let to = HKWorkoutSessionState(rawValue: snapshot.state)
        else { return }
        notifyDelegate(
            of: WorkoutSessionStateMachine.Transition(
                from: from, to: to, date: Date(timeIntervalSinceReferenceDate: date),
                event: event.map(HKWorkoutEvent.init(_event:))))
    }
}
