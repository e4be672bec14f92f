public import Foundation
import GRDB

extension Mirror {
    /// The entries that a request describes, now and after every change, for a view.
    ///
    /// ```swift
    /// for try await weights in mirror.observeEntries(EntryRequest(of: HKQuantityType(.bodyMass))) {
    ///     chart = weights
    /// }
    /// ```
    /// The first value comes at once, then one after each change that alters the answer; a consumer
    /// that is slow sees the latest and misses those between. Changes of this mirror come as they are
    /// committed, those of another process within ``MirrorConfiguration/observationInterval``. It ends
    /// with the consumer's task or iterator.
    public func observeEntries(
        _ request: EntryRequest
    ) -> AsyncThrowingStream<[Entry], any Error> {
        observe { db in try request.entries(db) }
    }

    /// What hangs on an entry, now and after every change; otherwise as ``observeEntries(_:)``.
    public func observeAttachments(
        of entry: UUID
    ) -> AsyncThrowingStream<[Attachment], any Error> {
        observe { db in
            try AttachmentRows(db).all("WHERE uuid = ? AND is_attached = 1", [entry])
        }
    }

    /// A value read from the file, now and whenever it has changed.
    ///
    /// Every transaction that changes entries or attachments raises the change counter, in whichever
    /// process: a counter that moved is what asks for another look.
    func observe<Value: Equatable & Sendable>(
        _ fetch: @escaping @Sendable (Database) throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [database, configuration] in
                do {
                    var last: Value?
                    for try await _ in Self.moves(of: database, configuration) {
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

    /// The change counter, once at the start and then whenever it has moved.
    private static func moves(
        of database: any DatabaseWriter, _ configuration: MirrorConfiguration
    ) -> AsyncThrowingStream<Int64, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let own = Task {
                let counter = ValueObservation.tracking { try changeCount($0) }
                do {
                    for try await count in counter.values(in: database) {
                        continuation.yield(count)
                    }
                } catch let error as DatabaseError {
                    continuation.finish(throwing: error.translated)
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            let others = Task {
                var last: Int64?
                do {
                    while true {
                        let count = try await database.read { try changeCount($0) }
                        if count != last { continuation.yield(count) }
                        last = count
                        try await Task.sleep(for: configuration.observationInterval)
                    }
                } catch let error as DatabaseError {
                    continuation.finish(throwing: error.translated)
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in
                own.cancel()
                others.cancel()
            }
        }
    }
}
