import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("HKSourceQuery")
struct SourceQueryTests {
    private typealias Q = QueriedStore

    @Test(
        "§10.2 a source query returns the sources of matching samples",
        .covers(
            "HKSourceQuery", "HKSourceQuery.init(sampleType:samplePredicate:completionHandler:)",
            "HKSourceQueryDescriptor", "HKSourceQueryDescriptor.init(predicate:)",
            "HKSourceQueryDescriptor.predicate", "HKSourceQueryDescriptor.result(for:)"))
    func sources() async throws {
        let store = try await Q.open()
        let watch = try await Q.other(store, "com.example.watch")
        let scale = try await Q.other(store, "com.example.scale")
        try await store.save(Q.walk(1, from: 0, to: 1))
        try await watch.save(Q.walk(2, from: 100, to: 101))
        try await scale.save(Q.beat(60, at: 0))
        let received = Received<Set<String>>()
        func runQuery(_ predicate: NSPredicate?) {
            store.execute(
                HKSourceQuery(sampleType: Q.steps, samplePredicate: predicate) {
                    _, sources, _ in
                    received(Set((sources ?? []).map(\.bundleIdentifier)))
                })
        }
        runQuery(nil)
        #expect(try await received.next() == ["com.example.diary", "com.example.watch"])
        let late = HKQuery.predicateForSamples(withStart: Q.minute(50), end: nil)
        runQuery(late)
        #expect(try await received.next() == ["com.example.watch"])
        var descriptor = HKSourceQueryDescriptor(predicate: .quantitySample(type: Q.steps))
        let sources = try await descriptor.result(for: store)
        #expect(sources.map(\.bundleIdentifier) == ["com.example.diary", "com.example.watch"])
        #expect(sources.map(\.name) == ["Diary", "com.example.watch"])
        descriptor.predicate = .quantitySample(type: Q.steps, predicate: late)
        #expect(
            try await descriptor.result(for: store).map(\.bundleIdentifier)
                == ["com.example.watch"])
        descriptor.predicate = .quantitySample(type: Q.heartRate)
        #expect(
            try await descriptor.result(for: store).map(\.bundleIdentifier)
                == ["com.example.scale"])
    }

    @Test("§8.6 a type that was never requested is an error")
    func neverRequested() async throws {
        let received = Received<HKError.Code?>()
        let store = HKHealthStore.inMemory(configuration: .withoutSummary)
        store.execute(
            HKSourceQuery(sampleType: Q.steps, samplePredicate: nil) {
                received($1 == nil ? ($2 as? HKError)?.code : nil)
            })
        #expect(try await received.next() == .errorAuthorizationNotDetermined)
    }
}
