import Dispatch
import Foundation
import HealthStorage
import OpenHealthKit
import Synchronization

extension ScheduledWorld {
    /// Has something happen to the health store, and returns when it has.
    ///
    /// What the health store refuses, as a second sample of one UUID, has happened too. What happens to
    /// the app's own process or files is not played here: it is skipped.
    ///
    /// - Throws: `HKError` or `StoreError`, if a file can't be used.
    public func play(_ fault: SyncFault) throws {
        turn.lock()
        defer { turn.unlock() }
        let moment = state.withLock { state in
            state.moment += 1
            return state.moment
        }
        // The files of a world are its own; a write that fails is the schedule's full disk.
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
            try permit(fault)
        default: try turnScrew(fault)
        }
        try mark()
    }

    private func turnScrew(_ fault: SyncFault) throws {
        switch fault.kind {
        case .lock: phone.app.protectedData.lock()
        case .unlock: phone.app.protectedData.unlock()
        case .healthDiskFull: setDiskFull(true)
        case .diskFreed: setDiskFull(false)
        case .clockForward: clock.put(by: 10 * 86_400)
        case .clockBack: clock.put(by: -10 * 86_400)
        case .travel: state.withLock { $0.zone = "Pacific/Auckland" }
        case .observerSilence: phone.app.backgroundDelivery.suspend()
        case .tombstonesPurged:
            try mark()
            clock.pass(8 * 86_400)
            try purge(olderThan: 7 * 86_400)
        case .tombstonesPurgedEarly:
            try mark()
            try purge(olderThan: 0)
        default: break
        }
    }

    private func setDiskFull(_ isFull: Bool) {
        state.withLock { $0.isDiskFull = isFull }
        phone.app.isFull = isFull
    }

    // MARK: Tombstones

    private func mark() throws {
        let head = try phone.file.lastSequence
        let passed = clock.passed
        state.withLock { $0.marks.append((passed, head)) }
    }

    private func purge(olderThan age: TimeInterval) throws {
        let limit = clock.passed - age
        let sequence = state.withLock { state in
            state.marks.filter { $0.passed <= limit }.map(\.sequence).max()
        }
        guard let sequence else { return }
        try phone.file.purgeTombstones(through: sequence)
        state.withLock { $0.purged = $0.moment }
    }

    // MARK: Permissions

    private func permit(_ fault: SyncFault) throws {
        let type = fault.type.sampleType
        let row = try phone.file.authorization(of: ScheduledWriter.app.identity.bundleIdentifier)
            .first { $0.key == Self.code(of: fault.type) }?.value
        let isShared = row?.share == .granted
        let isRead = row?.read == .granted
        let reading: AuthorizationAnswer.Reading =
            row?.earliest.map { .since(Date(timeIntervalSinceReferenceDate: $0)) }
            ?? (isRead ? .granted : .denied)
        var answer = AuthorizationAnswer(
            sharing: isShared ? .granted : .denied, reading: reading)
        switch fault.kind {
        case .shareRevoked: answer.sharing = .denied
        case .shareGranted where fault.type == .bodyMass: answer.sharing = .granted
        case .readRevoked: answer.reading = .denied
        case .readGranted: answer.reading = .granted
        case .limitedHistory:
            answer.reading = .since(clock.now.addingTimeInterval(-2 * 86_400))
        default: break
        }
        try phone.app.setAuthorization(answer, for: [type])
    }

    // MARK: Waiting

    /// Waits for a call that tells success or an error on a thread of HealthKit's.
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
