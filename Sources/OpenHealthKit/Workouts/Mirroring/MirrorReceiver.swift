import Foundation
import HealthStorage

/// Receives the sessions that other devices mirror to an app: a socket beside the store's file, or
/// an entry in the list of an in-memory store. It receives as long as it exists.
///
/// A device is a process, or another app of the same process. Sessions are mirrored between an app
/// and its companion only, see ``AppIdentity/isCompanion(of:)``.
final class MirrorReceiver: @unchecked Sendable {
    // Unchecked: a weak variable is thread-safe, but isn't declared Sendable. The other properties
    // are immutable.
    private weak var store: HKHealthStore?
    private let connection: StoreConnection
    private let path: String?
    private let source: (any DispatchSourceRead)?

    /// Identifies this process among those that mirror sessions.
    static let process = UUID().uuidString

    /// Creates a receiver of a handle's app. If the store can't be opened or the system refuses a
    /// socket, the receiver receives nothing.
    init(_ store: HKHealthStore) {
        self.store = store
        connection = store.connection
        guard let file = connection.filePath else {
            (path, source) = (nil, nil)
            connection.mirrors.add(self)
            return
        }
        let path = MirrorReceiver.prefix(of: file) + UUID().uuidString.prefix(8).lowercased()
        guard let descriptor = LocalSocket.listening(at: path) else {
            (self.path, source) = (nil, nil)
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: .global(qos: .userInitiated))
        (self.path, self.source) = (path, source)
        source.setEventHandler { [weak self] in
            while let accepted = LocalSocket.accepted(from: descriptor) {
                guard let self else { return _ = close(accepted) }
                self.receive(accepted)
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit {
        if let path { unlink(path) }
        source?.cancel()
        connection.mirrors.remove(ObjectIdentifier(self))
    }

    /// The beginning of the names of the sockets beside a store.
    static func prefix(of store: String) -> String { store + "-mirror-" }

    /// Handles the connection of a primary session.
    func receive(_ descriptor: Int32) {
        let channel = MirrorChannel(descriptor: descriptor)
        let mirror = Locked<HKWorkoutSession?>(nil)
        channel.start { [weak self, weak channel] event in
            guard let channel else { return }
            switch event {
            case .message(.begin(let app, let process, let snapshot)):
                let isFirst = mirror { $0 == nil }
                let session =
                    isFirst ? self?.mirroredSession(app, process, snapshot, channel) : nil
                guard let session else { return channel.close() }
                mirror.exchange(session)
            case .message(let message): mirror { $0 }?.mirrorDidReceive(message)
            case .closed: mirror.exchange(nil)?.mirrorDidClose()
            }
        }
    }

    /// Creates the mirror of a session and calls the app's handler with it; nil if the session
    /// isn't one of the app's companion, or if the app has no handler any more.
    private func mirroredSession(
        _ app: String, _ process: String, _ snapshot: WorkoutSessionSnapshot,
        _ channel: MirrorChannel
    ) -> HKWorkoutSession? {
        guard let store, let handler = store.mirroringHandler({ $0 }),
            AppIdentity(app).isCompanion(of: store.identity),
            app != store.identity.bundleIdentifier || process != Self.process,
            let machine = WorkoutSessionStateMachine(snapshot),
            // openhealth:ignore unfinished-workout The device that is mirrored ends it.
            let session = try? HKWorkoutSession(
                healthStore: store, configuration: HKWorkoutConfiguration(snapshot.configuration))
        else { return nil }
        session.becomeMirror(of: machine, channel)
        channel.send(.accepted)
        session.callAsMirror { handler(session) }
        return session
    }
}

extension AppIdentity {
    /// Whether an app is the same app, or one belongs to the other as an app for a watch does, whose
    /// bundle identifier begins with that of the phone's app: "com.example.run.watchkitapp" and
    /// "com.example.run".
    func isCompanion(of other: AppIdentity) -> Bool {
        let (one, two) = (bundleIdentifier, other.bundleIdentifier)
        return one == two || one.hasPrefix(two + ".") || two.hasPrefix(one + ".")
    }
}

/// The receivers of an in-memory store, and the primary sessions that look for one.
final class MirrorList: Sendable {
    private struct State {
        var receivers: [ObjectIdentifier: WeakReference<MirrorReceiver>] = [:]
        var observers: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    var receivers: [MirrorReceiver] { state { $0.receivers.values.compactMap(\.value) } }

    func add(_ receiver: MirrorReceiver) {
        let reference = WeakReference<MirrorReceiver>()
        reference.value = receiver
        let observers = state { state in
            state.receivers[ObjectIdentifier(receiver)] = reference
            return state.observers.values
        }
        for observer in observers { observer() }
    }

    func remove(_ receiver: ObjectIdentifier) { state { $0.receivers[receiver] = nil } }

    /// Calls a body after each new receiver, until ``removeObserver(_:)``.
    func observe(_ observer: ObjectIdentifier, _ body: @escaping @Sendable () -> Void) {
        state { $0.observers[observer] = body }
    }

    func removeObserver(_ observer: ObjectIdentifier) {
        let removed = state { $0.observers.removeValue(forKey: observer) }
        withExtendedLifetime(removed) {}
    }
}
