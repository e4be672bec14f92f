import Foundation

extension Watcher {
    /// Returns an asynchronous sequence of batches: existing samples, limited by the watcher's
    /// first-run policy, and all later changes.
    ///
    /// ```swift
    /// for try await batch in watcher.batches(of: [HKQuantityType(.bodyMass)], named: "upload") {
    ///     try await server.send(batch)
    /// }
    /// ```
    /// Requesting the next batch acknowledges the current one, and its position is then stored. If
    /// the loop is left or the process ends before that, the next iterator with this name gets the
    /// samples and deletions again. At most one batch of each type and filter is read ahead.
    ///
    /// The sequence ends when the task is cancelled or the watcher is deallocated. The subscription
    /// ends when the iterator is deallocated. Batches are delivered while the watcher is running.
    /// ``sync()`` delivers them even without ``start()``, and waits until the loop has acknowledged
    /// them.
    ///
    /// - Parameters:
    ///   - types: The types to deliver; those that are not tracked deliver nothing. Nil for all
    ///     tracked types, including types tracked later.
    ///   - name: The name under which the positions are stored. It must be the same at each launch.
    /// - Returns: A sequence. Requesting its first element throws ``SubscriberError/nameInUse(_:)``
    ///   while another subscriber has the name.
    public nonisolated func batches(
        of types: [HKSampleType]? = nil, named name: String
    ) -> ChangeBatches {
        ChangeBatches(
            watcher: WeakWatcher(self), types: types.map { Set($0.map(\.identifier)) },
            name: name)
    }

    fileprivate func subscribe(
        _ channel: BatchChannel, _ types: Set<String>?, _ name: String
    ) throws(SubscriberError) {
        var subscriber = Subscriber(
            name, to: channel, positions: positions, of: types.map { .types($0) } ?? .everything)
        subscriber.end = { channel.close() }
        try add(subscriber)
    }
}

/// An asynchronous sequence of batches of changes; see ``Watcher/batches(of:named:)``.
public struct ChangeBatches: AsyncSequence, Sendable {
    fileprivate let watcher: WeakWatcher
    fileprivate let types: Set<String>?
    fileprivate let name: String

    /// Returns an iterator. Each iterator is a subscription of its own, and only one can be in use
    /// at a time, since all have the same name.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: BatchSubscription(self))
    }

    /// An iterator that delivers one batch at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: BatchSubscription

        /// Acknowledges the previous batch and waits for the next one.
        ///
        /// - Returns: The next batch; nil if the task is cancelled or the watcher was deallocated.
        /// - Throws: ``SubscriberError/nameInUse(_:)`` if another subscriber has the name.
        public mutating func next() async throws -> ChangeBatch? {
            try await subscription.next()
        }
    }
}

/// A weak reference to a watcher.
final class WeakWatcher: @unchecked Sendable {
    // Unchecked: weak references are read and cleared atomically, and `watcher` is set only once.
    private(set) weak var watcher: Watcher?

    init(_ watcher: Watcher) { self.watcher = watcher }
}

/// The subscription of one iterator. It begins with the first request for a batch, and ends when
/// this object is deallocated together with the iterator.
final class BatchSubscription: Sendable {
    private let batches: ChangeBatches
    private let channel = BatchChannel()
    private let isSubscribed = LockedValue(false)

    fileprivate init(_ batches: ChangeBatches) { self.batches = batches }

    deinit {
        channel.close()
        guard isSubscribed({ $0 }), let watcher = batches.watcher.watcher else { return }
        let name = batches.name
        Task { await watcher.removeSubscriber(name) }
    }

    func next() async throws -> ChangeBatch? {
        if !isSubscribed({ $0 }) {
            guard let watcher = batches.watcher.watcher else { return nil }
            try await watcher.subscribe(channel, batches.types, batches.name)
            isSubscribed { $0 = true }
        }
        return await channel.next()
    }
}

/// A rendezvous channel between readers and a loop. A reader offers a batch, and waits until the
/// loop has received the batch and acknowledged it by requesting the next one. Batches of several
/// readers are received in the order in which they were offered.
final class BatchChannel: ChangeDestination {
    /// The batch was not acknowledged: the iterator or the watcher was deallocated, or the reader's
    /// task was cancelled before it offered the batch. Later cancellation of that task throws
    /// `CancellationError`.
    struct Closed: Error {}

    private struct PendingBatch {
        let number: Int
        let batch: ChangeBatch
        let done: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var pendingBatches: [PendingBatch] = []
        var unacknowledged: PendingBatch?
        var consumer: CheckedContinuation<ChangeBatch?, Never>?
        var lastNumber = 0
        var isClosed = false
    }

    private let state = LockedValue(State())

    func receive(_ batch: ChangeBatch) async throws {
        let number = state { state -> Int in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { done in
                offer(PendingBatch(number: number, batch: batch, done: done))
            }
        } onCancel: {
            withdraw(number)
        }
    }

    /// Acknowledges the previous batch and waits for the next one. Returns nil if the channel is
    /// closed or the task is cancelled.
    func next() async -> ChangeBatch? {
        let unacknowledged = state { state -> PendingBatch? in
            defer { state.unacknowledged = nil }
            return state.unacknowledged
        }
        unacknowledged?.done.resume()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { consumer in wait(consumer) }
        } onCancel: {
            let consumer = state { state in
                defer { state.consumer = nil }
                return state.consumer
            }
            consumer?.resume(returning: nil)
        }
    }

    func close() {
        let (pendingBatches, consumer) = state { state in
            state.isClosed = true
            let pendingBatches = state.pendingBatches + [state.unacknowledged].compactMap { $0 }
            defer { (state.pendingBatches, state.unacknowledged, state.consumer) = ([], nil, nil) }
            return (pendingBatches, state.consumer)
        }
        for offer in pendingBatches { offer.done.resume(throwing: Closed()) }
        consumer?.resume(returning: nil)
    }

    private func offer(_ offer: PendingBatch) {
        let (isRefused, consumer) = state { state in
            if state.isClosed || Task.isCancelled {
                return (true, CheckedContinuation<ChangeBatch?, Never>?.none)
            }
            guard let consumer = state.consumer else {
                state.pendingBatches.append(offer)
                return (false, nil)
            }
            (state.consumer, state.unacknowledged) = (nil, offer)
            return (false, consumer)
        }
        if isRefused { offer.done.resume(throwing: Closed()) }
        consumer?.resume(returning: offer.batch)
    }

    private func withdraw(_ number: Int) {
        let offer = state { state -> PendingBatch? in
            if state.unacknowledged?.number == number {
                defer { state.unacknowledged = nil }
                return state.unacknowledged
            }
            guard let index = state.pendingBatches.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            return state.pendingBatches.remove(at: index)
        }
        offer?.done.resume(throwing: CancellationError())
    }

    private func wait(_ consumer: CheckedContinuation<ChangeBatch?, Never>) {
        let result = state { state -> ChangeBatch?? in
            if state.isClosed || Task.isCancelled { return .some(nil) }
            guard !state.pendingBatches.isEmpty else {
                state.consumer = consumer
                return nil
            }
            let offer = state.pendingBatches.removeFirst()
            state.unacknowledged = offer
            return offer.batch
        }
        if let result { consumer.resume(returning: result) }
    }
}
