import Foundation
import HealthSync
import OpenHealthKit
import Testing

/// A value protected by a lock.
final class LockedBox<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func callAsFunction<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}

/// The content of a batch, for comparisons.
struct SeenBatch: Sendable, Equatable {
    let type: String
    let origin: ChangeBatch.Origin
    let added: [UUID]
    let deleted: [UUID]

    init(_ batch: ChangeBatch) {
        type = batch.key.type
        origin = batch.origin
        added = batch.added.map(\.uuid)
        deleted = batch.deleted.map(\.uuid)
    }
}

/// A destination that records its batches, and fails on request.
final class Recorder: ChangeDestination {
    private let state = LockedBox<[SeenBatch]>([])
    private let failure: @Sendable (ChangeBatch) async throws -> Void

    init(_ failure: @escaping @Sendable (ChangeBatch) async throws -> Void = { _ in }) {
        self.failure = failure
    }

    func receive(_ batch: ChangeBatch) async throws {
        try await failure(batch)
        state { $0.append(SeenBatch(batch)) }
    }

    var batches: [SeenBatch] { state { $0 } }
    var added: [UUID] { batches.flatMap(\.added) }
    var deleted: [UUID] { batches.flatMap(\.deleted) }

    /// The content after all additions and deletions were applied, batch by batch.
    var content: Set<UUID> {
        batches.reduce(into: []) {
            $0.formUnion($1.added)
            $0.subtract($1.deleted)
        }
    }
}

/// A destination that stores rows and position together, in memory that outlives watchers.
actor TransactionalRecorder: TransactionalDestination {
    private(set) var content: Set<UUID> = []
    private(set) var batches: [SeenBatch] = []
    private(set) var positions: [PositionKey: SyncPosition] = [:]

    func receive(_ batch: ChangeBatch) throws {
        guard positions[batch.key] == batch.from else { throw SyncError.positionMoved }
        content.formUnion(batch.added.map(\.uuid))
        content.subtract(batch.deleted.map(\.uuid))
        batches.append(SeenBatch(batch))
        positions[batch.key] = batch.to
    }

    func position(for key: PositionKey) -> SyncPosition? { positions[key] }

    func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) throws {
        guard positions[key] == expected else { throw SyncError.positionMoved }
        positions[key] = position
    }

    func removePositions(_ keys: Set<PositionKey>) {
        for key in keys { positions[key] = nil }
    }

    func positionKeys() -> Set<PositionKey> { Set(positions.keys) }
}

/// A clock that a test advances. Sleeping tasks resume when their time is reached.
final class TestClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastNumber = 0
        var sleepers: [Int: (end: Instant, continuation: CheckedContinuation<Void, any Error>)] =
            [:]
    }

    private let state = LockedBox(State())

    var now: Instant { state { $0.now } }
    let minimumResolution = Duration.zero
    /// The number of sleeping tasks.
    var sleepers: Int { state { $0.sleepers.count } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state { state -> Int in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[number] = (deadline, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state { $0.sleepers.removeValue(forKey: number) }?
                .continuation.resume(throwing: CancellationError())
        }
    }

    func advance(by duration: Duration) {
        let due = state { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.end <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}

/// Waits until a condition is true, for at most a minute.
func eventually(
    _ what: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async rethrows {
    for _ in 0..<12_000 {
        if try await condition() { return }
        try? await Task.sleep(for: .milliseconds(5))
    }
    Issue.record(what ?? "it never came to hold", sourceLocation: sourceLocation)
}
