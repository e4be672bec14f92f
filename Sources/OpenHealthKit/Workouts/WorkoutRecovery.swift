import Foundation
import HealthStorage

/// Stores an active session and what its builder has collected, so that another process of the app
/// can recover them. Only in files: an in-memory store ends with its process.
///
/// If the file can't be written, the workout continues and can't be recovered from then on.
final class WorkoutRecovery: Sendable {
    /// The stored form, as JSON.
    private struct Record: Codable {
        var session: WorkoutSessionSnapshot
        var builder: WorkoutCollectionSnapshot?
        /// The sequence number after which the builder collects samples.
        var firstSequence: Int64?
        var collectsEvents = true
    }

    private struct State {
        /// The number of stored samples of each type.
        var counts: [HKSampleType: Int] = [:]
        var lastPart = 0
        var isOver = false
    }

    private let connection: StoreConnection
    private let app: String
    private let lock: LiveWorkoutLock
    /// Locked while the session is read and written, so that the last write has the latest state.
    private let state = Locked(State())

    /// Acquires the lock of the app's workout; nil in memory, or if another process has the lock.
    private init?(_ store: HKHealthStore) {
        connection = store.connection
        app = store.identity.bundleIdentifier
        guard let path = connection.filePath,
            let lock = LiveWorkoutLock(of: app, beside: path)
        else { return nil }
        self.lock = lock
    }

    /// Begins to store the sessions of an app. Removes an earlier session that wasn't recovered.
    static func recording(of store: HKHealthStore) -> WorkoutRecovery? {
        guard let recovery = WorkoutRecovery(store) else { return nil }
        try? recovery.connection.store.removeLiveWorkout(of: recovery.app)
        return recovery
    }

    /// Stores the current state of a session and its builder, with the samples that were collected
    /// since the last call.
    func save(_ session: HKWorkoutSession) {
        let builder = session.builder { $0 }
        state { state in
            if state.isOver { return }
            let samples = builder.map { $0.collection { $0.samples } } ?? [:]
            var new: [String: [String]] = [:]
            for (type, uuids) in samples {
                let rest = uuids.dropFirst(state.counts[type] ?? 0)
                if !rest.isEmpty { new[type.identifier] = rest.map(\.uuidString) }
            }
            let record = Record(
                session: session.withSnapshot { $0 },
                builder: builder.map { $0.collection { WorkoutCollectionSnapshot($0) } },
                firstSequence: builder?.firstSequence,
                collectsEvents: builder?.shouldCollectWorkoutEvents ?? true)
            guard let text = Self.text(record) else { return }
            do {
                try connection.store.setLiveWorkout(
                    text, adding: new.isEmpty ? nil : Self.text(new), number: state.lastPart,
                    of: app)
            } catch { return }
            if !new.isEmpty { state.lastPart += 1 }
            state.counts = samples.mapValues(\.count)
        }
    }

    /// Removes what was stored. Later calls of ``save(_:)`` have no effect.
    func finish() {
        let isFirst = state { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { try? connection.store.removeLiveWorkout(of: app) }
    }

    /// Restores the session of an app's process that ended during it.
    ///
    /// - Returns: The session, which goes on to be stored; nil if there is none, or if its process
    ///   is still running.
    /// - Throws: The errors of reading the store.
    static func recoveredSession(of store: HKHealthStore) throws -> HKWorkoutSession? {
        guard store.connection.filePath != nil else { return nil }
        let app = store.identity.bundleIdentifier
        let stored = try store.connection.store.liveWorkout(of: app)
        guard let stored, let record = value(Record.self, stored.state),
            let machine = WorkoutSessionStateMachine(record.session),
            let recovery = WorkoutRecovery(store)
        else { return nil }
        // The process may have stored more, or ended its session, before the lock was acquired.
        guard let latest = try store.connection.store.liveWorkout(of: app),
            latest.state == stored.state
        else { return nil }
        // openhealth:ignore unfinished-workout The app that recovers the session ends it.
        let session = try HKWorkoutSession(
            healthStore: store,
            configuration: HKWorkoutConfiguration(record.session.configuration))
        session.stateMachine { $0 = machine }
        let samples = samples(of: latest)
        if let builder = record.builder {
            session.associatedWorkoutBuilder().restore(
                WorkoutCollection(builder, samples: samples), after: record.firstSequence,
                collectsEvents: record.collectsEvents)
        }
        recovery.state { state in
            state.counts = samples.mapValues(\.count)
            state.lastPart = latest.samples.count
        }
        session.recovery.exchange(recovery)
        return session
    }

    private static func samples(of stored: LiveWorkoutRecord) -> [HKSampleType: [UUID]] {
        var samples: [HKSampleType: [UUID]] = [:]
        for part in stored.samples {
            for (type, uuids) in value([String: [String]].self, part) ?? [:] {
                samples[HKSampleType.of(identifier: type), default: []] += uuids.compactMap {
                    UUID(uuidString: $0)
                }
            }
        }
        return samples
    }

    private static func text(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func value<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

extension HKWorkoutSession {
    /// Begins to store the session for its recovery, if it isn't yet.
    func beginRecording() {
        if recovery({ $0 != nil }) || state == .ended { return }
        recovery.exchange(WorkoutRecovery.recording(of: healthStore))
    }

    /// Stores the current state for a recovery.
    func saveForRecovery() { recovery { $0 }?.save(self) }

    /// Removes the stored session.
    func endRecording() { recovery.exchange(nil)?.finish() }

    private static let recoveryLock = Locked(())

    /// Returns the active session of a handle's app: that of this process, or else the one of a
    /// process that ended.
    static func active(of store: HKHealthStore) throws -> HKWorkoutSession? {
        let session: HKWorkoutSession? = try recoveryLock { _ in
            if let session = ActiveSessions.session(of: store) { return session }
            let session = try WorkoutRecovery.recoveredSession(of: store)
            session.map(ActiveSessions.insert)
            return session
        }
        session.map(ActiveSessions.add)
        return session
    }
}
