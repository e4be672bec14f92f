/// What changed in one type, a page of it, and where that leaves its reader.
public struct ChangeBatch: Sendable {
    /// Why these samples come.
    public enum Origin: Hashable, Sendable {
        /// The first run reads what was there before.
        case history
        /// They were saved or deleted since the last batch.
        case changes
    }

    public let key: PositionKey
    public let sampleType: HKSampleType
    public let origin: Origin
    /// Samples that are in the store, in its order of saving; newest first in history.
    public let added: [HKSample]
    /// Samples that are gone; some may never have been seen.
    public let deleted: [HKDeletedObject]
    /// The position that the batch begins at; nil for the first of its key.
    public let from: SyncPosition?
    /// The position that holds once the batch is kept.
    public let to: SyncPosition
}
