public import Foundation

/// What a push has sent, and what it waits for. It is kept in memory only, and begins anew with
/// each ``Watcher/push(to:types:named:firstRun:timeZone:transport:random:)``.
public struct PushState: Hashable, Sendable {
    /// What a push does.
    public enum Activity: Hashable, Sendable {
        /// Nothing is being sent.
        case idle
        /// A page is on its way.
        case sending
        /// Sending failed, and is tried again at the date.
        case waiting(until: Date)
        /// The server did not accept the token. Nothing is sent until ``Push/resume(with:)``.
        case unauthorized
    }

    /// What the push does.
    public internal(set) var activity = Activity.idle
    /// Why the last page was not sent; nil if it was.
    public internal(set) var lastError: PushError?
    /// When the server last confirmed a page.
    public internal(set) var lastConfirmed: Date?
    /// The server's identifier of the last receipt.
    public internal(set) var lastReceipt: String?
    /// The number of pages that the server confirmed.
    public internal(set) var pages = 0
    /// What the server did with the records of these pages.
    public internal(set) var records = Records()
    /// How often the server's position was another one than expected, for example because an answer
    /// was lost or the server's data was restored.
    public internal(set) var corrections = 0
    /// The number of samples, by type identifier, that were sent without a part that HealthKit did
    /// not return here, for example the heartbeats of a series.
    public internal(set) var incomplete: [String: Int] = [:]
    /// The number of samples, by type identifier, that were not sent: HealthKit returned a value
    /// that the protocol can't express, or the server refused even a page with only this sample as
    /// too large.
    public internal(set) var unsent: [String: Int] = [:]

    /// Numbers of records by what the server did with them, from its receipts.
    public struct Records: Hashable, Sendable {
        /// All records.
        public internal(set) var received = 0
        /// New samples.
        public internal(set) var accepted = 0
        /// Samples that the server had already.
        public internal(set) var duplicate = 0
        /// Samples that replaced an earlier version.
        public internal(set) var changed = 0
        /// Deletions.
        public internal(set) var deleted = 0
        /// Records that the server keeps, but doesn't understand.
        public internal(set) var unknown = 0
        /// Records that the server rejected as invalid, or as deleted before.
        public internal(set) var rejected = 0
    }
}

/// The current state of a push, with streams of its changes.
final class PushStateBox: Sendable {
    private struct Content {
        var state = PushState()
        var streams: [Int: AsyncStream<PushState>.Continuation] = [:]
        var lastNumber = 0
    }

    private let content = LockedValue(Content())

    deinit { for stream in content({ Array($0.streams.values) }) { stream.finish() } }

    var current: PushState { content { $0.state } }

    func update(_ change: (inout PushState) -> Void) {
        content { content in
            let old = content.state
            change(&content.state)
            if content.state == old { return }
            for stream in content.streams.values { stream.yield(content.state) }
        }
    }

    /// A new stream: the state now and after each change. A slow consumer gets the newest state.
    var states: AsyncStream<PushState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PushState.self, bufferingPolicy: .bufferingNewest(1))
        let number = content { content -> Int in
            content.lastNumber += 1
            content.streams[content.lastNumber] = continuation
            continuation.yield(content.state)
            return content.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.content { $0.streams[number] = nil }
        }
        return stream
    }
}
