import Dispatch
import Foundation
import HealthEngine
import HealthStorage
import OpenHealthKit
import Synchronization

extension ScheduledWorld {
    /// Applies an event to the phone and its health store, and returns when it is complete.
    ///
    /// An event that the health store rejects, such as a duplicate UUID, counts as applied. Faults
    /// in the app's own process or files are counted as events, but have no effect here.
    ///
    /// - Throws: `HKError` or `StoreError` if a file can't be used.
    func play(_ fault: SyncFault) throws {
        lock.lock()
        defer { lock.unlock() }
        let moment = state.withLock { state in
            state.moment += 1
            return state.moment
        }
        // A full disk is simulated: the app can't save or delete, and events that would save,
        // delete or import samples are skipped.
        let isWriting = !state.withLock { $0.isDiskFull }
        switch fault.kind {
        case .save, .observerStorm, .lateBatch:
            if isWriting { try save(fault) }
        case .edit, .equalVersion, .lowerVersion, .duplicateUUID:
            if isWriting { try saveAgain(fault) }
        case .deletion:
            if isWriting { try delete(fault.number, at: moment) }
        case .imported, .importUndone:
            if isWriting { try exchange(fault) }
        case .shareRevoked, .shareGranted, .readRevoked, .readGranted, .limitedHistory:
            try changeAuthorization(fault)
        default: try changeEnvironment(fault)
        }
        try recordSequence()
    }

    private func changeEnvironment(_ fault: SyncFault) throws {
        switch fault.kind {
        case .lock: phone.app.protectedData.lock()
        case .unlock: phone.app.protectedData.unlock()
        case .healthDiskFull: setDiskFull(true)
        case .diskFreed: setDiskFull(false)
        case .clockForward: clock.jump(by: 10 * 86_400)
        case .clockBack: clock.jump(by: -10 * 86_400)
        case .travel: state.withLock { $0.zone = "Pacific/Auckland" }
        case .observerSilence: phone.app.backgroundDelivery.suspend()
        case .tombstonesPurged:
            try recordSequence()
            clock.advance(by: ScheduledWorld.tombstoneLifetime + 86_400)
            try purge(olderThan: ScheduledWorld.tombstoneLifetime)
        case .tombstonesPurgedEarly:
            try recordSequence()
            try purge(olderThan: 0)
        default: break
        }
    }

    private func setDiskFull(_ isFull: Bool) {
        state.withLock { $0.isDiskFull = isFull }
        phone.app.isFull = isFull
    }

    // MARK: Tombstones

    /// The time for which the simulated HealthKit keeps tombstones, in seconds. HealthSync assumes
    /// the same time by default.
    private static let tombstoneLifetime: TimeInterval = 7 * 86_400

    private func recordSequence() throws {
        let sequence = try phone.file.lastSequence
        let elapsed = clock.elapsed
        state.withLock { $0.marks.append((elapsed, sequence)) }
    }

    private func purge(olderThan age: TimeInterval) throws {
        let limit = clock.elapsed - age
        let sequence = state.withLock { state in
            state.marks.filter { $0.elapsed <= limit }.map(\.sequence).max()
        }
        guard let sequence else { return }
        try phone.file.purgeTombstones(through: sequence)
        state.withLock { $0.purged = $0.moment }
    }

    // MARK: Permissions

    private func changeAuthorization(_ fault: SyncFault) throws {
        let type = fault.type.sampleType
        let row = try phone.file.authorization(of: ScheduledWriter.app.identity.bundleIdentifier)
            .first { $0.key == Self.code(of: fault.type) }?.value
        let isShared = row?.share == .granted
        let isRead = row?.read == .granted
        let reading: AuthorizationDecision.Reading =
            row?.earliest.map { .since(Date(timeIntervalSinceReferenceDate: $0)) }
            ?? (isRead ? .granted : .denied)
        var decision = AuthorizationDecision(
            sharing: isShared ? .granted : .denied, reading: reading)
        switch fault.kind {
        case .shareRevoked: decision.sharing = .denied
        case .shareGranted where fault.type == .bodyMass: decision.sharing = .granted
        case .readRevoked: decision.reading = .denied
        case .readGranted: decision.reading = .granted
        case .limitedHistory:
            decision.reading = .since(clock.now.addingTimeInterval(-2 * 86_400))
        default: break
        }
        try phone.app.setAuthorization(decision, for: [type])
    }

    // MARK: Waiting

    /// Waits for a call that reports success or an error on another thread. Returns the error; nil
    /// for success.
    static func waiting(
        _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
    ) -> (any Error)? {
        let isDone = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        call { _, error in
            failure.withLock { $0 = error }
            isDone.signal()
        }
        isDone.wait()
        return failure.withLock { $0 }
    }
}

// Imports exports as snapshots, like `openhealth import`.
extension ScheduledWorld {
    /// Imports a newer export. For `imported`, it has the samples of the latest export and those of
    /// the event. For `importUndone`, it has no samples; nothing is imported if the latest export
    /// has none either.
    func exchange(_ fault: SyncFault) throws {
        var imported = state.withLock { $0.imported }
        if fault.kind == .imported {
            for number in fault.number..<(fault.number + max(1, fault.count)) {
                let start = start(of: number, before: Self.age(of: number))
                imported[number] = ScheduledRecord(
                    type: fault.type, writer: .other,
                    start: start.timeIntervalSinceReferenceDate, phone: phoneNumber)
            }
        } else {
            guard !imported.isEmpty else { return }
            imported = [:]
        }
        let exports = state.withLock { state in
            state.exports += 1
            return state.exports
        }
        let description = SnapshotDescription(
            file: "export.zip", bytes: 1, exportDate: 900_000_000 + Double(exports),
            importedAt: clock.now.timeIntervalSinceReferenceDate)
        let records = imported.sorted { $0.key < $1.key }
        try SampleStore.importSnapshot(into: phone.path, description) { writer, _ in
            for type in Set(records.map(\.value.type)).sorted(by: { $0.rawValue < $1.rawValue }) {
                _ = try writer.type(identifier: type.sampleType.identifier)
            }
            try writer.write(Self.batch(records))
            _ = try writer.finish(.complete)
            try writer.record(ledger: "{}")
        }
        state.withLock { state in
            for number in state.imported.keys where imported[number] == nil {
                state.records[number]?.isLive = false
                state.deletions[number] = state.moment
            }
            for (number, record) in imported { state.records[number] = record }
            state.imported = imported
        }
    }

    private static func batch(_ records: [(key: Int, value: ScheduledRecord)]) -> SampleBatch {
        var batch = SampleBatch(sources: [Source(name: "Old scale", bundleIdentifier: "")])
        for (number, record) in records {
            let unit = record.type.unit?.unitString
            let origin = Origin(source: 0, version: "1", unit: unit)
            if !batch.origins.contains(origin) { batch.origins.append(origin) }
            batch.samples.append(
                Sample(
                    type: code(of: record.type) ?? 0,
                    origin: Int32(batch.origins.firstIndex(of: origin) ?? 0), start: record.start,
                    end: record.start + record.type.duration, created: record.start,
                    value: record.type.value(number: number, version: 1)))
        }
        return batch
    }

    static func code(of type: ScheduledType) -> Int32? {
        Catalogue.type(named: type.rawValue)?.code
    }
}
