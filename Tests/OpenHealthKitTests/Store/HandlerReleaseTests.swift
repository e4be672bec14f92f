import Foundation
import HealthTesting
import Testing

@testable import OpenHealthKit

/// The deinitializers of app objects whose last reference was held by one of our handlers or
/// timers.
@Suite struct HandlerReleaseTests {
    /// Runs a closure when it is released.
    private final class Owner: Sendable {
        private let atEnd: @Sendable () -> Void
        init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
        deinit { atEnd() }
    }

    /// Returns whether a body returns within five seconds. A separate thread waits for one that
    /// doesn't.
    private func returns(_ body: @escaping @Sendable () -> Void) async -> Bool {
        let returned = Received<Bool>()
        Thread.detachNewThread {
            body()
            returned(true)
        }
        return (try? await returned.next(within: 5)) ?? false
    }

    @Test("an object that stops its query in deinit can be retained by the query's handler only")
    func stopInDeinit() async throws {
        let store = StoreFixture().store
        let queryReference = Locked<HKQuery?>(nil)
        let query = HKObserverQuery(sampleType: StoreFixture.steps, predicate: nil) {
            [owner = Owner { queryReference { $0 }.map(store.stop) }] _, done, _ in
            withExtendedLifetime(owner, done)
        }
        queryReference { $0 = query }
        store.execute(query)
        #expect(await returns { store.stop(query) })
        queryReference { $0 = nil }
    }

    @Test("a replaced handler can retain an object that replaces the handler in deinit")
    func replaceInDeinit() async throws {
        let store = StoreFixture().store
        let query = HKAnchoredObjectQuery(
            type: StoreFixture.steps, predicate: nil, anchor: nil, limit: 0
        ) { _, _, _, _, _ in }
        query.updateHandler = { [owner = Owner { query.updateHandler = nil }] _, _, _, _, _ in
            withExtendedLifetime(owner) {}
        }
        store.workoutSessionMirroringStartHandler = {
            [owner = Owner { store.workoutSessionMirroringStartHandler = nil }] _ in
            withExtendedLifetime(owner) {}
        }
        #expect(await returns { query.updateHandler = nil })
        #expect(await returns { store.workoutSessionMirroringStartHandler = nil })
    }

    /// A data source that reads its builder when it is released.
    // Its only variable is set before it is shared.
    private final class DeinitReadingSource: HKLiveWorkoutDataSource, @unchecked Sendable {
        weak var builder: HKLiveWorkoutBuilder?
        deinit { _ = builder?.dataSource }
    }

    @Test("a data source can read the builder that releases it")
    func dataSource() async throws {
        let store = StoreFixture().store
        let session = try HKWorkoutSession(
            healthStore: store, configuration: HKWorkoutConfiguration())
        let builder = session.associatedWorkoutBuilder()
        func assignDataSource() {
            let source = DeinitReadingSource(healthStore: store, workoutConfiguration: nil)
            source.builder = builder
            builder.dataSource = source
        }
        assignDataSource()
        #expect(await returns { builder.dataSource = nil })
    }

    @Test("work released by a manual clock can own other work of the clock")
    func nestedWork() async throws {
        let clock = ManualClock()
        let due = clock.now.addingTimeInterval(60)
        let outer = clock.schedule(at: due) { [inner = clock.schedule(at: due) {}] in
            inner.cancel()
        }
        #expect(await returns { outer.cancel() })
    }
}

/// An app's store subclass that never calls its completion handler.
// Adds no state.
private final class SilentStore: HKHealthStore, @unchecked Sendable {
    override func save(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {}
}

/// An app's builder subclass that calls its completion handler twice.
// Adds no state.
private final class RepeatingBuilder: HKWorkoutBuilder, @unchecked Sendable {
    override func finishWorkout(
        completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void
    ) {
        completion(nil, nil)
        completion(nil, nil)
    }
}

/// Subclasses that violate the contract of a completion handler.
@Suite struct MisbehavingSubclassTests {
    @Test("a completion handler released without a call gives an unknown error")
    func neverCalled() async throws {
        let fixture = StoreFixture()
        let store = SilentStore(
            _connection: fixture.store.connection, identity: fixture.store.identity)
        let received = Received<HKError.Code?>()
        let walk = fixture.walk()
        Task { received(await code { try await store.save([walk]) }) }
        #expect(try await received.next(within: 5) == .unknownError)
    }

    @Test("a completion handler called twice returns the workout once")
    func calledTwice() async throws {
        let builder = RepeatingBuilder(
            healthStore: StoreFixture().store, configuration: HKWorkoutConfiguration(),
            device: nil)
        #expect(try await builder.finishWorkout() == nil)
    }
}
