/// Why a change could not be kept.
public enum SyncError: Error, Hashable, Sendable {
    /// Another reader of the same key was quicker; the reader looks again.
    case positionMoved
    /// A file was written by a newer version of this library.
    case newerFile(version: String)
    /// A file that isn't one of ours.
    case foreignFile
    /// What was read kept changing until the attempts were used up.
    case busy
}
