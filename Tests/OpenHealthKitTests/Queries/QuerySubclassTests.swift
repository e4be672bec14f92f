import Foundation
import HealthTesting
import OpenHealthKit
import Testing

// Each class overrides every member that Apple's class leaves open. Overrides are visible to the
// app and don't change results.

// Adds no state.
private final class OverridingSampleQuery: HKSampleQuery, @unchecked Sendable {
    override var objectType: HKObjectType? { nil }
    override var sampleType: HKSampleType? { nil }
    override var predicate: NSPredicate? { NSPredicate { _, _ in false } }
    override var limit: Int { -7 }
    override var sortDescriptors: [NSSortDescriptor]? { [] }
}

// Adds no state.
private final class OverridingAnchoredQuery: HKAnchoredObjectQuery, @unchecked Sendable {
    override var updateHandler:
        (
            @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
        )?
    {
        get { nil }
        set { super.updateHandler = newValue }
    }
}

// Adds no state.
private final class OverridingCollectionQuery: HKStatisticsCollectionQuery, @unchecked Sendable {
    override var anchorDate: Date { .distantPast }
    override var options: HKStatisticsOptions { .discreteMax }
    override var intervalComponents: DateComponents { DateComponents() }
    override var initialResultsHandler:
        (@Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void)?
    {
        get { nil }
        set { super.initialResultsHandler = newValue }
    }
    override var statisticsUpdateHandler:
        (
            @Sendable (
                HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
            ) -> Void
        )?
    {
        get { nil }
        set { super.statisticsUpdateHandler = newValue }
    }
}

// Adds no state.
private final class OverridingCorrelationQuery: HKCorrelationQuery, @unchecked Sendable {
    override var correlationType: HKCorrelationType { HKCorrelationType(.food) }
    override var samplePredicates: [HKSampleType: NSPredicate]? { nil }
}

// Adds no state.
private final class OverridingDescriptor: HKQueryDescriptor, @unchecked Sendable {
    override var sampleType: HKSampleType { QueriedStore.steps }
    override var predicate: NSPredicate? { nil }
}

// Adds no state.
private final class OverridingAnchor: HKQueryAnchor, @unchecked Sendable {
    override var description: String { "odd" }
}

// Adds no state.
private final class OverridingSeriesQuery: HKQuantitySeriesSampleQuery, @unchecked Sendable {
    override var predicate: NSPredicate? { NSPredicate(value: false) }
}

// Adds no state.
private final class OverridingSummaryQuery: HKActivitySummaryQuery, @unchecked Sendable {
    override var predicate: NSPredicate? { NSPredicate { _, _ in false } }
}

// Adds no state.
private final class OverridingEffortQuery: HKWorkoutEffortRelationshipQuery, @unchecked Sendable {
    override var predicate: NSPredicate? { NSPredicate { _, _ in false } }
}

@Suite("Subclasses of queries")
struct QuerySubclassTests {
    private typealias Q = QueriedStore

    @Test("a subclass of a sample query can override its properties", .covers("HKSampleQuery"))
    func sampleQuery() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(3, from: 0, to: 1))
        let received = Received<[Double]>()
        let query = OverridingSampleQuery(
            sampleType: Q.steps, predicate: nil, limit: 5, sortDescriptors: nil
        ) { _, samples, _ in received((samples ?? []).compactMap(\.steps)) }
        store.execute(query)
        #expect(try await received.next() == [3])
        #expect(query.limit == -7)
    }

    @Test(
        "a subclass of an anchored query can override its properties",
        .covers("HKAnchoredObjectQuery"))
    func anchoredQuery() async throws {
        let store = try await Q.open()
        let received = Received<Int>()
        let query = OverridingAnchoredQuery(
            type: Q.steps, predicate: nil, anchor: OverridingAnchor(fromValue: 0), limit: 0
        ) { _, samples, _, _, _ in received(samples?.count ?? -1) }
        query.updateHandler = { _, samples, _, _, _ in received(samples?.count ?? -1) }
        store.execute(query)
        #expect(try await received.next() == 0)
        try await store.save(Q.walk(3, from: 0, to: 1))
        #expect(try await received.next() == 1)
        store.stop(query)
    }

    @Test(
        "a subclass of a collection query can override its properties",
        .covers("HKStatisticsCollectionQuery"))
    func collectionQuery() async throws {
        let store = try await Q.open()
        try await store.save(Q.walk(3, from: 0, to: 1))
        let received = Received<Int>()
        let query = OverridingCollectionQuery(
            quantityType: Q.steps, quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: Q.midnight, intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in
            received(collection?.statistics().count ?? -1)
        }
        store.execute(query)
        #expect(try await received.next() == 1)
    }

    @Test(
        "a subclass of a correlation query can override its properties",
        .covers("HKCorrelationQuery"))
    func correlationQuery() async throws {
        let store = try await Q.open()
        try await store.save(Q.pressure(120, over: 80, at: 0))
        let received = Received<Int>()
        store.execute(
            OverridingCorrelationQuery(
                type: Q.bloodPressure, predicate: nil,
                samplePredicates: [Q.systolic: NSPredicate(value: false)]
            ) { _, found, _ in received(found?.count ?? -1) })
        #expect(try await received.next() == 0)
    }

    @Test("series, summary and effort queries use the parameters of their initializers")
    func otherPredicates() async throws {
        let store = try await Q.open()
        try await store.requestAuthorization(
            toShare: [],
            read: [
                .activitySummaryType(), HKQuantityType(.workoutEffortScore),
                HKQuantityType(.estimatedWorkoutEffortScore),
            ])
        try await store.save(Q.walk(3, from: 0, to: 1))
        let received = Received<Bool>()
        store.execute(
            OverridingSeriesQuery(quantityType: Q.steps, predicate: nil) {
                _, quantity, _, _, _, _ in received(quantity != nil)
            })
        #expect(try await received.next())
        // A store refuses block predicates.
        store.execute(OverridingSummaryQuery(predicate: nil) { received($2 == nil && $1 != nil) })
        #expect(try await received.next())
        store.execute(
            OverridingEffortQuery(predicate: nil, anchor: nil, options: []) {
                received($3 == nil && $2 != nil && $1 != nil)
            })
        #expect(try await received.next())
    }

    @Test(
        "a descriptor subclass that overrides its properties can be queried",
        .covers("HKQueryDescriptor"))
    func descriptor() {
        let overriding = OverridingDescriptor(
            sampleType: Q.heartRate, predicate: NSPredicate(value: false))
        #expect(overriding.sampleType == Q.steps && overriding.predicate == nil)
    }
}
