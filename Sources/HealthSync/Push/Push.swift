import Foundation

/// Sends a watcher's changes to a server, and shows how far it is.
///
/// ```swift
/// let push = try await watcher.push(to: target)
/// await watcher.start()
/// for await state in push.states { show(state.activity, state.records.received) }
/// ```
/// Existing samples are sent newest first, then every change with its deletions. The watcher's
/// position file stores what the server has confirmed, so sending continues after a restart. While
/// the server can't be reached, at most one page of each type waits; nothing else is kept, because
/// HealthKit keeps the changes.
public final class Push: Sendable {
    let sender: PushSender

    init(_ sender: PushSender) { self.sender = sender }

    /// What was sent, and what the push waits for.
    public var state: PushState { sender.state.current }

    /// A new stream: the state now and after each change. A slow consumer gets the newest state.
    public var states: AsyncStream<PushState> { sender.state.states }

    /// Allows sending again, for example with a new token after ``PushState/Activity/unauthorized``.
    /// Call ``Watcher/sync()`` to send at once.
    ///
    /// - Parameter target: The server. If it is another one, it gets everything again.
    public func resume(with target: PushTarget) { sender.resume(with: target) }
}
