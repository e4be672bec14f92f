import Foundation
import HealthDashboard
import HealthKit
import HealthSimulator
import Testing

/// The snippets of the article "How samples are merged".
@Suite struct HowSamplesAreMergedTests {
    let steps = HKQuantityType(.stepCount)
    let store = HKHealthStore.inMemory()
    let start = Date(timeIntervalSinceReferenceDate: 796_899_900)

    @Test("a total has no duplicates of two sources")
    func total() async throws {
        var script = DeviceScript()
        let watch = script.add(.watch(named: "Watch"))
        let phone = script.add(.phone(named: "iPhone"))
        script.measure(
            .quantity(.stepCount, 842, unit: .count()), from: start, for: 600, on: watch)
        script.measure(
            .quantity(.stepCount, 300, unit: .count()), from: start.addingTimeInterval(300),
            for: 600, on: phone)
        try await DevicePlayback(script, store: store).run(until: start.addingTimeInterval(3600))

        try await store.requestAuthorization(toShare: [], read: [steps])
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: [.cumulativeSum, .separateBySource]
        ).result(for: store)
        #expect(statistics?.sumQuantity()?.doubleValue(for: .count()) == 992)

        var bySource: [String: Double] = [:]
        for source in statistics?.sources ?? [] {
            bySource[source.name] = statistics?.sumQuantity(for: source)?.doubleValue(for: .count())
        }
        #expect(bySource == ["Watch": 842, "iPhone": 300])

        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)], sortDescriptors: [], limit: 100
        ).result(for: store)
        let total = try #require(try samples.timeline().total())
        #expect(total.sum.doubleValue(for: .count()) == 992)
        #expect(total.naiveSum.doubleValue(for: .count()) == 1142)
        #expect(total.shares.map(\.source.name) == ["Watch", "iPhone"])
        #expect(total.shares.map { $0.contributed.doubleValue(for: .count()) } == [842, 150])
    }

    @Test("a sample that crosses a bucket boundary is divided by time")
    func buckets() async throws {
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        let hour = Date(timeIntervalSinceReferenceDate: 796_899_600)
        let walk = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 300),
            start: hour.addingTimeInterval(57 * 60), end: hour.addingTimeInterval(62 * 60))
        try await store.save(walk)

        let hours = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: hour,
            intervalComponents: DateComponents(hour: 1)
        ).result(for: store)
        let sums = hours.statistics().map { $0.sumQuantity()?.doubleValue(for: .count()) }
        #expect(sums == [180, 120])
    }
}
