import Foundation
import HealthEngine
import HealthKit
import HealthSimulator
import HealthStorage
import HealthTesting
import Testing

/// The snippets of the article "The store's file".
@Suite struct StoreFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/health.sqlite" }
    private let start = Date(timeIntervalSinceReferenceDate: 796_899_600)

    init() throws { folder = try TemporaryFolder() }

    /// Writes a walk that a Watch and an iPhone recorded.
    private func writeWalk() async throws {
        let store = try HKHealthStore(path: path)
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Watch"))
        let phone = script.add(.phone(named: "iPhone"))
        script.measure(
            .quantity(.stepCount, 842, unit: .count()), from: start, for: 600, on: watch)
        script.measure(
            .quantity(.stepCount, 300, unit: .count()), from: start.addingTimeInterval(300),
            for: 600, on: phone)
        try await DevicePlayback(script, store: store).run(until: start.addingTimeInterval(3600))
    }

    @Test("a file lists its types and sources, and passes its check")
    func reading() async throws {
        try await writeWalk()
        let store = try SampleStore(at: path, access: .reading)
        let types = try store.types()
        #expect(types.map(\.type.name) == ["stepCount"])
        #expect(types.map(\.samples) == [2])

        let steps = try store.type(named: "stepCount")
        #expect(try store.sources(of: steps).map(\.name) == ["Watch", "iPhone"])
        #expect(try store.check().isEmpty)
    }

    @Test("a changed source order changes the totals of all programs")
    func order() async throws {
        try await writeWalk()
        let store = try SampleStore(at: path, access: .writing)
        let steps = try store.type(named: "stepCount")
        try store.setOrder(of: steps, to: ["iPhone"])
        #expect(try store.sources(of: steps).map(\.name) == ["iPhone", "Watch"])
        #expect(try await counted() == 721)
        try store.resetSources(of: steps)
        #expect(try await counted() == 992)
    }

    private func counted() async throws -> Double? {
        let store = try HKHealthStore(path: path, identity: AppIdentity("com.example.diary"))
        let steps = HKQuantityType(.stepCount)
        try await store.requestAuthorization(toShare: [], read: [steps])
        return try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum
        ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }

    @Test("saves and deletions have sequence numbers, from which a program reads changes")
    func sequence() async throws {
        try await writeWalk()
        let store = try SampleStore(at: path, access: .reading)
        let last = try store.lastSequence
        #expect(try store.changedTypes(after: last).types.isEmpty)
        #expect(try store.changedTypes(after: 0).sequence == last)
    }
}
