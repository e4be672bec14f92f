import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("HKObserverQuery")
struct ObserverQueryTests {
    private typealias Q = QueriedStore

    @Test(
        "§7.1, §7.2 the handler is called once after execution, then for each save and deletion",
        .covers(
            "HKObserverQuery", "HKObserverQuery.init(sampleType:predicate:updateHandler:)",
            "HKObserverQueryCompletionHandler"))
    func savesAndDeletions() async throws {
        let store = try await Q.open()
        let received = Received<HKError.Code?>()
        let query = HKObserverQuery(sampleType: Q.steps, predicate: nil) { _, completion, error in
            received((error as? HKError)?.code)
            completion()
        }
        store.execute(query)
        #expect(try await received.next() == nil)
        let walk = Q.walk(1, from: 0, to: 1)
        try await store.save(walk)
        #expect(try await received.next() == nil)
        try await store.delete(walk)
        #expect(try await received.next() == nil)
        #expect(received.count == 3)
        store.stop(query)
    }

    @Test("§7.1 saves of other types, and those that do not match the predicate, are not reported")
    func otherTypes() async throws {
        let store = try await Q.open()
        let received = Received<Bool>()
        let predicate = HKQuery.predicateForSamples(withStart: Q.minute(50), end: nil)
        let query = HKObserverQuery(sampleType: Q.steps, predicate: predicate) {
            received($2 == nil)
            $1()
        }
        store.execute(query)
        #expect(try await received.next())
        let early = Q.walk(1, from: 0, to: 1)
        try await store.save(early)
        try await store.save(Q.beat(60, at: 60))
        try await store.delete(early)
        // An unexpected call would arrive before the expected ones.
        let all = Received<Bool>()
        let control = HKObserverQuery(sampleType: Q.steps, predicate: nil) {
            all($2 == nil)
            $1()
        }
        store.execute(control)
        _ = try await all.next()
        try await store.save(Q.walk(2, from: 60, to: 61))
        _ = try await all.next()
        #expect(try await received.next())
        #expect(received.count == 2)
        store.stop(query)
        store.stop(control)
    }

    @Test(
        "§7.1 with descriptors, the handler receives the changed types",
        .covers("HKObserverQuery.init(queryDescriptors:updateHandler:)"))
    func changedTypes() async throws {
        let store = try await Q.open()
        let received = Received<Set<HKSampleType>?>()
        let query = HKObserverQuery(
            queryDescriptors: [Q.steps, Q.heartRate].map {
                HKQueryDescriptor(sampleType: $0, predicate: nil)
            }
        ) { _, types, completion, _ in
            received(types)
            completion()
        }
        store.execute(query)
        #expect(try await received.next() == [Q.steps, Q.heartRate])
        try await store.save(Q.beat(60, at: 0))
        #expect(try await received.next() == [Q.heartRate])
        try await store.save([Q.beat(61, at: 1), Q.walk(1, from: 0, to: 1)])
        #expect(try await received.next() == [Q.steps, Q.heartRate])
        store.stop(query)
    }

    @Test("§8.3 samples that an app can't read do not call its observer; its own saves do")
    func deniedReading() async throws {
        let store = try await Q.open()
        let denied = store.withIdentity(AppIdentity("com.example.denied"))
        try denied.setAuthorization(.shareOnly, for: [Q.steps])
        let received = Received<Bool>()
        let query = HKObserverQuery(sampleType: Q.steps, predicate: nil) {
            received($2 == nil)
            $1()
        }
        denied.execute(query)
        #expect(try await received.next())
        try await store.save(Q.walk(1, from: 0, to: 1))
        try await denied.save(Q.walk(2, from: 2, to: 3))
        #expect(try await received.next())
        #expect(received.count == 2)
        denied.stop(query)
    }

    @Test("§8.6 observing a type that was never requested reports an error")
    func neverRequested() async throws {
        let store = HKHealthStore.inMemory(configuration: .withoutSummary)
        let received = Received<HKError.Code?>()
        store.execute(
            HKObserverQuery(sampleType: Q.steps, predicate: nil) {
                received(($2 as? HKError)?.code)
                $1()
            })
        #expect(try await received.next() == .errorAuthorizationNotDetermined)
    }

    @Test("§8.7 saves while the device is locked are reported at the unlock")
    func locked() async throws {
        let store = try await Q.open()
        let received = Received<Bool>()
        let query = HKObserverQuery(sampleType: Q.steps, predicate: nil) {
            received($2 == nil)
            $1()
        }
        store.execute(query)
        #expect(try await received.next())
        store.protectedData.lock()
        try await store.save(Q.walk(1, from: 0, to: 1))
        #expect(received.count == 1)
        store.protectedData.unlock()
        #expect(try await received.next())
        store.stop(query)
    }

    @Test("§8.7 a save just before the lock is reported, at the latest at the unlock")
    func lockedAtOnce() async throws {
        for _ in 0..<20 {
            let store = try await Q.open()
            let received = Received<Bool>()
            let predicate = HKQuery.predicateForSamples(withStart: Q.midnight, end: nil)
            let query = HKObserverQuery(sampleType: Q.steps, predicate: predicate) {
                received($2 == nil)
                $1()
            }
            store.execute(query)
            #expect(try await received.next())
            try await store.save(Q.walk(1, from: 0, to: 1))
            store.protectedData.lock()
            store.protectedData.unlock()
            #expect(try await received.next())
            store.stop(query)
        }
    }

    @Test("§7.5 a completion handler released without a call is a finding")
    func completionDropped() async throws {
        let store = try await Q.open()
        let received = Received<Bool>()
        let query = HKObserverQuery(sampleType: Q.steps, predicate: nil) { _, _, _ in
            received(true)
        }
        store.execute(query)
        #expect(try await received.next())
        try await waitUntil {
            store.diagnostics.findings.map(\.kind)
                == [.completionNotCalled(types: [Q.steps.identifier])]
        }
        store.stop(query)
    }

    @Test("§7.1 a save by another process is reported", .covers("HKObserverQuery"))
    func otherConnection() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("observer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("health.store").path
        let store = try HKHealthStore(path: path, identity: AppIdentity("com.example.diary"))
        try await store.requestAuthorization(toShare: Q.all, read: Q.all)
        let received = Received<Bool>()
        let query = HKObserverQuery(sampleType: Q.steps, predicate: nil) {
            received($2 == nil)
            $1()
        }
        store.execute(query)
        #expect(try await received.next())
        try OtherConnection.save(Q.walk(7, from: 0, to: 1), in: path)
        #expect(try await received.next())
        #expect(try await store.querySamples(Q.steps, limit: 10).map(\.steps) == [7])
        store.stop(query)
    }
}
