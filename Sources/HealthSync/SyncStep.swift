import GRDB

/// A moment between two of which a process may die.
///
/// The promise of this module holds whichever is the last that is reached.
package enum SyncStep: String, Hashable, CaseIterable, Sendable {
    // The watcher.
    case woken
    case anchorTaken
    case pageRead
    case handlersDone
    case positionStored
    case completionCalled
    // The mirror's transaction.
    case transactionBegun
    case rowsWritten
    case positionWritten
    case transactionCommitted
    // Writing through.
    case intentJournalled
    case sampleSaved
    case sampleReadBack
    case sampleDeleted
    case entryAcknowledged
    // Reconciling.
    case windowRead
    case windowCompared
    case windowSettled
}

/// Told of every step; what it throws ends the work there, as a crash would.
package struct SyncProbe: Sendable {
    package let reached: @Sendable (SyncStep) throws -> Void

    package init(_ reached: @escaping @Sendable (SyncStep) throws -> Void) {
        self.reached = reached
    }

    package static let none = SyncProbe { _ in }

    /// What a probe throws within a transaction for a disk that is full.
    package static let diskFull: any Error = DatabaseError(resultCode: .SQLITE_FULL)
}
