import Foundation
import HealthStorage

/// The mirroring of a primary session: finds a device with its app's companion, and connects again
/// if that device disconnects.
///
/// It uses the first device that accepts the session. While there is none, it looks for one after
/// each change beside the store's file.
final class PrimaryMirroring: Sendable {
    typealias Completion = @Sendable (Bool, (any Error)?) -> Void

    private struct State {
        var isOn = false
        /// The channel to the device, or to one that hasn't accepted the session yet.
        var channel: MirrorChannel?
        var isAccepted = false
        /// The devices that weren't tried yet.
        var candidates: [Candidate] = []
        var completions: [Completion] = []
        var watch: FileWatch?
        var timer: (any DispatchSourceTimer)?
    }

    private enum Candidate: Sendable {
        case socket(String)
        case receiver(MirrorReceiver)
    }

    /// How long a device may take to accept a session, in seconds of real time.
    private static let acceptanceTimeout = 5.0

    private let session: WeakReference<HKWorkoutSession>
    private let connection: StoreConnection
    private let queue = DispatchQueue(label: "org.openhealthkit.mirroring", qos: .userInitiated)
    private let state = Locked(State())

    init(_ session: HKWorkoutSession) {
        self.session = WeakReference()
        self.session.value = session
        connection = session.healthStore.connection
    }

    deinit {
        connection.mirrors.removeObserver(ObjectIdentifier(self))
        state { state in
            state.timer?.cancel()
            state.channel?.closeAfterSending()
        }
    }

    /// Whether the session is mirrored, or looks for a device.
    var isOn: Bool { state { $0.isOn } }

    /// Starts mirroring.
    ///
    /// - Parameter completion: Called when a device has accepted the session, or when none was
    ///   found.
    func start(_ completion: @escaping Completion) {
        queue.async { [self] in
            let isConnected = state { state in
                state.isOn = true
                if !state.isAccepted { state.completions.append(completion) }
                return state.isAccepted
            }
            if isConnected { return completion(true, nil) }
            startWatching()
            search()
        }
    }

    /// Stops mirroring, and closes the connection after the messages sent before.
    ///
    /// - Parameter message: The last message, or nil.
    func stop(sending message: MirrorMessage?) {
        let old = state { state in
            let old = state
            state = State()
            return old
        }
        old.timer?.cancel()
        connection.mirrors.removeObserver(ObjectIdentifier(self))
        if let message { old.channel?.send(message) }
        old.channel?.closeAfterSending()
        for completion in old.completions { completion(false, HKError.disconnected) }
    }

    /// Sends a message to the device, if there is one.
    func send(_ message: MirrorMessage) { state { $0.channel }?.send(message) }

    /// Sends data to the device; without one, that is an error.
    func send(_ data: Data, _ completion: @escaping Completion) {
        let channel = state { $0.isAccepted ? $0.channel : nil }
        guard let channel else { return completion(false, HKError.disconnected) }
        channel.send(data, completion)
    }

    private func startWatching() {
        guard let path = connection.filePath else {
            return connection.mirrors.observe(ObjectIdentifier(self)) { [weak self] in
                self?.searchSoon()
            }
        }
        let isWatched = state { $0.watch != nil || $0.timer != nil }
        if isWatched { return }
        if let watch = FileWatch(path: path, { [weak self] _ in self?.searchSoon() }) {
            return state { $0.watch = watch }
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.search() }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        state { $0.timer = timer }
        timer.resume()
    }

    private func searchSoon() { queue.async { [weak self] in self?.search() } }

    /// Looks for devices, unless there is one or a search is running.
    private func search() {
        let isNeeded = state { state in
            guard state.isOn, state.channel == nil else { return false }
            state.candidates = candidates()
            return true
        }
        if isNeeded { connectNext() }
    }

    private func candidates() -> [Candidate] {
        guard let path = connection.filePath else {
            return connection.mirrors.receivers.map(Candidate.receiver)
        }
        let prefix = MirrorReceiver.prefix(of: path)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { folder + "/" + $0 }
            .filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".new") }.sorted()
            .map(Candidate.socket)
    }

    /// Connects to the next device. Without one, the search ends.
    private func connectNext() {
        while let session = session.value {
            let candidate = state { state in
                state.isOn && !state.candidates.isEmpty ? state.candidates.removeFirst() : nil
            }
            guard let candidate else { break }
            if let descriptor = connect(to: candidate) {
                return offer(session, over: MirrorChannel(descriptor: descriptor))
            }
        }
        complete()
    }

    private func connect(to candidate: Candidate) -> Int32? {
        switch candidate {
        case .receiver(let receiver):
            guard let (own, other) = LocalSocket.pair() else { return nil }
            receiver.receive(other)
            return own
        case .socket(let path):
            switch LocalSocket.connection(to: path) {
            case .connected(let descriptor): return descriptor
            case .abandoned: unlink(path)
            case .failed: break
            }
            return nil
        }
    }

    private func offer(_ session: HKWorkoutSession, over channel: MirrorChannel) {
        let app = session.healthStore.identity.bundleIdentifier
        // The first message is sent while the state can't change, so that it and the changes after
        // it are complete.
        session.withSnapshot { snapshot in
            channel.send(.begin(app: app, process: MirrorReceiver.process, snapshot))
            state { $0.channel = channel }
        }
        channel.start { [weak self, weak channel] event in
            guard let self, let channel else { return }
            self.queue.async { self.handle(event, from: channel) }
        }
        queue.asyncAfter(deadline: .now() + Self.acceptanceTimeout) { [weak self, weak channel] in
            guard let self, let channel else { return }
            if self.state({ $0.channel === channel && !$0.isAccepted }) { channel.close() }
        }
    }

    private func handle(_ event: MirrorChannel.Event, from channel: MirrorChannel) {
        guard state({ $0.channel === channel }) else { return }
        switch event {
        case .message(.accepted):
            state { $0.isAccepted = true }
            complete()
        case .message(let message): session.value?.primaryDidReceive(message)
        case .closed:
            let wasAccepted = state { state in
                defer { (state.channel, state.isAccepted) = (nil, false) }
                return state.isAccepted
            }
            if wasAccepted {
                session.value?.notifyOfDisconnection(HKError.disconnected)
                search()
            } else {
                connectNext()
            }
        }
    }

    /// Reports the end of a search. Without a device, mirroring begins when there is one.
    private func complete() {
        let completions = state { state in
            defer { state.completions = [] }
            return state.completions
        }
        for completion in completions { completion(true, nil) }
    }
}
