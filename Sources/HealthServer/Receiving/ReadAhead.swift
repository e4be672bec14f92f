import Dispatch
import HealthIntake
import HealthStorage

/// The pages of a small body, which are read while an earlier request is being stored.
struct ReadAhead: Sendable {
    /// The bodies up to this size are read ahead. Larger ones are read page by page, so that memory
    /// stays bounded.
    private static let maximumBytes = 4 << 20

    let pages: [IntakeBatch]
    /// Why the body, or its rest, can't be read.
    let error: (any Error)?

    /// Reads a body; nil for a large one.
    init?(_ delivery: Receiver.Delivery) {
        guard delivery.body.byteCount <= ReadAhead.maximumBytes else { return nil }
        var pages: [IntakeBatch] = []
        var failure: (any Error)?
        do {
            _ = try delivery.request.readPages { pages.append($0) }
        } catch {
            failure = error
        }
        (self.pages, self.error) = (pages, failure)
    }
}

/// Reads bodies ahead on a thread of its own, and at most two of them: more would need memory for
/// each waiting request.
struct ReadingAhead: Sendable {
    private let work = BlockingWork("reading", .serial)
    private let places = DispatchSemaphore(value: 2)

    /// Reads a body once there is a place for its pages. ``end()`` must follow.
    func begin(_ delivery: Receiver.Delivery) async throws -> ReadAhead? {
        try await work.run { [places] in
            places.wait()
            return ReadAhead(delivery)
        }
    }

    /// Frees the place of a body.
    func end() { places.signal() }
}
