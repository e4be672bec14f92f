import Dispatch

/// The changes in a store since an earlier sequence number.
package struct StoreChange: Sendable {
    /// The codes of the types with added, replaced or deleted samples.
    package let types: Set<Int32>
    /// The sequence number of the last change.
    package let sequence: Int64

    package init(types: Set<Int32>, sequence: Int64) {
        self.types = types
        self.sequence = sequence
    }
}

/// Notifies subscribers of changes in a store, by this process or another one.
///
/// A commit through the same connection calls ``wake()``, which reads the changes at once. While
/// there are subscribers, the feed also checks for commits of other connections:
/// - After a file system event (inotify), at growing intervals of at most 270 ms. While no events
///   arrive, every five seconds by default.
/// - Where file system events are not available, every 50 ms, and every 270 ms after half a second
///   without changes, or at a given interval.
///
/// While protected data is inaccessible, the feed reports nothing. It reports the changes at the
/// unlock.
package final class ChangeFeed: Sendable {
    /// The functions through which a feed reads and watches changes.
    package struct Origin: Sendable {
        /// Returns the sequence number of the last change.
        var head: @Sendable () throws -> Int64
        /// Returns the types changed after a sequence number, and the number of the last change.
        var changes: @Sendable (_ after: Int64) throws -> StoreChange
        /// Returns a number that changes with each commit of another connection; cheap to read.
        var version: @Sendable () throws -> Int64
        /// Registers a body to be called when the version may have changed. The registration lasts
        /// as long as the returned watches. Returns nil if watching is not possible.
        ///
        /// Throws an error while there is nothing to watch yet. The next check calls it again.
        var watch:
            @Sendable (_ body: @escaping @Sendable (FileWatch.Event) -> Void) throws
                -> [FileWatch]? = { _ in nil }

        /// Whether changes list the changed types. If so, a change without types is not reported.
        fileprivate var hasTypes = true

        init(
            head: @escaping @Sendable () throws -> Int64,
            changes: @escaping @Sendable (_ after: Int64) throws -> StoreChange,
            version: @escaping @Sendable () throws -> Int64,
            watch:
                @escaping @Sendable (_ body: @escaping @Sendable (FileWatch.Event) -> Void) throws
                -> [FileWatch]? = { _ in nil }
        ) {
            (self.head, self.changes, self.version) = (head, changes, version)
            self.watch = watch
        }

        /// Creates an origin from a counter that changes whenever one of the files is changed by
        /// any process.
        ///
        /// Changes are reported without types.
        package init(
            counter: @escaping @Sendable () throws -> Int64, of files: [String]
        ) {
            // The counter can go back if the file was replaced, so its changes are counted instead.
            let changeCounter = Locked((number: nil as Int64?, count: 0 as Int64))
            let changeCount: @Sendable () throws -> Int64 = {
                let number = try counter()
                return changeCounter { state in
                    if state.number != number { state = (number, state.count + 1) }
                    return state.count
                }
            }
            self.init(
                head: changeCount,
                changes: { _ in StoreChange(types: [], sequence: try changeCount()) },
                version: changeCount,
                watch: { body in
                    let watches = files.compactMap { FileWatch(path: $0, body) }
                    return watches.isEmpty || watches.count < files.count ? nil : watches
                })
            hasTypes = false
        }
    }

    private struct Listener: Sendable {
        /// The sequence number up to which the listener has been notified; nil if the store could
        /// not be read when it subscribed and since then.
        var sequence: Int64?
        var body: @Sendable (StoreChange) -> Void
    }

    /// The state of the file system watch: not attempted yet, active, or not possible.
    private enum WatchState {
        case notStarted
        case active([FileWatch])
        case unavailable
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var lastNumber = 0
        var isWakePending = false
        var isCheckPending = false
        /// The version at the last check; nil before the first check and after a version or changes
        /// that could not be read.
        var version: Int64?
        var watchState = WatchState.notStarted
        var timer: (any DispatchSourceTimer)?
        /// Milliseconds between two checks.
        var interval = 0
        /// The number of consecutive checks without a change since the last file system event.
        var idlePolls = 0
        /// Milliseconds between two checks while the files are watched and no events arrive.
        let idlePollInterval: Int

        /// Returns the milliseconds until the next check, which grow with the number of checks
        /// without a change.
        ///
        /// - Parameter polling: Milliseconds between checks while the files are not watched.
        func nextInterval(polling: [Int]) -> Int {
            var intervals = polling
            // Changes that could not be read cause no event when they become readable.
            if case .active = watchState, version != nil {
                intervals = ChangeFeed.watchingIntervals + [idlePollInterval]
            }
            return intervals[min(idlePolls, intervals.count - 1)]
        }
    }

    /// Milliseconds between the first checks after a file system event. Several checks are needed,
    /// because a commit becomes visible some time after its last write, on a slow disk much later.
    private static let watchingIntervals = [5, 5, 20, 50, 100, 200, 270, 270, 270]
    /// Milliseconds between checks while the files are not watched.
    private static let pollingIntervals = Array(repeating: 50, count: 10) + [270]

    private let origin: Origin
    private let pollingIntervals: [Int]
    private let protectedData: ProtectedDataState
    private let queue = DispatchQueue(label: "org.openhealthkit.changes", qos: .utility)
    private let state: Locked<State>
    private let unlockListenerNumber = Locked<Int?>(nil)

    /// Creates a feed, which makes no checks until it has a subscriber.
    ///
    /// - Parameters:
    ///   - origin: The functions that read and watch changes.
    ///   - protectedData: The lock state of the device.
    ///   - pollingIntervals: Milliseconds between checks while the files are not watched, one for
    ///     each check without a change. The last one repeats.
    ///   - idlePollInterval: Milliseconds between checks while the files are watched and no events
    ///     arrive.
    init(
        _ origin: Origin, protectedData: ProtectedDataState,
        pollingIntervals: [Int] = ChangeFeed.pollingIntervals, idlePollInterval: Int = 5000
    ) {
        self.origin = origin
        self.pollingIntervals = pollingIntervals
        state = Locked(State(idlePollInterval: idlePollInterval))
        self.protectedData = protectedData
        let number = protectedData.addUnlockListener { [weak self] in self?.wake() }
        unlockListenerNumber { $0 = number }
    }

    /// Creates a feed that is independent of protected data.
    ///
    /// - Parameters:
    ///   - origin: The functions that read and watch changes.
    ///   - interval: The time between two checks where file system events are not available. Values
    ///     outside 1 ms to one day are clamped.
    package convenience init(_ origin: Origin, pollingEvery interval: Duration) {
        let (seconds, attoseconds) = min(max(interval, .milliseconds(1)), .seconds(86_400))
            .components
        self.init(
            origin, protectedData: ProtectedDataState(),
            pollingIntervals: [Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)])
    }

    deinit {
        unlockListenerNumber { $0.map(protectedData.removeUnlockListener) }
        state { $0.timer?.cancel() }
    }

    /// Calls `body` for the changes from now on, in order, on a background queue of the feed. One
    /// call can report several commits in quick succession.
    ///
    /// - Parameter body: Receives the change. It must not block: dispatch longer work to another
    ///   queue.
    /// - Returns: The subscription, which ends when it is cancelled or released.
    package func subscribe(
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

    /// Reads and reports changes as soon as possible; called after a commit through the same
    /// connection and at an unlock.
    func wake() {
        let isFirst = state { state -> Bool in
            guard !state.listeners.isEmpty, !state.isWakePending else { return false }
            state.isWakePending = true
            return true
        }
        if isFirst { queue.async { [weak self] in self?.deliver() } }
    }

    /// Whether there are subscribers, and therefore checks.
    var isActive: Bool { state { $0.timer != nil } }

    /// Whether the files are watched, so that checks without a file system event are rare.
    var isWatching: Bool {
        state { state in
            if case .active = state.watchState { return true }
            return false
        }
    }

    /// Whether checks are made at the long interval for watched files without events.
    var isIdle: Bool { state { $0.interval == $0.idlePollInterval } }

    fileprivate func cancel(_ number: Int) {
        let removed = state { state -> (Listener?, WatchState) in
            let listener = state.listeners.removeValue(forKey: number)
            guard state.listeners.isEmpty else { return (listener, .notStarted) }
            defer { state.watchState = .notStarted }
            state.timer?.cancel()
            state.timer = nil
            state.version = nil
            state.idlePolls = 0
            return (listener, state.watchState)
        }
        withExtendedLifetime(removed) {}
    }

    private func startTimer(_ state: inout State) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.checkVersion() }
        state.timer = timer
        state.interval = 0
        updateInterval(&state)
        timer.resume()
    }

    private func updateInterval(_ state: inout State) {
        let interval = state.nextInterval(polling: pollingIntervals)
        guard interval != state.interval, let timer = state.timer else { return }
        state.interval = interval
        timer.schedule(
            deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval),
            leeway: .milliseconds(interval < 1000 ? 5 : 1000))
    }

    /// Starts the file system watch. Does nothing without subscribers, or if the watch is active or
    /// was found to be impossible.
    private func startWatchingIfNeeded() {
        let isNotStarted = state { state in
            if case .notStarted = state.watchState { return state.timer != nil }
            return false
        }
        guard isNotStarted else { return }
        guard let watches = try? Optional.some(origin.watch({ [weak self] in self?.handle($0) }))
        else {
            return
        }
        // A watch that is no longer needed is released here, outside the lock.
        let watchState = watches.map(WatchState.active) ?? .unavailable
        state { state in
            if state.timer != nil { state.watchState = watchState }
        }
    }

    /// Handles a file system event: checks soon, and then at the ``watchingIntervals``.
    private func handle(_ event: FileWatch.Event) {
        let (isFirst, ended) = state { state -> (Bool, WatchState) in
            guard state.timer != nil else { return (false, .notStarted) }
            defer { state.isCheckPending = true }
            state.idlePolls = 0
            guard case .ended = event else { return (!state.isCheckPending, .notStarted) }
            defer { state.watchState = .unavailable }
            return (!state.isCheckPending, state.watchState)
        }
        withExtendedLifetime(ended) {}
        if isFirst { queue.async { [weak self] in self?.checkVersion() } }
    }

    /// Checks whether another connection has committed.
    private func checkVersion() {
        startWatchingIfNeeded()
        state { $0.isCheckPending = false }
        let isAccessible = protectedData.isAccessible
        let version = isAccessible ? try? origin.version() : nil
        let isNew = state { state -> Bool in
            guard state.timer != nil else { return false }
            let isNew = version != nil && state.version != version
            // A check that failed is repeated, because its version is nil. While the device is
            // locked the version is kept: the unlock triggers a check of its own.
            if isAccessible { state.version = version }
            state.idlePolls = isNew ? 0 : state.idlePolls + 1
            updateInterval(&state)
            return isNew
        }
        if isNew { deliver() }
    }

    private func deliver() {
        state { $0.isWakePending = false }
        guard protectedData.isAccessible else { return }
        initializeNewListeners()
        for sequence in Set(state { $0.listeners.values.compactMap(\.sequence) }) {
            guard let change = try? origin.changes(sequence) else {
                // The next check tries again.
                state { state in
                    state.version = nil
                    updateInterval(&state)
                }
                continue
            }
            guard change.sequence > sequence else { continue }
            let numbers = state { state in
                state.listeners.filter { $0.value.sequence == sequence }.keys.sorted()
            }
            for number in numbers { notify(number, change) }
        }
    }

    /// Sets the sequence number of listeners that subscribed while the store could not be read, so
    /// that they receive the changes after this call.
    private func initializeNewListeners() {
        guard state({ $0.listeners.values.contains { $0.sequence == nil } }),
            let head = try? origin.head()
        else { return }
        state { state in
            for number in state.listeners.keys where state.listeners[number]?.sequence == nil {
                state.listeners[number]?.sequence = head
            }
        }
    }

    private func notify(_ number: Int, _ change: StoreChange) {
        let body = state { state in
            state.listeners[number]?.sequence = change.sequence
            return state.listeners[number]?.body
        }
        if !change.types.isEmpty || !origin.hasTypes { body?(change) }
    }
}

/// A subscription to a ``ChangeFeed``, which ends when it is cancelled or released.
package final class ChangeSubscription: Sendable {
    private let feed: ChangeFeed
    private let number: Int

    fileprivate init(feed: ChangeFeed, number: Int) {
        self.feed = feed
        self.number = number
    }

    /// Ends the subscription. A call in progress finishes; no new one starts.
    package func cancel() { feed.cancel(number) }

    deinit { feed.cancel(number) }
}
