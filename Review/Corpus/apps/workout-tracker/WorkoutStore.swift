// Saves and loads workouts.
import CoreLocation
import HealthKit

struct WorkoutInterval {
    var start: Date
    var end: Date

    var duration: TimeInterval { end.timeIntervalSince(start) }
    var energyBurned: Double { 450 * duration / 3600 }
}

struct TrackedWorkout {
    var intervals: [WorkoutInterval]
    var activity: HKWorkoutActivityType

    var start: Date? { intervals.first?.start }
    var end: Date? { intervals.last?.end }
    var totalEnergyBurned: Double { intervals.reduce(0) { $0 + $1.energyBurned } }
}

enum WorkoutStore {
    private static var store: HKHealthStore { HealthKitSetup.store }

    static func save(_ workout: TrackedWorkout, completion: @escaping (Bool, Error?) -> Void) {
        guard let start = workout.start, let end = workout.end else {
            completion(false, nil)
            return
        }
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = workout.activity
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: configuration, device: .local())
        builder.beginCollection(withStart: start) { success, error in
            guard success else {
                completion(false, error)
                return
            }
            builder.add(samples(for: workout)) { success, error in
                guard success else {
                    completion(false, error)
                    return
                }
                builder.endCollection(withEnd: end) { success, error in
                    guard success else {
                        completion(false, error)
                        return
                    }
                    builder.finishWorkout { finished, error in
                        completion(finished != nil, error)
                    }
                }
            }
        }
    }

    private static func samples(for workout: TrackedWorkout) -> [HKSample] {
        let type = HKQuantityType(.activeEnergyBurned)
        return workout.intervals.map { interval in
            let quantity = HKQuantity(unit: .kilocalorie(), doubleValue: interval.energyBurned)
            return HKCumulativeQuantitySample(
                type: type, quantity: quantity, start: interval.start, end: interval.end)
        }
    }

    static func loadWorkouts(completion: @escaping ([HKWorkout]?, Error?) -> Void) {
        let ours = HKQuery.predicateForObjects(from: .default())
        let long = HKQuery.predicateForWorkouts(with: .greaterThanOrEqualTo, duration: 60)
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [ours, long])
        let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: .workoutType(), predicate: compound, limit: 0, sortDescriptors: [newest]
        ) { _, samples, error in
            DispatchQueue.main.async {
                guard let samples = samples as? [HKWorkout], error == nil else {
                    completion(nil, error)
                    return
                }
                completion(samples, nil)
            }
        }
        store.execute(query)
    }

    static func heartRates(
        during workout: HKWorkout, completion: @escaping ([HKQuantitySample]) -> Void
    ) {
        let predicate = HKQuery.predicateForSamples(
            withStart: workout.startDate, end: workout.endDate, options: .strictStartDate)
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: predicate,
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            completion(samples as? [HKQuantitySample] ?? [])  // finds error-as-zero
        }
        store.execute(query)
    }

    static func locations(
        of workout: HKWorkout, completion: @escaping ([CLLocation]) -> Void
    ) {
        let predicate = HKQuery.predicateForObjects(from: workout)
        let routes = HKSampleQuery(
            sampleType: HKSeriesType.workoutRoute(), predicate: predicate, limit: 1,
            sortDescriptors: nil
        ) { _, samples, _ in
            guard let route = samples?.first as? HKWorkoutRoute else {
                completion([])
                return
            }
            var all: [CLLocation] = []
            let query = HKWorkoutRouteQuery(route: route) { _, locations, done, _ in
                all += locations ?? []
                if done {
                    completion(all)
                }
            }
            store.execute(query)
        }
        store.execute(routes)
    }

    static func delete(_ workout: HKWorkout, completion: @escaping (Bool) -> Void) {
        store.delete(workout) { success, _ in
            DispatchQueue.main.async { completion(success) }
        }
    }
}
