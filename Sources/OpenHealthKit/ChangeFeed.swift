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
/// A commit of this process wakes it at once. While anybody listens it also asks the file whether
/// another connection wrote: about every 50 ms, and every 270 ms once nothing has happened for half a
/// second, so that idle listening costs next to nothing. While the store is locked it is silent, and
/// it catches up at the unlock.
final class ChangeFeed: Sendable {
    /// Where changes are learnt from.
    struct Origin: Sendable {
        /// The number of the last change of all.
        var head: @Sendable () throws -> Int64
        /// Types changed after a number, with the number of the last change.
        var changes: @Sendable (_ after: Int64) throws -> StoreChange
        /// A number that differs after somebody else's commit; cheap.
        var version: @Sendable () throws -> Int64
    }

    private struct Listener: Sendable {
        /// The last change the listener has been told of; nil while the store couldn't be asked.
        var sequence: Int64?
        var body: @Sendable (StoreChange) -> Void
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var lastNumber = 0
        var isWakePending = false
        var version: Int64?
        var timer: (any DispatchSourceTimer)?
        /// Polls in a row that found nothing.
        var quietPolls = 0
    }

    static let pollingInterval: DispatchTimeInterval = .milliseconds(50)
    static let idleInterval: DispatchTimeInterval = .milliseconds(270)
    private static let pollsUntilIdle = 10

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
            if state.timer == nil { state.timer = makeTimer() }
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

    fileprivate func cancel(_ number: Int) {
        state { state in
            state.listeners[number] = nil
            guard state.listeners.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
            state.version = nil
            state.quietPolls = 0
        }
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        schedule(timer, every: Self.pollingInterval)
        timer.setEventHandler { [weak self] in self?.poll() }
        timer.resume()
        return timer
    }

    private func schedule(_ timer: any DispatchSourceTimer, every interval: DispatchTimeInterval) {
        timer.schedule(
            deadline: .now() + interval, repeating: interval, leeway: .milliseconds(5))
    }

    /// Slows the polling down after a quiet half second, and speeds it up again at the first change.
    private func adaptInterval(afterChange isNew: Bool) {
        state { state in
            let wasIdle = state.quietPolls >= Self.pollsUntilIdle
            state.quietPolls = isNew ? 0 : min(state.quietPolls + 1, Self.pollsUntilIdle)
            let isIdle = state.quietPolls >= Self.pollsUntilIdle
            guard isIdle != wasIdle, let timer = state.timer else { return }
            schedule(timer, every: isIdle ? Self.idleInterval : Self.pollingInterval)
        }
    }

    private func poll() {
        // A file that can't be asked now is asked again 50 ms later.
        guard protectedData.isAccessible, let version = try? origin.version() else { return }
        let isNew = state { state -> Bool in
            defer { state.version = version }
            return state.version != version
        }
        adaptInterval(afterChange: isNew)
        if isNew { deliver() }
    }

    private func deliver() {
        state { $0.isWakePending = false }
        guard protectedData.isAccessible else { return }
        orientNewcomers()
        for sequence in Set(state { $0.listeners.values.compactMap(\.sequence) }) {
            guard let change = try? origin.changes(sequence) else {
                state { $0.version = nil }  // the next poll tries again
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
