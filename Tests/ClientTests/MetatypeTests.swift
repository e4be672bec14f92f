import Foundation
import OpenHealthKit
import Testing

/// Client code that creates HealthKit objects through metatypes, as dependency containers do.
@Suite struct MetatypeTests {
    private let steps = HKQuantityType(.stepCount)

    @Test("a query can be created through its metatype")
    func queries() {
        let anchored: HKAnchoredObjectQuery.Type = HKAnchoredObjectQuery.self
        let sample: HKSampleQuery.Type = HKSampleQuery.self
        let observer: HKObserverQuery.Type = HKObserverQuery.self
        let statistics: HKStatisticsQuery.Type = HKStatisticsQuery.self
        let collection: HKStatisticsCollectionQuery.Type = HKStatisticsCollectionQuery.self
        let sources: HKSourceQuery.Type = HKSourceQuery.self
        let correlation: HKCorrelationQuery.Type = HKCorrelationQuery.self
        let summary: HKActivitySummaryQuery.Type = HKActivitySummaryQuery.self
        let made: [HKQuery] = [
            anchored.init(type: steps, predicate: nil, anchor: nil, limit: 1) { _, _, _, _, _ in },
            anchored.init(queryDescriptors: [], anchor: nil, limit: 1) { _, _, _, _, _ in },
            sample.init(sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil) {
                _, _, _ in
            },
            sample.init(queryDescriptors: [], limit: 1) { _, _, _ in },
            observer.init(sampleType: steps, predicate: nil) { _, _, _ in },
            observer.init(queryDescriptors: []) { _, _, _, _ in },
            statistics.init(quantityType: steps, quantitySamplePredicate: nil) { _, _, _ in },
            collection.init(
                quantityType: steps, quantitySamplePredicate: nil, anchorDate: .distantPast,
                intervalComponents: DateComponents(day: 1)),
            sources.init(sampleType: steps, samplePredicate: nil) { _, _, _ in },
            correlation.init(
                type: HKCorrelationType(.food), predicate: nil, samplePredicates: nil
            ) { _, _, _ in },
            summary.init(predicate: nil) { _, _, _ in },
        ]
        let types: [HKQuery.Type] = [
            anchored, anchored, sample, sample, observer, observer, statistics, collection,
            sources, correlation, summary,
        ]
        for (query, type) in zip(made, types) { #expect(Swift.type(of: query) == type) }
    }

    @Test("a subclass without additions can be created through its metatype")
    func subclass() {
        // It adds no state to its superclass, which is Sendable.
        final class OwnQuery: HKSampleQuery, @unchecked Sendable {}
        let type: HKSampleQuery.Type = OwnQuery.self
        let query = type.init(
            sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil
        ) { _, _, _ in }
        #expect(query is OwnQuery)
    }

    @Test("samples, quantities, units and anchors can be created through their metatypes")
    func objects() {
        let unit: HKUnit.Type = HKUnit.self
        let quantity: HKQuantity.Type = HKQuantity.self
        let sample: HKQuantitySample.Type = HKQuantitySample.self
        let category: HKCategorySample.Type = HKCategorySample.self
        let anchor: HKQueryAnchor.Type = HKQueryAnchor.self
        let five = quantity.init(unit: unit.init(from: "count"), doubleValue: 5)
        let now = Date(timeIntervalSinceReferenceDate: 0)
        let walk = sample.init(type: steps, quantity: five, start: now, end: now)
        #expect(walk.quantity == five)
        #expect(walk is HKCumulativeQuantitySample)
        let acne = category.init(type: HKCategoryType(.acne), value: 1, start: now, end: now)
        #expect(acne.value == 1)
        #expect(anchor.init(fromValue: 0) == HKQueryAnchor(fromValue: 0))
    }

    @Test("medication predicates by concept exist, and queries with them are rejected")
    func medications() async throws {
        let byOne = HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifier:)
        let bySeveral = HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifiers:)
        _ = byOne
        let store = HKHealthStore.inMemory()
        try await store.requestAuthorization(toShare: [], read: [steps])
        let query = HKSampleQueryDescriptor(
            predicates: [.sample(type: steps, predicate: bySeveral([]))], sortDescriptors: [])
        await #expect(throws: HKError.self) { try await query.result(for: store) }
    }
}
