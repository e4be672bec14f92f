// More types asked for than read.
import HealthKit

final class Vitals {
    let store: HKHealthStore
    private let steps = HKQuantityType(.stepCount)
    private let height = HKQuantityType(.height)

    init(store: HKHealthStore) { self.store = store }

    func authorize() async throws {
        let read: Set<HKObjectType> = [
            steps,
            height,  // finds types-never-used
            HKQuantityType(.heartRate),
            HKQuantityType(.oxygenSaturation),
            HKCharacteristicType(.dateOfBirth),
        ]
        try await store.requestAuthorization(toShare: [], read: read)
    }

    func count(since start: Date) async throws -> Double {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let result = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps, predicate: range), options: .cumulativeSum
        ).result(for: store)
        return result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
    }

    func pulse(since start: Date) async throws -> Double? {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let result = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: range),
            options: .discreteAverage
        ).result(for: store)
        return result?.averageQuantity()?.doubleValue(for: HKUnit(from: "count/min"))
    }
}
