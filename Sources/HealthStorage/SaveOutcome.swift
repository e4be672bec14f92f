/// What a save did.
public struct SaveOutcome: Hashable, Sendable {
    /// Indices of samples that were not stored, since an equal or newer version of them is, or since
    /// the correlation they belong to was not (Semantics §9.1).
    public var ignored: Set<Int>
    /// The first and last numbers of changes that the save took, deletions of replaced samples
    /// included; the last is one less than the first if it changed nothing.
    public var firstSequence: Int64
    public var lastSequence: Int64
    /// Codes of the types of which something was saved or replaced.
    public var types: Set<Int32>
}
