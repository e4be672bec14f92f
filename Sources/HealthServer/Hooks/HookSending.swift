package import Foundation
package import HealthStorage

/// Sends notices of changes to the hooks of a store.
///
/// A hook is notified of the latest state only: while a notice fails, later changes are part of the
/// next try. After ``patience`` without an accepted notice a hook is switched off.
package struct HookSending: Sendable {
    /// A request to a hook: where it goes, and what it contains.
    package struct Delivery: Hashable, Sendable {
        /// The checked address.
        package var address: HookAddress
        /// The address in digits that the connection must use.
        package var pinned: String
        /// The notice.
        package var notice: HookNotice
    }

    /// The state of a store: its last sequence number, and the cursor after it.
    package struct Head: Hashable, Sendable {
        package var sequence: Int64
        package var cursor: String

        package init(sequence: Int64, cursor: String) {
            self.sequence = sequence
            self.cursor = cursor
        }
    }

    /// What a sender reads and calls. Tests replace parts of it.
    package struct Surroundings: Sendable {
        /// The store's state. Can block.
        package var head: @Sendable () throws -> Head
        /// The addresses of a host. Can block.
        package var resolve: @Sendable (String) -> [String]
        /// Sends a notice and returns the HTTP status. Redirects aren't followed. Can block.
        package var send: @Sendable (Delivery) throws -> Int
        /// The current time.
        package var now: @Sendable () -> Date
        /// A factor from 1 to 1.5 for the next pause, so that hooks don't fail in step.
        package var jitter: @Sendable () -> Double
        /// Called when a hook was switched off.
        package var switchedOff: @Sendable (Hook) -> Void

        package init(
            head: @escaping @Sendable () throws -> Head,
            resolve: @escaping @Sendable (String) -> [String] = {
                HostResolution.addresses(of: $0)
            },
            send: @escaping @Sendable (Delivery) throws -> Int = { try HookRequest($0).send() },
            now: @escaping @Sendable () -> Date = { .now },
            jitter: @escaping @Sendable () -> Double = { .random(in: 1...1.5) },
            switchedOff: @escaping @Sendable (Hook) -> Void = { _ in }
        ) {
            self.head = head
            self.resolve = resolve
            self.send = send
            self.now = now
            self.jitter = jitter
            self.switchedOff = switchedOff
        }
    }

    /// The pause after the first failure, in seconds. It doubles with each further one.
    static let firstPause = 30.0
    /// The longest pause, in seconds.
    static let longestPause = 3_600.0
    /// The time of failures after which a hook is switched off: three days, in seconds.
    package static let patience = 3 * 86_400.0
    /// The fewest failures after which a hook is switched off, since a computer can sleep for days.
    static let fewestFailures = 10
    /// The pause after a change, in seconds, so that an import causes one notice.
    static let settling = 1.0

    private let store: String
    private let surroundings: Surroundings
    private let work = BlockingWork("hooks", .concurrent)

    /// - Parameters:
    ///   - store: The path of the store.
    ///   - surroundings: What it reads and calls.
    package init(besideStore store: String, _ surroundings: Surroundings) {
        self.store = store
        self.surroundings = surroundings
    }

    /// Sends notices until the task is cancelled or the wake-ups end.
    ///
    /// - Parameter changes: Wake-ups after changes of the store.
    package func run(after changes: AsyncStream<Void>) async {
        let (wakeUps, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let forwarding = Task {
            for await _ in changes { wake.yield() }
            wake.finish()
        }
        wake.yield()
        await withTaskCancellationHandler {
            var timer: Task<Void, any Error>?
            for await _ in wakeUps {
                timer?.cancel()
                try? await Task.sleep(for: .seconds(HookSending.settling))
                if Task.isCancelled { break }
                let pause = await sendDue()
                timer = pause.map { pause in
                    Task {
                        try await Task.sleep(for: .seconds(pause))
                        wake.yield()
                    }
                }
            }
            timer?.cancel()
        } onCancel: {
            wake.finish()
        }
        forwarding.cancel()
    }

    /// Notifies each hook that is due.
    ///
    /// - Returns: The seconds until the next hook is due; nil if none is waiting.
    package func sendDue() async -> Double? {
        let (hooks, head): ([Hook], Head)
        do {
            (hooks, head) = try await work.run {
                let directory = try AccessDirectory.openIfPresent(besideStore: store)
                let hooks = try directory?.hooks() ?? []
                return (hooks, try surroundings.head())
            }
        } catch {
            // The files are busy. The next change, or a minute, tries again.
            return 60
        }
        let pending = hooks.filter { $0.switchedOffAt == nil && $0.sequence != head.sequence }
        return await withTaskGroup { group in
            for hook in pending {
                group.addTask { await self.send(to: hook, head) }
            }
            return await group.reduce(nil as Double?) { next, pause in
                pause.map { min($0, next ?? $0) } ?? next
            }
        }
    }

    /// Notifies a hook if it is due, and stores the result.
    ///
    /// - Returns: The seconds until it is due again; nil if it was notified or switched off.
    private func send(to hook: Hook, _ head: Head) async -> Double? {
        let start = surroundings.now().timeIntervalSinceReferenceDate
        if let failure = hook.failure {
            let due = failure.last + HookSending.pause(after: failure.count)
            // A clock that was set back doesn't delay a notice for longer than a pause.
            if due > start, due - start <= HookSending.longestPause { return due - start }
        }
        var hook = hook
        let reason = await failure(of: hook, head)
        let now = surroundings.now().timeIntervalSinceReferenceDate
        var pause: Double?
        if let reason {
            var failure =
                hook.failure ?? Hook.Failure(count: 0, since: now, last: now, reason: reason)
            (failure.count, failure.last, failure.reason) = (failure.count + 1, now, reason)
            hook.failure = failure
            if now - failure.since >= HookSending.patience,
                failure.count >= HookSending.fewestFailures
            {
                hook.switchedOffAt = now
            } else {
                pause = HookSending.pause(after: failure.count) * surroundings.jitter()
            }
        } else {
            (hook.failure, hook.acceptedAt, hook.sequence) = (nil, now, head.sequence)
        }
        let result = hook
        try? await work.run {
            try AccessDirectory.openIfPresent(besideStore: store)?.update(result)
        }
        if hook.switchedOffAt != nil { surroundings.switchedOff(hook) }
        return pause
    }

    /// The pause after a number of failures in a row, in seconds.
    static func pause(after failures: Int) -> Double {
        let doublings = Double(min(max(failures - 1, 0), 20))
        return min(longestPause, firstPause * exp2(doublings))
    }

    /// Sends a notice.
    ///
    /// - Returns: nil if it was accepted, otherwise why it failed.
    private func failure(of hook: Hook, _ head: Head) async -> String? {
        guard let address = try? HookAddress(hook.url) else { return "the address is invalid" }
        let found = (try? await work.run { surroundings.resolve(address.host) }) ?? []
        guard let first = found.first else { return "the host is unknown" }
        // All of them, since another could be used by a later connection.
        guard hook.allowsPrivateAddresses || found.allSatisfy(PublicAddress.contains) else {
            return "the host has a private address"
        }
        let notice = HookNotice(
            cursor: head.cursor, secret: hook.secret, at: surroundings.now())
        let delivery = Delivery(address: address, pinned: first, notice: notice)
        do {
            let status = try await work.run { try surroundings.send(delivery) }
            return (200..<300).contains(status) ? nil : "the answer was HTTP status \(status)"
        } catch {
            return HookRequest.reason(error)
        }
    }
}
