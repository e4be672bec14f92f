// A type that another function of the target gives to the query.
import HealthKit

final class Panel {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func authorize() async throws {
        try await store.requestAuthorization(
            toShare: [], read: [HKQuantityType(.heartRate), HKQuantityType(.respiratoryRate)])
    }

    private func average(_ id: HKQuantityTypeIdentifier, since start: Date) async throws -> Double? {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let result = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(id), predicate: range),
            options: .discreteAverage
        ).result(for: store)
        return result?.averageQuantity()?.doubleValue(for: HKUnit(from: "count/min"))
    }

    func show(since start: Date) async throws -> [Double?] {
        [
            try await average(.heartRate, since: start),
            try await average(.respiratoryRate, since: start),
        ]
    }
}
