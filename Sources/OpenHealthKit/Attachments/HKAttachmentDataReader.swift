public import Foundation
import HealthStorage

/// A reader of an attachment's bytes, from ``HKAttachmentStore/dataReader(for:)``.
// Unchecked: all properties are immutable; Foundation's progress is safe to use from any thread.
open class HKAttachmentDataReader: @unchecked Sendable {
    /// The attachment.
    public let attachment: HKAttachment
    /// The progress of the latest reading, in bytes. Cancelling it ends every reading of this
    /// reader with `errorUserCanceled`.
    public let progress: Progress
    private let healthStore: HKHealthStore

    init(_ attachment: HKAttachment, in healthStore: HKHealthStore) {
        self.attachment = attachment
        self.healthStore = healthStore
        progress = AttachmentReading.progress(of: attachment)
    }

    /// All bytes, in memory.
    ///
    /// - Throws: ``HKError``: `errorNoData` if the attachment was removed or its object is not
    ///   visible to the app, `errorUserCanceled` if ``progress`` was cancelled; and
    ///   `CancellationError` if the task is cancelled.
    open var data: Data {
        get async throws {
            let isCancelled = Locked(false)
            let reading = AttachmentReading(
                attachment, in: healthStore, reportingTo: progress,
                unless: { isCancelled { $0 } })
            return try await withTaskCancellationHandler {
                do {
                    return try await healthStore.awaitValue { done in
                        healthStore.readAttachments { [healthStore] in
                            healthStore.complete(reading.all(), done)
                        }
                    }
                } catch {
                    try Task.checkCancellation()
                    throw error
                }
            } onCancel: {
                isCancelled { $0 = true }
            }
        }
    }

    /// The bytes as a sequence, which reads them in pieces while it is iterated. Each iterator
    /// begins at the first byte.
    open var bytes: HKAttachment.AsyncBytes {
        HKAttachment.AsyncBytes(reading: reading())
    }

    private func reading() -> AttachmentReading {
        AttachmentReading(attachment, in: healthStore, reportingTo: progress)
    }
}

extension HKAttachment {
    /// The bytes of an attachment. Memory holds one piece of 256 KiB.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// A byte.
        public typealias Element = UInt8

        let reading: AttachmentReading

        /// Begins at the first byte. Nothing is read yet.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> BufferedAsyncByteIterator {
            BufferedAsyncByteIterator(reading: reading)
        }

        /// An iterator over the bytes of an attachment.
        public struct BufferedAsyncByteIterator: AsyncIteratorProtocol {
            private let reading: AttachmentReading
            private var stored: StoredAttachment?
            private var position: Int64 = 0
            private var buffer: [UInt8] = []
            private var index = 0

            init(reading: AttachmentReading) { self.reading = reading }

            /// Returns the next byte. Waits for the next piece only at the end of one.
            ///
            /// - Returns: The byte; nil at the end.
            /// - Throws: ``HKError`` as ``HKAttachmentDataReader/data``; `CancellationError` if the
            ///   task is cancelled, at the end of a piece.
            public mutating func next() async throws -> UInt8? {
                if index < buffer.count {
                    defer { index += 1 }
                    return buffer[index]
                }
                return try await nextOfNewPiece()
            }

            private mutating func nextOfNewPiece() async throws -> UInt8? {
                try Task.checkCancellation()
                if let stored, position >= stored.chunkCount { return nil }
                let piece = try await reading.piece(position, of: stored)
                (stored, buffer, index) = (piece.stored, piece.bytes, 0)
                position += 1
                guard let first = buffer.first else { return nil }
                index = 1
                return first
            }
        }
    }
}

extension AttachmentReading {
    /// A piece of the bytes, and the attachment as it is stored.
    struct Piece: Sendable {
        var stored: StoredAttachment
        /// Empty for an attachment without bytes.
        var bytes: [UInt8]
    }

    /// Reads a piece on the queue for attachments, because reading blocks.
    ///
    /// - Parameters:
    ///   - position: The number of the piece.
    ///   - stored: The attachment as it is stored; nil if it was not looked up yet.
    /// - Throws: ``HKError`` as ``begin()`` and ``chunk(_:of:)``.
    func piece(_ position: Int64, of stored: StoredAttachment?) async throws -> Piece {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { reading in
                do {
                    let stored = try stored ?? reading.begin()
                    let bytes =
                        stored.chunkCount == 0
                        ? [] : [UInt8](try reading.chunk(position, of: stored))
                    continuation.resume(returning: Piece(stored: stored, bytes: bytes))
                } catch {
                    continuation.resume(throwing: HKError(reporting: error))
                }
            }
        }
    }
}
