import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

extension HKHealthStore {
    /// The number of long-running queries that the store's handles haven't stopped.
    var longRunningQueries: Int { runningQueries.count }
}

@Suite("Execution and delivery")
struct DeliveryTests {
    private typealias Q = QueriedStore

    private static func observer(
        _ handler: @escaping @Sendable ((any Error)?) -> Void
    ) -> HKObserverQuery {
        HKObserverQuery(sampleType: Q.steps, predicate: nil) {
            handler($2)
            $1()
        }
    }

    @Test("§6.10 no handler runs inside execute or on the main thread")
    @MainActor
    func notInside() async throws {
        let store = try await Q.open()
        let received = Received<(onMain: Bool, inside: Bool)>()
        let isInside = Locked(true)
        store.execute(
            HKSampleQuery(
                sampleType: Q.steps, predicate: nil, limit: 1, sortDescriptors: nil
            ) { _, _, _ in received((Thread.isMainThread, isInside { $0 })) })
        // The main thread is busy meanwhile, so a handler that needed it would run too late.
        #expect(received.count == 0 || !Thread.isMainThread)
        isInside { $0 = false }
        #expect(try await received.next().onMain == false)
    }

    @Test("§6.10 the handlers of one query are called serially, in the order of changes")
    func serial() async throws {
        let store = try await Q.open()
        let (entered, received) = (Locked(0), Received<[Double]>())
        let overlaps = Locked(0)
        let query = HKAnchoredObjectQuery(
            type: Q.steps, predicate: nil, anchor: nil, limit: 0
        ) { _, _, _, _, _ in received([]) }
        query.updateHandler = { _, samples, _, _, _ in
            if entered({
                $0 += 1; return $0
            }) > 1 {
                overlaps { $0 += 1 }
            }
            received((samples ?? []).compactMap(\.steps))
            entered { $0 -= 1 }
        }
        store.execute(query)
        _ = try await received.next()
        for count in 1...30 {
            try await store.save(Q.walk(Double(count), from: Double(count), to: Double(count)))
        }
        try await waitUntil { received.all.flatMap { $0 }.count == 30 }
        #expect(received.all.flatMap { $0 } == (1...30).map(Double.init))
        #expect(overlaps { $0 } == 0)
        store.stop(query)
    }

    @Test("§6.9 a second execution reports errorInvalidArgument and does not affect the first")
    func executedTwice() async throws {
        let store = try await Q.open()
        let received = Received<HKError.Code?>()
        let query = Self.observer { received(($0 as? HKError)?.code) }
        store.execute(query)
        #expect(try await received.next() == nil)
        store.execute(query)
        #expect(try await received.next() == .errorInvalidArgument)
        try await store.save(Q.walk(1, from: 0, to: 1))
        #expect(try await received.next() == nil)
        store.stop(query)
        let once = Received<HKError.Code?>()
        let sample = HKSampleQuery(
            sampleType: Q.steps, predicate: nil, limit: 1, sortDescriptors: nil
        ) { once(($2 as? HKError)?.code) }
        store.execute(sample)
        #expect(try await once.next() == nil)
        store.execute(sample)
        #expect(try await once.next() == .errorInvalidArgument)
    }

    @Test(
        "§6.9 stop prevents later calls, can be repeated, and has no effect before execution",
        .covers("HKHealthStore.stop(_:)", "HKHealthStore.execute(_:)"))
    func stopped() async throws {
        let store = try await Q.open()
        let (stopped, control) = (Received<Bool>(), Received<Bool>())
        let query = Self.observer { stopped($0 == nil) }
        let other = Self.observer { control($0 == nil) }
        store.stop(query)
        store.execute(query)
        #expect(try await stopped.next())
        store.execute(other)
        #expect(try await control.next())
        store.stop(query)
        store.stop(query)
        try await store.save(Q.walk(1, from: 0, to: 1))
        #expect(try await control.next())
        #expect(stopped.count == 1)
        store.stop(other)
        #expect(store.longRunningQueries == 0)
    }

    @Test("§6.9 a query can be stopped inside its own handler")
    func stoppedInside() async throws {
        let store = try await Q.open()
        let (received, control) = (Received<Bool>(), Received<Bool>())
        let query = HKObserverQuery(sampleType: Q.steps, predicate: nil) { query, completion, _ in
            store.stop(query)
            received(true)
            completion()
        }
        let other = Self.observer { control($0 == nil) }
        store.execute(query)
        store.execute(other)
        #expect(try await received.next())
        #expect(try await control.next())
        try await store.save(Q.walk(1, from: 0, to: 1))
        #expect(try await control.next())
        #expect(received.count == 1)
        store.stop(other)
    }

    @Test("a stopped query delivers no result, even if its read had begun")
    func stoppedBeforeResult() async throws {
        let store = try await Q.open()
        try await store.save((0..<2000).map { Q.walk(1, from: Double($0), to: Double($0)) })
        let received = Received<Bool>()
        for _ in 0..<50 {
            let query = HKSampleQuery(
                sampleType: Q.steps, predicate: nil, limit: 0, sortDescriptors: nil
            ) { _, _, _ in received(true) }
            store.execute(query)
            store.stop(query)
        }
        #expect(try await store.querySamples(Q.steps, limit: 1).count == 1)
        let count = received.count
        #expect(count == 0)
    }

    @Test("a query that the app releases runs until its store is closed, which is a finding")
    func dropped() async throws {
        var store: HKHealthStore? = try await Q.open()
        let diagnostics = try #require(store?.diagnostics)
        let received = Received<Bool>()
        weak var query: HKObserverQuery?
        do {
            let executed = Self.observer { received($0 == nil) }
            query = executed
            store?.execute(executed)
        }
        #expect(try await received.next())
        try await store?.save(Q.walk(1, from: 0, to: 1))
        #expect(try await received.next())
        #expect(query != nil)
        store = nil
        try await waitUntil { diagnostics.findings.map(\.rule).contains(.stopQueries) }
        #expect(
            diagnostics.findings.map(\.kind) == [
                .queryLeftRunning(
                    query: "HKObserverQuery", types: [Q.steps.identifier], after: .store)
            ])
        try await waitUntil { [weak query] in query == nil }
    }

    @Test(
        "a query runs while any handle of its store is open; releasing its own handle is a finding")
    func ownerReleased() async throws {
        let store = try await Q.open()
        let received = Received<Bool>()
        let query = Self.observer { received($0 == nil) }
        do {
            let handle = store.withIdentity(store.identity)
            handle.execute(query)
            #expect(try await received.next())
        }
        try await waitUntil {
            store.diagnostics.findings.map(\.kind).contains(
                .queryLeftRunning(
                    query: "HKObserverQuery", types: [Q.steps.identifier], after: .owner))
        }
        try await store.save(Q.walk(1, from: 0, to: 1))
        #expect(try await received.next())
        store.stop(query)
    }

    @Test("a query left running after its handle was released is one finding")
    func ownerReleasedOnce() async throws {
        let store = try await Q.open()
        let received = Received<Bool>()
        let query = Self.observer { received($0 == nil) }
        do {
            let handle = store.withIdentity(store.identity)
            handle.execute(query)
            #expect(try await received.next())
        }
        try await waitUntil { store.diagnostics.findings.count == 1 }
        // One of these handles gets the address of the released one.
        var handles = (0..<1000).map { _ in store.withIdentity(store.identity) }
        handles = []
        #expect(handles.isEmpty)
        try await store.save(Q.walk(1, from: 0, to: 1))
        #expect(try await received.next())
        store.stop(query)
        #expect(store.diagnostics.findings.count == 1)
    }

    @Test("changes during a handler call are combined into one later call")
    func busyHandler() async throws {
        let store = try await Q.open()
        let (calls, semaphore) = (Received<Bool>(), DispatchSemaphore(value: 0))
        let query = Self.observer {
            calls($0 == nil)
            if calls.count == 2 { semaphore.wait() }
        }
        store.execute(query)
        #expect(try await calls.next())
        // It is subscribed after the query, so it is called after it.
        let reported = Locked<Int64>(0)
        let listening = store.connection.feed.subscribe { change in
            reported { $0 = change.sequence }
        }
        for start in 0..<20 {
            try await store.save(Q.walk(1, from: Double(start), to: Double(start)))
            let last = try store.connection.store.lastSequence
            try await waitUntil { reported { $0 } == last }
            if start == 0 { #expect(try await calls.next()) }
        }
        listening.cancel()
        semaphore.signal()
        #expect(try await calls.next())
        try await Task.sleep(for: .milliseconds(200))
        #expect(calls.count == 3)
        store.stop(query)
    }

    @Test("a query that has ended does not retain the store")
    func endedQuery() async throws {
        var store: HKHealthStore? = try await Q.open()
        weak let connection = store?.connection
        let received = Received<Bool>()
        let query = HKSampleQuery(
            sampleType: Q.steps, predicate: nil, limit: 1, sortDescriptors: nil
        ) { received($1 != nil && $2 == nil) }
        store?.execute(query)
        #expect(try await received.next())
        store = nil
        try await waitUntil { [weak connection] in connection == nil }
        withExtendedLifetime(query) {}
    }

    @Test("queries that were executed and stopped are released")
    func leaks() async throws {
        let store = try await Q.open()
        /// A token that exists as long as a query's handler is retained.
        final class Token: Sendable {
            let live: Locked<Int>
            init(_ live: Locked<Int>) {
                self.live = live
                live { $0 += 1 }
            }
            deinit { live { $0 -= 1 } }
        }
        let live = Locked(0)
        for index in 0..<TestTier.count(quick: 1_000, all: 10_000, torture: 10_000) {
            let token = Token(live)
            let query: HKQuery
            switch index % 4 {
            case 0: query = Self.observer { _ in withExtendedLifetime(token) {} }
            case 1:
                let anchored = HKAnchoredObjectQuery(
                    type: Q.steps, predicate: nil, anchor: nil, limit: 1
                ) { _, _, _, _, _ in withExtendedLifetime(token) {} }
                anchored.updateHandler = { query, _, _, _, _ in
                    withExtendedLifetime((token, query)) {}
                }
                query = anchored
            case 2:
                let collection = HKStatisticsCollectionQuery(
                    quantityType: Q.steps, quantitySamplePredicate: nil, options: .cumulativeSum,
                    anchorDate: Q.midnight, intervalComponents: DateComponents(day: 1))
                // The handler captures its own query, as in apps.
                collection.initialResultsHandler = { _, _, _ in
                    withExtendedLifetime((token, collection)) {}
                }
                collection.statisticsUpdateHandler = { _, _, _, _ in }
                query = collection
            default:
                query = HKSampleQuery(
                    sampleType: Q.steps, predicate: nil, limit: 1, sortDescriptors: nil
                ) { _, _, _ in withExtendedLifetime(token) {} }
            }
            store.execute(query)
            store.stop(query)
        }
        #expect(store.longRunningQueries == 0)
        try await waitUntil(within: 60) { live { $0 } == 0 }
        #expect(!store.connection.feed.isActive)
    }

    @Test("§6.9 in a strict store, executing a query twice ends the process")
    func strictTwice() async throws {
        await #expect(processExitsWith: .failure) {
            let store = try await QueriedStore.openStrict()
            let query = HKObserverQuery(sampleType: QueriedStore.steps, predicate: nil) {
                _, completion, _ in completion()
            }
            store.execute(query)
            store.execute(query)
        }
    }

    @Test("with OPENHEALTH_STRICT=1, every store is strict by default")
    func strictEnvironment() async throws {
        await #expect(processExitsWith: .failure) {
            setenv("OPENHEALTH_STRICT", "1", 1)
            let store = HKHealthStore.inMemory(configuration: .withoutSummary)
            try await store.requestAuthorization(toShare: [], read: [QueriedStore.steps])
            _ = try? await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: QueriedStore.steps), options: .discreteAverage
            ).result(for: store)
        }
        #expect(HealthStoreConfiguration().strictness == .lenient)
    }

    @Test("§5.1 in a strict store, unsuitable statistics options end the process")
    func strictOptions() async throws {
        await #expect(processExitsWith: .failure) {
            let store = try await QueriedStore.openStrict()
            _ = try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: QueriedStore.heartRate), options: .cumulativeSum
            ).result(for: store)
        }
    }
}
