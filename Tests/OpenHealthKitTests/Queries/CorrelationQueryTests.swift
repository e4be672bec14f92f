import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("HKCorrelationQuery")
struct CorrelationQueryTests {
    private typealias Q = QueriedStore

    private func correlations(
        _ store: HKHealthStore, _ predicate: NSPredicate? = nil,
        _ members: [HKSampleType: NSPredicate]? = nil
    ) async throws -> [HKCorrelation] {
        let received = Received<Result<[HKCorrelation], any Error>>()
        store.execute(
            HKCorrelationQuery(
                type: Q.bloodPressure, predicate: predicate, samplePredicates: members
            ) { received(.init($1, $2)) })
        return try await received.next().get()
    }

    @Test(
        "§10.3 correlations match by their own attributes and by those of their members",
        .covers(
            "HKCorrelationQuery",
            "HKCorrelationQuery.init(type:predicate:samplePredicates:completion:)"))
    func members() async throws {
        let store = try await Q.open()
        try await store.save([
            Q.pressure(120, over: 80, at: 0), Q.pressure(150, over: 85, at: 10),
            Q.pressure(155, over: 95, at: 20),
        ])
        #expect(try await correlations(store).map(\.startDate) == [0, 10, 20].map(Q.minute))
        let high = HKQuery.predicateForQuantitySamples(
            with: .greaterThan,
            quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 140))
        let both = HKQuery.predicateForQuantitySamples(
            with: .greaterThan,
            quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 90))
        #expect(
            try await correlations(store, nil, [Q.systolic: high]).map(\.startDate)
                == [10, 20].map(Q.minute))
        #expect(
            try await correlations(store, nil, [Q.systolic: high, Q.diastolic: both])
                .map(\.startDate) == [Q.minute(20)])
        let early = HKQuery.predicateForSamples(withStart: nil, end: Q.minute(15))
        let found = try await correlations(store, early, [Q.systolic: high])
        #expect(found.map(\.startDate) == [Q.minute(10)])
        #expect(found.first?.objects(for: Q.diastolic).count == 1)
    }

    @Test("§10.3 members are returned once by queries of their own type")
    func ordinaryQueries() async throws {
        let store = try await Q.open()
        try await store.save(Q.pressure(120, over: 80, at: 0))
        #expect(try await store.querySamples(Q.systolic, limit: 9).count == 1)
        let sum = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: Q.systolic), options: .discreteAverage
        ).result(for: store)
        #expect(sum?.averageQuantity()?.doubleValue(for: .millimeterOfMercury()) == 120)
    }

    @Test("§8.10 another app's correlation is visible only if all member types are readable")
    func visibility() async throws {
        let store = try await Q.open()
        try await store.save(Q.pressure(120, over: 80, at: 0))
        let reader = store.withIdentity(AppIdentity("com.example.reader"))
        try reader.setAuthorization(.readOnly, for: [Q.systolic, Q.diastolic])
        #expect(try await correlations(reader).count == 1)
        try reader.setAuthorization(.denied, for: [Q.diastolic])
        #expect(try await correlations(reader).isEmpty)
    }

    @Test("§2.9 a block as a member's predicate is an invalid argument")
    func blockPredicate() async throws {
        let store = try await Q.open()
        let found = await code {
            _ = try await correlations(store, nil, [Q.systolic: NSPredicate { _, _ in true }])
        }
        #expect(found == .errorInvalidArgument)
    }

    @Test(
        "the parameters of a query can be read from its properties",
        .covers("HKCorrelationQuery.correlationType", "HKCorrelationQuery.samplePredicates"))
    func properties() {
        let always = NSPredicate(value: true)
        let query = HKCorrelationQuery(
            type: Q.bloodPressure, predicate: nil, samplePredicates: [Q.systolic: always]
        ) { _, _, _ in }
        #expect(query.correlationType == Q.bloodPressure)
        #expect(query.samplePredicates?[Q.systolic] === always)
    }
}
