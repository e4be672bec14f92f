import Foundation
import OpenHealthKit
import Synchronization

/// A handle whose saves and deletions fail while the disk is full.
// Unchecked as its superclass is; what it adds has a lock of its own.
final class ScheduledStore: HKHealthStore, @unchecked Sendable {
    private let full = Mutex(false)

    /// Whether the disk is full.
    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    private static let failure = HKError(
        .errorDatabaseInaccessible, "The disk is full; nothing was saved.")

    override func save(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    override func save(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        isFull ? completion(false, Self.failure) : super.save(objects, withCompletion: completion)
    }

    override func save(_ object: HKObject) async throws { try await save([object]) }

    override func save(_ objects: [HKObject]) async throws {
        if isFull { throw Self.failure }
        try await super.save(objects)
    }

    override func delete(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    override func delete(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        isFull
            ? completion(false, Self.failure) : super.delete(objects, withCompletion: completion)
    }

    override func delete(_ object: HKObject) async throws { try await delete([object]) }

    override func delete(_ objects: [HKObject]) async throws {
        if isFull { throw Self.failure }
        try await super.delete(objects)
    }
}
