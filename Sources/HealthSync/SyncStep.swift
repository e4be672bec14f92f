import GRDB

/// A step at which tests simulate a crash of the process.
///
/// The guarantees of this module hold if the process ends at any of these steps.
package enum SyncStep: String, Hashable, CaseIterable, Sendable {
    // Steps of the watcher
    case woken
    case anchorTaken
    case pageRead
    case handlersDone
    case positionStored
    case completionCalled
    // Steps of the mirror's transaction
    case transactionBegun
    case rowsWritten
    case positionWritten
    case transactionCommitted
    // Steps of a write or removal
    case writeJournalled = "intentJournalled"
    case sampleSaved
    case sampleReadBack
    case sampleDeleted
    case entryAcknowledged
    // Steps of a reconciliation
    case windowRead
    case windowCompared
    case windowCommitted = "windowSettled"
}

/// A test hook, called when a step is reached. An error that it throws ends the work there, as a
/// crash would.
package struct SyncProbe: Sendable {
    package let reached: @Sendable (SyncStep) throws -> Void

    package init(_ reached: @escaping @Sendable (SyncStep) throws -> Void) {
        self.reached = reached
    }

    package static let none = SyncProbe { _ in }

    /// The error of a full disk, for a probe to throw within a transaction.
    package static let diskFull: any Error = DatabaseError(resultCode: .SQLITE_FULL)
}
