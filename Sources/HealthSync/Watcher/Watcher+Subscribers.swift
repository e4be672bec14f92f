import Foundation

/// The readers in use, by position key. They are cancelled when the table is deallocated, together
/// with the watcher.
final class ReaderTable: Sendable {
    private let readers = LockedValue<[PositionKey: SubscriberReader]>([:])

    subscript(key: PositionKey) -> SubscriberReader? {
        get { readers { $0[key] } }
        set { readers { $0[key] = newValue } }
    }

    var all: [SubscriberReader] { readers { Array($0.values) } }

    deinit { for reader in all { reader.cancel() } }
}

extension Watcher {
    func add(_ subscriber: Subscriber) throws(SubscriberError) {
        guard !subscribers.contains(where: { $0.name == subscriber.name }) else {
            throw .nameInUse(subscriber.name)
        }
        subscribers.append(subscriber)
        let readers = currentReaders { $0.subscriber.name == subscriber.name }
        guard isStarted else { return }
        if let launch = subscriber.launch { Task { await launch() } }
        Self.wake(readers)
    }

    /// Removes a subscriber, stops its readers and keeps its positions. Does nothing for an unknown
    /// name.
    func removeSubscriber(_ name: String) async {
        guard let index = subscribers.firstIndex(where: { $0.name == name }) else { return }
        subscribers.remove(at: index).end?()
        await discard { $0.subscriber == name }
    }

    /// Removes the readers of matching keys from the table, stops them, and waits until their
    /// passes have ended.
    func discard(_ isIncluded: (PositionKey) -> Bool) async {
        let discarded = readers.all.filter { isIncluded($0.readPass.key) }
        for reader in discarded { readers[reader.readPass.key] = nil }
        for reader in discarded { await reader.halt() }
    }

    /// Returns the readers that `isIncluded` accepts, of all subscribers and the tracked types they
    /// read. Creates missing readers, including ones that are not accepted.
    func currentReaders(_ isIncluded: (ReadPass) -> Bool = { _ in true }) -> [SubscriberReader] {
        var current: [SubscriberReader] = []
        for subscriber in subscribers {
            for type in types where reads(subscriber, type) {
                let reader = reader(of: type, for: subscriber)
                if isIncluded(reader.readPass) { current.append(reader) }
            }
        }
        return current
    }

    private func reads(_ subscriber: Subscriber, _ type: TrackedType) -> Bool {
        let identifier = type.sampleType.identifier
        switch subscriber.selection {
        case .everything: return true
        case .types(let types): return types.contains(identifier)
        case .unhandled:
            return !subscribers.contains { other in
                guard case .types(let types) = other.selection else { return false }
                return other.isHandler && types.contains(identifier)
            }
        }
    }

    private func reader(of type: TrackedType, for subscriber: Subscriber) -> SubscriberReader {
        let key = type.key(subscriber: subscriber.name)
        if let reader = readers[key] { return reader }
        let wakes = LockedValue(0)
        let readPass = ReadPass(
            reader: PageReader(
                store: store, type: type, pageSize: max(1, configuration.pageSize),
                semaphore: semaphore),
            subscriber: subscriber, firstRun: subscriber.firstRun ?? firstRun,
            lifetime: configuration.tombstoneLifetime, now: now, probe: probe,
            onLost: { [weak self] lost in try await self?.lossHandler(lost) },
            report: { [statusRegistry] in statusRegistry.note($0, type, subscriber.name) },
            wakes: { wakes { $0 } })
        let reader = SubscriberReader(
            readPass, wakes: wakes, clock: clock, retryDelays: configuration.retryDelays,
            statusRegistry: statusRegistry,
            didRead: { [weak self, undetermined] type in
                guard undetermined({ $0.contains(type.sampleType) }) else { return }
                Task { await self?.observe(alsoOf: type) }
            })
        readers[key] = reader
        return reader
    }

    static func wake(_ readers: [SubscriberReader], _ request: SubscriberReader.Request = .wake) {
        for reader in readers { Task { await reader.request(request) } }
    }

    /// Runs readers concurrently and returns their outcomes by position key.
    static func read(
        _ readers: [SubscriberReader], _ request: SubscriberReader.Request
    ) async -> [PositionKey: ReadOutcome] {
        await withTaskGroup { group in
            for reader in readers {
                group.addTask { (reader.readPass.key, await reader.read(request)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}
