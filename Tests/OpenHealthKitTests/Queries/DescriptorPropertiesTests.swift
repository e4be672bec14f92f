import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// The properties of descriptors, changed one by one after creation, and code that is generic over
/// their protocols.
@Suite("Properties of query descriptors")
struct DescriptorPropertiesTests {
    private typealias Q = QueriedStore

    @Test(
        "§6.4 an anchored descriptor's predicates, anchor and limit apply to its next execution",
        .covers(
            "HKAnchoredObjectQueryDescriptor.predicates", "HKAnchoredObjectQueryDescriptor.anchor",
            "HKAnchoredObjectQueryDescriptor.limit"))
    func anchored() async throws {
        let store = try await Q.open()
        let walk = Q.walk(1, from: 0, to: 1)
        try await store.save([walk, Q.walk(2, from: 5, to: 6), Q.walk(3, from: 9, to: 10)])
        try await store.save(Q.beat(60, at: 0))
        var descriptor = HKAnchoredObjectQueryDescriptor<HKQuantitySample>(
            predicates: [.quantitySample(type: Q.steps)], anchor: nil)
        #expect(descriptor.anchor == nil && descriptor.limit == nil)
        #expect(descriptor.predicates == [.quantitySample(type: Q.steps)])
        descriptor.limit = 2
        let first = try await descriptor.result(for: store)
        #expect(first.addedSamples.map(\.steps) == [1, 2])
        descriptor.anchor = first.newAnchor
        #expect(try await descriptor.result(for: store).addedSamples.map(\.steps) == [3])
        descriptor.anchor = nil
        descriptor.limit = nil
        descriptor.predicates = [
            .quantitySample(type: Q.heartRate),
            .quantitySample(
                type: Q.steps,
                predicate: HKQuery.predicateForSamples(withStart: Q.minute(8), end: nil)),
        ]
        let both = try await descriptor.result(for: store)
        #expect(both.addedSamples.map(\.quantityType) == [Q.steps, Q.heartRate])
        #expect(both.deletedObjects.isEmpty)
        try await store.delete(walk)
        descriptor.predicates = [.quantitySample(type: Q.steps)]
        descriptor.anchor = first.newAnchor
        let deleted = try await descriptor.result(for: store)
        #expect(deleted.deletedObjects.map(\.uuid) == [walk.uuid])
        #expect(deleted.newAnchor != first.newAnchor)
    }

    @Test(
        "§5.10 a collection descriptor's properties apply to its next execution",
        .covers(
            "HKStatisticsCollectionQueryDescriptor.predicate",
            "HKStatisticsCollectionQueryDescriptor.options",
            "HKStatisticsCollectionQueryDescriptor.anchorDate",
            "HKStatisticsCollectionQueryDescriptor.intervalComponents"))
    func collections() async throws {
        let store = try await Q.open()
        try await store.save([Q.walk(10, from: 0, to: 1), Q.walk(5, from: 70, to: 71)])
        try await store.save([Q.beat(60, at: 0), Q.beat(80, at: 1)])
        var descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: Q.steps), options: .cumulativeSum,
            anchorDate: Q.midnight, intervalComponents: DateComponents(hour: 1))
        #expect(descriptor.predicate == .quantitySample(type: Q.steps))
        #expect(descriptor.options == .cumulativeSum && descriptor.anchorDate == Q.midnight)
        #expect(descriptor.intervalComponents == DateComponents(hour: 1))
        func sums() async throws -> [Date: Double] {
            try await descriptor.result(for: store).statistics().reduce(into: [:]) {
                $0[$1.startDate] = $1.sumQuantity()?.doubleValue(for: .count())
            }
        }
        #expect(try await sums() == [Q.minute(0): 10, Q.minute(60): 5])
        descriptor.anchorDate = Q.minute(-30)
        #expect(try await sums() == [Q.minute(-30): 10, Q.minute(30): 5])
        descriptor.intervalComponents = DateComponents(hour: 2)
        #expect(try await sums() == [Q.minute(-30): 15])
        descriptor.predicate = .quantitySample(type: Q.heartRate)
        descriptor.options = .discreteMax
        let rates = try await descriptor.result(for: store).statistics()
        #expect(rates.map { $0.maximumQuantity()?.doubleValue(for: Q.perMinute) } == [80])
        #expect(rates.map { $0.sumQuantity() } == [nil])
    }

    private func output<Query: HKAsyncQuery>(
        _ query: Query, _ store: HKHealthStore
    ) async throws -> Query.Output {
        try await query.result(for: store)
    }

    private func first<Query: HKAsyncSequenceQuery>(
        _ query: Query, _ store: HKHealthStore
    ) async throws -> Query.Sequence.Element? {
        for try await element in query.results(for: store) { return element }
        return nil
    }

    @Test(
        "§6.10 descriptors can be executed by code that knows only their protocols",
        .covers("HKAsyncQuery", "HKAsyncSequenceQuery"))
    func protocols() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(7, from: 0, to: 1))
        let steps = HKSamplePredicate<HKQuantitySample>.quantitySample(type: Q.steps)
        let samples = try await output(
            HKSampleQueryDescriptor(predicates: [steps], sortDescriptors: []), store)
        #expect(samples.map(\.steps) == [7])
        let sum = try await output(
            HKStatisticsQueryDescriptor(predicate: steps, options: .cumulativeSum), store)
        #expect(sum?.sumQuantity()?.doubleValue(for: .count()) == 7)
        let sources = try await output(HKSourceQueryDescriptor(predicate: steps), store)
        #expect(sources.map(\.bundleIdentifier) == ["com.example.diary"])
        let page = try await first(
            HKAnchoredObjectQueryDescriptor(predicates: [steps], anchor: nil), store)
        #expect(page?.addedSamples == samples)
        let quantity = try await first(
            HKQuantitySeriesSampleQueryDescriptor(predicate: steps), store)
        #expect(quantity?.quantity.doubleValue(for: .count()) == 7)
    }
}
