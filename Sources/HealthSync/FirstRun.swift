public import Foundation

/// What a reader that has no position yet begins with.
///
/// Whatever it is, every change from that moment on follows, also of samples that are older: a watch
/// that comes home after eleven hours is not too late.
public enum FirstRun: Hashable, Sendable {
    /// All that is there, newest first.
    case everything
    /// What starts at a date or later, newest first.
    case window(since: Date)
    /// Nothing that is there already.
    case fromNow
}
