import Foundation

/// The readers in use, by position key. They are cancelled when the table is deallocated, together
/// with the watcher.
final class ReaderTable: Sendable {
    private let readers = Guarded<[PositionKey: SubscriberReader]>([:])

    subscript(key: PositionKey) -> SubscriberReader? {
        get { readers { $0[key] } }
        set { readers { $0[key] = newValue } }
    }

    var all: [SubscriberReader] { readers { Array($0.values) } }

    deinit { for reader in all { reader.cancel() } }
}

extension Watcher {
    func add(_ lane: Lane) throws(SubscriberError) {
        guard !lanes.contains(where: { $0.name == lane.name }) else {
            throw .nameInUse(lane.name)
        }
        lanes.append(lane)
        let readers = currentReaders { $0.lane.name == lane.name }
        guard isStarted else { return }
        if let launch = lane.launch { Task { await launch() } }
        Self.wake(readers)
    }

    /// Removes a subscriber, stops its readers and keeps its positions. Does nothing for an unknown
    /// name.
    func removeSubscriber(_ name: String) async {
        guard let index = lanes.firstIndex(where: { $0.name == name }) else { return }
        lanes.remove(at: index).end?()
        await discard { $0.lane == name }
    }

    /// Removes the readers of matching keys from the table, stops them, and waits until their
    /// passes have ended.
    func discard(_ isMeant: (PositionKey) -> Bool) async {
        let leaving = readers.all.filter { isMeant($0.drain.key) }
        for reader in leaving { readers[reader.drain.key] = nil }
        for reader in leaving { await reader.halt() }
    }

    /// Returns the readers of all subscribers for the tracked types they read, and creates missing
    /// ones.
    func currentReaders(_ isMeant: (Drain) -> Bool = { _ in true }) -> [SubscriberReader] {
        var current: [SubscriberReader] = []
        for lane in lanes {
            for type in types where reads(lane, type) {
                let reader = reader(of: type, for: lane)
                if isMeant(reader.drain) { current.append(reader) }
            }
        }
        return current
    }

    private func reads(_ lane: Lane, _ type: TrackedType) -> Bool {
        let identifier = type.sampleType.identifier
        switch lane.selection {
        case .everything: return true
        case .types(let types): return types.contains(identifier)
        case .unhandled:
            return !lanes.contains { other in
                guard case .types(let types) = other.selection else { return false }
                return other.isHandler && types.contains(identifier)
            }
        }
    }

    private func reader(of type: TrackedType, for lane: Lane) -> SubscriberReader {
        let key = type.key(lane: lane.name)
        if let reader = readers[key] { return reader }
        let wakes = Guarded(0)
        let drain = Drain(
            reader: PageReader(
                store: store, type: type, pageSize: max(1, configuration.pageSize), gate: gate),
            lane: lane, firstRun: lane.firstRun ?? firstRun,
            lifetime: configuration.tombstoneLifetime, now: now, probe: probe,
            onLost: { [weak self] lost in try await self?.lossHandler(lost) },
            report: { [board] in board.note($0, type, lane.name) }, wakes: { wakes { $0 } })
        let reader = SubscriberReader(
            drain, wakes: wakes, clock: clock, pauses: configuration.pauses, board: board,
            didRead: { [weak self, unasked] type in
                guard unasked({ $0.contains(type.sampleType) }) else { return }
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
                group.addTask { (reader.drain.key, await reader.read(request)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}
