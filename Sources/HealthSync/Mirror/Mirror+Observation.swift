public import Foundation
import GRDB

extension Mirror {
    /// Returns the entries that match a request, now and after every change.
    ///
    /// ```swift
    /// let request = EntryRequest(of: HKQuantityType(.bodyMass))
    /// for try await weights in mirror.observeEntries(request) {
    ///     chart = weights
    /// }
    /// ```
    /// The first value is delivered at once. Another one follows whenever the result differs from
    /// the last value. Changes in quick succession may give only one value, and a slow consumer
    /// gets only the latest.
    ///
    /// Changes through this mirror are delivered when they are committed. Changes by other
    /// processes, or through another `Mirror` of the file, are delivered soon after the system
    /// reports a write to the file. Where the system does not report writes, they are found within
    /// ``MirrorConfiguration/observationInterval``. On iOS, watchOS and
    /// visionOS, another process may commit a transaction more than two seconds after its last
    /// write to the log. Such a change is found with the next write. The stream ends with the
    /// consumer's task or iterator.
    ///
    /// - Parameter request: The entries to observe.
    /// - Returns: A stream, which throws ``MirrorError``.
    public func observeEntries(
        _ request: EntryRequest
    ) -> AsyncThrowingStream<[MirrorEntry], any Error> {
        observe { db in try request.entries(db) }
    }

    /// Returns an entry's attachments, now and after every change, as ``observeEntries(_:)`` does.
    /// Without the entry the value is empty, also if its attachments have moved to another entry.
    ///
    /// - Parameter entry: The entry's UUID.
    /// - Returns: A stream, which throws ``MirrorError``.
    public func observeAttachments(
        of entry: UUID
    ) -> AsyncThrowingStream<[Attachment], any Error> {
        observe { db in
            try AttachmentRows(db).all("WHERE uuid = ? AND is_attached = 1", [entry])
        }
    }

    /// Returns a value read from the mirror's database, now and whenever it has changed.
    ///
    /// Every transaction that may change entries, attachments or pending writes, in any process,
    /// increments the change counter. The value is read again when the counter has changed, and
    /// delivered if it differs from the last delivered one.
    func observe<Value: Equatable & Sendable>(
        _ fetch: @escaping @Sendable (Database) throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [database, file, configuration] in
                do {
                    var last: Value?
                    for try await _ in Self.changeCounts(of: database, in: file, configuration) {
                        let value = try await translatingErrors { try await database.read(fetch) }
                        guard value != last else { continue }
                        last = value
                        continuation.yield(value)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns a stream of the change counter: its value now and after every change.
    private static func changeCounts(
        of database: any DatabaseWriter, in file: URL?, _ configuration: MirrorConfiguration
    ) -> AsyncThrowingStream<Int64, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let fail = { @Sendable (error: any Error) in
                let translated = (error as? DatabaseError)?.translated
                continuation.finish(throwing: translated ?? error)
            }
            let own = Task {
                let counter = ValueObservation.tracking { try Mirror.changeCount($0) }
                do {
                    for try await count in counter.values(in: database) {
                        continuation.yield(count)
                    }
                } catch {
                    fail(error)
                }
            }
            // No other process can write to a database in memory.
            let others = file.map { file in
                otherProcesses(
                    writing: file, database, every: configuration.observationInterval,
                    changed: { continuation.yield($0) }, failed: fail)
            }
            continuation.onTermination = { _ in
                own.cancel()
                others?.cancel()
            }
        }
    }

    #if os(iOS) || os(watchOS) || os(visionOS)
        /// Reads the change counter after each write to the log, or polls it if the log can't be
        /// watched.
        private static func otherProcesses(
            writing file: URL, _ database: any DatabaseWriter, every interval: Duration,
            changed: @escaping @Sendable (Int64) -> Void,
            failed: @escaping @Sendable (any Error) -> Void
        ) -> Task<Void, Never> {
            Task {
                let log = WALMonitor(of: file)
                defer { log?.end() }
                var writes = log?.writes.makeAsyncIterator()
                let delays = log == nil ? [interval] : WALMonitor.delays.map { .milliseconds($0) }
                var last: Int64?
                do {
                    repeat {
                        for wait in delays {
                            let count = try await database.read { try Mirror.changeCount($0) }
                            if count != last { changed(count) }
                            last = count
                            try await Task.sleep(for: wait)
                        }
                        // The counter is not read again until the next write.
                        if log != nil { await writes?.next() }
                    } while !Task.isCancelled
                } catch {
                    failed(error)
                }
            }
        }
    #else
        /// Reads the change counter after each write to the file, or polls it if the file can't be
        /// watched.
        private static func otherProcesses(
            writing file: URL, _ database: any DatabaseWriter, every interval: Duration,
            changed: @escaping @Sendable (Int64) -> Void,
            failed: @escaping @Sendable (any Error) -> Void
        ) -> ChangeSubscription {
            let counter: @Sendable () throws -> Int64 = {
                do {
                    return try database.read { try Mirror.changeCount($0) }
                } catch {
                    failed(error)
                    throw error
                }
            }
            let feed = ChangeFeed(
                ChangeFeed.Origin(counter: counter, of: [file.path]), pollingEvery: interval)
            return feed.subscribe { changed($0.sequence) }
        }
    #endif
}
