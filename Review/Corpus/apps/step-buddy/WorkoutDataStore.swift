//
//  WorkoutDataStore.swift
//  StepBuddy
//

import HealthKit

struct WalkInterval {
    var start: Date
    var end: Date

    var duration: TimeInterval { return end.timeIntervalSince(start) }
    var energyBurned: Double {
        let caloriesPerHour: Double = 280
        return caloriesPerHour * duration / 3600
    }
}

class WorkoutDataStore {

    class func save(walk: WalkInterval, completion: @escaping ((Bool, Error?) -> Swift.Void)) {
        let healthStore = HealthKitManager.sharedInstance.healthStore
        let energy = HKQuantity(unit: .kilocalorie(), doubleValue: walk.energyBurned)
        let workout = HKWorkout(activityType: .walking, start: walk.start, end: walk.end, duration: walk.duration,
                                totalEnergyBurned: energy, totalDistance: nil, device: HKDevice.local(),
                                metadata: nil)

        healthStore.save(workout) { (success, error) in
            guard error == nil else {
                completion(false, error)
                return
            }
            guard let energyType = HKObjectType.quantityType(forIdentifier: .activeEnergyBurned) else {
                completion(false, HealthError.wrongType)
                return
            }
            let sample = HKQuantitySample(type: energyType, quantity: energy, start: walk.start, end: walk.end)
            healthStore.add([sample], to: workout) { (success, error) in
                completion(success, error)
            }
        }
    }

    class func loadWalks(completion: @escaping (([HKWorkout]?, Error?) -> Swift.Void)) {
        let workoutPredicate = HKQuery.predicateForWorkouts(with: .walking)
        let sourcePredicate = HKQuery.predicateForObjects(from: .default())
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [workoutPredicate, sourcePredicate])
        let sortDescriptor = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: true)

        let query = HKSampleQuery(sampleType: .workoutType(), predicate: compound, limit: 0,
                                  sortDescriptors: [sortDescriptor]) { (query, samples, error) in
            DispatchQueue.main.async {
                guard let samples = samples as? [HKWorkout], error == nil else {
                    completion(nil, error)
                    return
                }
                completion(samples, nil)
            }
        }
        HealthKitManager.sharedInstance.healthStore.execute(query)
    }

    class func totals(of workouts: [HKWorkout]) -> (minutes: Double, calories: Double) {
        var minutes = 0.0
        var calories = 0.0
        for workout in workouts {
            minutes += workout.duration / 60
            calories += workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) ?? 0
        }
        return (minutes, calories)
    }
}
