import Dispatch

/// What changed in a store since somebody last looked.
struct StoreChange: Sendable {
    /// Codes of the types that samples were added to, replaced in or deleted from.
    let types: Set<Int32>
    /// The number of the last change.
    let sequence: Int64
}

/// Tells whoever listens that a store has changed, by this process or another one.
///
/// A commit of this process wakes it at once. While anybody listens, the system tells it when the file
/// is written, and then it asks the file a few times, no more than 270 ms apart, whether that was
/// another connection's commit; every five seconds it asks unbidden. Where the system can't tell, it
/// asks every 50 ms, and every 270 ms once nothing has happened for half a second. While the store is
/// locked it is silent, and it catches up at the unlock.
final class ChangeFeed: Sendable {
    /// Where changes are learnt from.
    struct Origin: Sendable {
        /// The number of the last change of all.
        var head: @Sendable () throws -> Int64
        /// Types changed after a number, with the number of the last change.
        var changes: @Sendable (_ after: Int64) throws -> StoreChange
        /// A number that differs after somebody else's commit; cheap.
        var version: @Sendable () throws -> Int64
        /// Has a body called when a version may have changed; nil if it never will be.
        ///
        /// Throws while there is nothing to watch yet.
        var watch:
            @Sendable (_ body: @escaping @Sendable (FileWatch.Event) -> Void) throws
                -> FileWatch? = { _ in nil }
    }

    private struct Listener: Sendable {
        /// The last change the listener has been told of; nil while the store couldn't be asked.
        var sequence: Int64?
        var body: @Sendable (StoreChange) -> Void
    }

    /// What the system tells of the file.
    private enum Sight {
        case unasked
        case watched(FileWatch)
        case refused
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var lastNumber = 0
        var isWakePending = false
        var isLookPending = false
        /// What the last look found; nil before the first, and after a change that couldn't be read.
        var version: Int64?
        var sight = Sight.unasked
        var timer: (any DispatchSourceTimer)?
        /// Milliseconds between two looks.
        var wait = 0
        /// Looks in a row that found nothing.
        var quietLooks = 0

        /// When to look next, by how many looks found nothing.
        var nextWait: Int {
            let waits: [Int]
            // A change that couldn't be read makes no event when it can.
            if case .watched = sight, version != nil {
                waits = ChangeFeed.watchingWaits
            } else {
                waits = ChangeFeed.pollingWaits
            }
            return waits[min(quietLooks, waits.count - 1)]
        }
    }

    /// Milliseconds between looks where the system tells of writes. A commit is seen a moment after
    /// its last write, on a slow disk a long one.
    private static let watchingWaits = [5, 5, 20, 50, 100, 200, 270, 270, 270, 5000]
    /// Milliseconds between looks where it doesn't.
    private static let pollingWaits = Array(repeating: 50, count: 10) + [270]

    private let origin: Origin
    private let protectedData: ProtectedDataState
    private let queue = DispatchQueue(label: "org.openhealthkit.changes", qos: .utility)
    private let state = Locked(State())
    private let unlockNumber = Locked<Int?>(nil)

    init(_ origin: Origin, protectedData: ProtectedDataState) {
        self.origin = origin
        self.protectedData = protectedData
        let number = protectedData.addUnlockListener { [weak self] in self?.wake() }
        unlockNumber { $0 = number }
    }

    deinit {
        unlockNumber { $0.map(protectedData.removeUnlockListener) }
        state { $0.timer?.cancel() }
    }

    /// Calls `body` after every change from now on, in order, on a background queue of the feed's:
    /// a body that takes long hands on to a queue of its own.
    ///
    /// Listening ends when the answer is cancelled or let go.
    func subscribe(
        _ body: @escaping @Sendable (StoreChange) -> Void
    ) -> ChangeSubscription {
        let head = try? origin.head()
        let number = state { state -> Int in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = Listener(sequence: head, body: body)
            if state.timer == nil { startTimer(&state) }
            return state.lastNumber
        }
        return ChangeSubscription(feed: self, number: number)
    }

    /// Looks for changes as soon as possible: something has been committed.
    func wake() {
        let isFirst = state { state -> Bool in
            guard !state.listeners.isEmpty, !state.isWakePending else { return false }
            state.isWakePending = true
            return true
        }
        if isFirst { queue.async { [weak self] in self?.deliver() } }
    }

    /// Whether anybody listens, and so whether the file is being asked.
    var isActive: Bool { state { $0.timer != nil } }

    /// Whether the system tells of writes, so that the file is hardly ever asked unbidden.
    var isWatching: Bool {
        state { state in
            if case .watched = state.sight { return true }
            return false
        }
    }

    fileprivate func cancel(_ number: Int) {
        let gone = state { state -> (Listener?, Sight) in
            let listener = state.listeners.removeValue(forKey: number)
            guard state.listeners.isEmpty else { return (listener, .unasked) }
            defer { state.sight = .unasked }
            state.timer?.cancel()
            state.timer = nil
            state.version = nil
            state.quietLooks = 0
            return (listener, state.sight)
        }
        withExtendedLifetime(gone) {}
    }

    private func startTimer(_ state: inout State) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.look() }
        state.timer = timer
        state.wait = 0
        adaptWait(&state)
        timer.resume()
    }

    private func adaptWait(_ state: inout State) {
        let wait = state.nextWait
        guard wait != state.wait, let timer = state.timer else { return }
        state.wait = wait
        timer.schedule(
            deadline: .now() + .milliseconds(wait), repeating: .milliseconds(wait),
            leeway: .milliseconds(wait < 1000 ? 5 : 1000))
    }

    /// Asks the system to tell of writes, once the file is there.
    private func watchIfUnasked() {
        let isUnasked = state { state in
            if case .unasked = state.sight { return state.timer != nil }
            return false
        }
        guard isUnasked else { return }
        guard let answer = try? Optional.some(origin.watch({ [weak self] in self?.take($0) }))
        else {
            return
        }
        // A watch that nobody wants any more ends here, outside the lock.
        let sight = answer.map(Sight.watched) ?? .refused
        state { state in
            if state.timer != nil { state.sight = sight }
        }
    }

    /// Looks at the file soon, and at short intervals for a while: something was written to it.
    private func take(_ event: FileWatch.Event) {
        let (isFirst, ended) = state { state -> (Bool, Sight) in
            guard state.timer != nil else { return (false, .unasked) }
            defer { state.isLookPending = true }
            state.quietLooks = 0
            guard case .ended = event else { return (!state.isLookPending, .unasked) }
            defer { state.sight = .refused }
            return (!state.isLookPending, state.sight)
        }
        withExtendedLifetime(ended) {}
        if isFirst { queue.async { [weak self] in self?.look() } }
    }

    /// Asks the file whether somebody else has written to it.
    private func look() {
        watchIfUnasked()
        state { $0.isLookPending = false }
        let isAccessible = protectedData.isAccessible
        let version = isAccessible ? try? origin.version() : nil
        let isNew = state { state -> Bool in
            guard state.timer != nil else { return false }
            let isNew = version != nil && state.version != version
            // What can't be asked now is asked again; a lock ends with a wake.
            if isAccessible { state.version = version }
            state.quietLooks = isNew ? 0 : state.quietLooks + 1
            adaptWait(&state)
            return isNew
        }
        if isNew { deliver() }
    }

    private func deliver() {
        state { $0.isWakePending = false }
        guard protectedData.isAccessible else { return }
        orientNewcomers()
        for sequence in Set(state { $0.listeners.values.compactMap(\.sequence) }) {
            guard let change = try? origin.changes(sequence) else {
                // The next look tries again.
                state { state in
                    state.version = nil
                    adaptWait(&state)
                }
                continue
            }
            guard change.sequence > sequence else { continue }
            let numbers = state { state in
                state.listeners.filter { $0.value.sequence == sequence }.keys.sorted()
            }
            for number in numbers { tell(number, change) }
        }
    }

    /// Gives listeners their place that came while the store couldn't be asked.
    private func orientNewcomers() {
        guard state({ $0.listeners.values.contains { $0.sequence == nil } }),
            let head = try? origin.head()
        else { return }
        state { state in
            for number in state.listeners.keys where state.listeners[number]?.sequence == nil {
                state.listeners[number]?.sequence = head
            }
        }
    }

    private func tell(_ number: Int, _ change: StoreChange) {
        let body = state { state in
            state.listeners[number]?.sequence = change.sequence
            return state.listeners[number]?.body
        }
        if !change.types.isEmpty { body?(change) }
    }
}

/// Listening to a ``ChangeFeed``, which ends when this is cancelled or let go.
final class ChangeSubscription: Sendable {
    private let feed: ChangeFeed
    private let number: Int

    fileprivate init(feed: ChangeFeed, number: Int) {
        self.feed = feed
        self.number = number
    }

    /// Stops listening. A body that runs meanwhile finishes; no new one begins.
    func cancel() { feed.cancel(number) }

    deinit { feed.cancel(number) }
}
