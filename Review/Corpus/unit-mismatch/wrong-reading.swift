// Quantities read in a unit their type can never have.
import HealthKit

final class ReadingFormatter {
    let store: HKHealthStore
    private let heartRateType = HKQuantityType(.heartRate)

    init(store: HKHealthStore) {
        self.store = store
    }

    func latestHeartRate(completion: @escaping (Double?) -> Void) {
        let query = HKSampleQuery(
            sampleType: heartRateType, predicate: nil, limit: 1, sortDescriptors: nil  // finds newest-sample
        ) { _, samples, _ in
            let sample = samples?.first as? HKQuantitySample
            completion(sample?.quantity.doubleValue(for: .count()))  // finds unit-mismatch
        }
        store.execute(query)
    }

    func steps(since start: Date, completion: @escaping (Double) -> Void) {
        let query = HKStatisticsQuery(
            quantityType: HKQuantityType(.stepCount),
            quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            options: .cumulativeSum
        ) { _, statistics, _ in
            let unit = HKUnit.meter()
            completion(statistics?.sumQuantity()?.doubleValue(for: unit) ?? 0)  // finds unit-mismatch
        }
        store.execute(query)
    }

    func energy(on day: DateInterval) async throws -> Double? {
        let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.activeEnergyBurned), predicate: predicate),
            options: .cumulativeSum)
        let statistics = try await descriptor.result(for: store)
        return statistics?.sumQuantity()?.doubleValue(for: HKUnit.gram())  // finds unit-mismatch
    }

    func glucose(since start: Date) async throws -> [Double] {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.bloodGlucose),
                    predicate: HKQuery.predicateForSamples(withStart: start, end: nil))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        return samples.map {
            $0.quantity.doubleValue(for: .gramUnit(with: .milli))  // finds unit-mismatch
        }
    }

    func walked(_ workout: HKWorkout) -> Double {
        let distance = workout.statistics(for: HKQuantityType(.distanceWalkingRunning))
        return distance?.sumQuantity()?.doubleValue(for: .count()) ?? 0  // finds unit-mismatch
    }
}
