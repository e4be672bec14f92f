//
//  HealthImporter.swift
//  OutPace: outdoor tracker, imports workouts of other apps into Core Data (2020)
//

import CoreData
import CoreLocation
import HealthKit

enum HealthImporter {

    static let healthStore = HKHealthStore()

    enum Kinds {
        static let workout = HKObjectType.workoutType()
        static let route = HKSeriesType.workoutRoute()
        static let steps = HKObjectType.quantityType(forIdentifier: .stepCount)!
        static let heart = HKObjectType.quantityType(forIdentifier: .heartRate)!
        static let mass = HKObjectType.quantityType(forIdentifier: .bodyMass)!
    }

    static func authorize(completion: @escaping (Bool) -> Void) {
        guard HKHealthStore.isHealthDataAvailable() else {
            completion(false)
            return
        }
        let share: Set<HKSampleType> = [Kinds.workout, Kinds.route]
        healthStore.requestAuthorization(
            toShare: share, read: [Kinds.workout, Kinds.route, Kinds.steps, Kinds.heart, Kinds.mass]
        ) { success, error in
            if let error = error { print("[Health] \(error.localizedDescription)") }
            DispatchQueue.main.async { completion(success) }
        }
    }

    static func importNew(into context: NSManagedObjectContext, completion: @escaping (Int) -> Void) {
        let types: [HKWorkoutActivityType] = [.running, .walking, .cycling, .hiking]
        let predicate = NSCompoundPredicate(
            orPredicateWithSubpredicates: types.map { HKQuery.predicateForWorkouts(with: $0) })
        let query = HKSampleQuery(
            sampleType: Kinds.workout, predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)]
        ) { _, samples, error in
            guard let workouts = samples as? [HKWorkout] else {
                completion(0)
                return
            }
            context.perform {
                let known = Set((try? context.fetch(Tour.fetchRequest()) as? [Tour])?.compactMap(\.healthID) ?? [])
                let new = workouts.filter { !known.contains($0.uuid) }
                for workout in new {
                    let tour = Tour(context: context)
                    tour.healthID = workout.uuid
                    tour.start = workout.startDate
                    tour.distance = workout.totalDistance?.doubleValue(for: .meter()) ?? 0
                    tour.energy = workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) ?? 0
                }
                try? context.save()
                completion(new.count)
            }
        }
        healthStore.execute(query)
    }

    static func route(of workout: HKWorkout, completion: @escaping ([CLLocation]) -> Void) {
        let runningObjectQuery = HKQuery.predicateForObjects(from: workout)
        let routeQuery = HKAnchoredObjectQuery(
            type: Kinds.route, predicate: runningObjectQuery, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, error in
            guard error == nil, let route = samples?.first as? HKWorkoutRoute else {
                completion([])
                return
            }
            var all: [CLLocation] = []
            let query = HKWorkoutRouteQuery(route: route) { _, locations, done, error in
                all.append(contentsOf: locations ?? [])
                if done || error != nil { completion(all) }
            }
            healthStore.execute(query)
        }
        healthStore.execute(routeQuery)
    }

    static func steps(of workout: HKWorkout, completion: @escaping (Int) -> Void) {
        let predicate = HKQuery.predicateForSamples(
            withStart: workout.startDate, end: workout.endDate, options: .strictStartDate)
        let query = HKSampleQuery(
            sampleType: Kinds.steps, predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, samples, _ in
            let counts = (samples as? [HKQuantitySample])?.map { $0.quantity.doubleValue(for: .count()) } ?? []
            completion(Int(counts.reduce(0, +))) // finds summed-samples
        }
        healthStore.execute(query)
    }
}

@objc(Tour)
final class Tour: NSManagedObject {
    @NSManaged var healthID: UUID?
    @NSManaged var start: Date?
    @NSManaged var distance: Double
    @NSManaged var energy: Double
}
