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

extension FirstRun {
    /// Samples that start earlier don't belong to the history.
    var earliest: Date? {
        if case .window(let since) = self { return since }
        return nil
    }

    /// As much of a span as a reader that began so holds; nil for nothing.
    func narrowed(_ span: ReconciledSpan, at now: Date) -> ReconciledSpan? {
        switch self {
        case .everything: return span
        case .fromNow: return nil
        case .window(let since):
            let length = (now.timeIntervalSince(since) / 86_400).rounded(.up).clamped
            let days = Int(exactly: length) ?? 0
            if case .days(let count) = span { return .days(min(count, days)) }
            return .days(days)
        }
    }
}

extension Double {
    /// Within what counts of days may be.
    fileprivate var clamped: Double { Swift.min(Swift.max(self, 0), 1_000_000) }
}
