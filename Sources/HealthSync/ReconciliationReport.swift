/// What a reconciliation found and did.
public struct ReconciliationReport: Sendable {
    /// Samples that HealthKit showed in the window.
    public var samples = 0
    /// Entries that the mirror lacked.
    public var added = 0
    /// Entries that differed, and are as in HealthKit now.
    public var changed = 0
    /// Entries that HealthKit shows again.
    public var shownAgain = 0
    /// Entries that HealthKit no longer shows: kept, as ``Entry/State/notVisible``.
    public var hidden = 0
    /// Entries that are proven deleted, and are gone.
    public var removed = 0
    /// What became of wishes in the journal.
    public var recoveries: [Recovery] = []
    /// The types that HealthKit would not show, by identifier, with its errors.
    public var failures: [String: HKError] = [:]

    /// Whether the mirror differed in anything.
    public var foundDifferences: Bool {
        added + changed + shownAgain + hidden + removed > 0
    }

    /// Whether all types were compared.
    public var isComplete: Bool { failures.isEmpty }
}
