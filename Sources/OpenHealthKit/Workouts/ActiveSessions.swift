import Foundation

/// The active sessions of this process: at most one for each store, except while an earlier one is
/// being ended.
enum ActiveSessions {
    private static let sessions = Locked<[HKWorkoutSession]>([])

    /// Adds a session and ends other active sessions on the same store.
    static func add(_ session: HKWorkoutSession) {
        insert(session)
        let others = sessions { sessions in
            sessions.filter {
                $0 !== session
                    && $0.healthStore.connection === session.healthStore.connection
            }
        }
        // Another thread may have ended the session before it was added.
        if session.stateMachine({ $0.state }) == .ended { remove(session) }
        for other in others { other.endForNewSession() }
        session.beginRecording()
    }

    /// Adds a session without ending others.
    static func insert(_ session: HKWorkoutSession) {
        sessions { sessions in
            if !sessions.contains(where: { $0 === session }) { sessions.append(session) }
        }
    }

    static func remove(_ session: HKWorkoutSession) {
        sessions { $0.removeAll { $0 === session } }
        session.endRecording()
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
