// Sums that are fair: discrete means, one source, workouts, durations, counts.
import HealthKit

final class FairSums {
    let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func meanHeartRate(in interval: DateInterval) async throws -> Double? {
        let bpm = HKUnit.count().unitDivided(by: .minute())
        let predicate = HKQuery.predicateForSamples(withStart: interval.start, end: interval.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.heartRate), predicate: predicate)
            ],
            sortDescriptors: []
        ).result(for: store)
        guard !samples.isEmpty else { return nil }
        let sum = samples.reduce(0.0) { $0 + $1.quantity.doubleValue(for: bpm) }
        return sum / Double(samples.count)
    }

    func ownWater(since start: Date, completion: @escaping (Double) -> Void) {
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: start, end: nil),
            HKQuery.predicateForObjects(from: HKSource.default()),
        ])
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.dietaryWater), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            let drunk = (samples as? [HKQuantitySample] ?? []).reduce(0.0) {
                $0 + $1.quantity.doubleValue(for: .liter())
            }
            completion(drunk)
        }
        store.execute(query)
    }

    func workoutTotals(_ workouts: [HKWorkout]) -> (TimeInterval, Double) {
        let time = workouts.reduce(0) { $0 + $1.duration }
        var energy = 0.0
        for workout in workouts {
            let burned = workout.statistics(for: HKQuantityType(.activeEnergyBurned))
            energy += burned?.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
        }
        return (time, energy)
    }

    func asleep(_ nights: [HKCategorySample]) -> TimeInterval {
        nights.map { $0.endDate.timeIntervalSince($0.startDate) }.reduce(0, +)  // finds sleep-sum
    }

    func average(of samples: [HKQuantitySample], in unit: HKUnit) -> Double {
        let total = samples.reduce(0) { $0 + $1.quantity.doubleValue(for: unit) }
        return total / Double(max(samples.count, 1))
    }

    func readings(since start: Date, completion: @escaping (Int) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.stepCount),
            predicate: HKQuery.predicateForSamples(withStart: start, end: nil),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            var seen = 0
            for _ in samples ?? [] { seen += 1 }
            completion(seen)
        }
        store.execute(query)
    }

    func busiest(_ samples: [HKQuantitySample]) -> Double? {
        samples.map { $0.quantity.doubleValue(for: .count()) }.max()
    }
}
