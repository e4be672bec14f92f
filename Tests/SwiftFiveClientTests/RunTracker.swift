import Foundation
import HealthKit

/// Records a run with its route, without `async`.
class RunTracker {
    private let healthStore: HKHealthStore
    private var builder: HKWorkoutBuilder?
    private let routeBuilder: HKWorkoutRouteBuilder
    private var locations: [CLLocation] = []
    private(set) var distance: CLLocationDistance = 0

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
        routeBuilder = HKWorkoutRouteBuilder(healthStore: healthStore, device: .local())
    }

    func start(at date: Date, completion: @escaping (Bool) -> Void) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        let builder = HKWorkoutBuilder(
            healthStore: healthStore, configuration: configuration, device: .local())
        self.builder = builder
        builder.beginCollection(withStart: date) { success, error in completion(success) }
    }

    /// Handles the updates of a location manager.
    func didUpdate(_ new: [CLLocation], completion: @escaping (Bool) -> Void) {
        let accurate = new.filter { $0.horizontalAccuracy >= 0 && $0.horizontalAccuracy < 50 }
        for location in accurate {
            if let last = locations.last { distance += location.distance(from: last) }
            locations.append(location)
        }
        routeBuilder.insertRouteData(accurate) { success, _ in completion(success) }
    }

    func finish(
        at end: Date, kilocalories: Double, completion: @escaping (Result<HKWorkout, Error>) -> Void
    ) {
        guard let builder = builder, let start = builder.startDate,
            let energyType = HKObjectType.quantityType(forIdentifier: .activeEnergyBurned),
            let distanceType = HKObjectType.quantityType(forIdentifier: .distanceWalkingRunning)
        else { return }
        let samples = [
            HKQuantitySample(
                type: energyType,
                quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories),
                start: start, end: end),
            HKCumulativeQuantitySample(
                type: distanceType, quantity: HKQuantity(unit: .meter(), doubleValue: distance),
                start: start, end: end),
        ]
        let lap = HKWorkoutEvent(
            type: .lap, dateInterval: DateInterval(start: start, duration: 60), metadata: nil)
        let metadata: [String: Any] = [
            HKMetadataKeyIndoorWorkout: NSNumber(value: false),
            HKMetadataKeyWeatherTemperature: HKQuantity(unit: .degreeFahrenheit(), doubleValue: 71),
            HKMetadataKeyWeatherCondition: HKWeatherCondition.clear.rawValue, "Shoes": "red",
        ]
        let group = DispatchGroup()
        group.enter()
        builder.add(samples) { _, _ in group.leave() }
        group.enter()
        builder.addWorkoutEvents([lap]) { _, _ in group.leave() }
        group.enter()
        builder.addMetadata(metadata) { _, _ in group.leave() }
        group.notify(queue: .main) {
            builder.endCollection(withEnd: end) { _, error in
                if let error = error { return completion(.failure(error)) }
                builder.finishWorkout { [weak self] workout, error in
                    guard let workout = workout else {
                        return completion(.failure(error ?? HKError(.errorNoData)))
                    }
                    self?.routeBuilder.finishRoute(with: workout, metadata: nil) { route, error in
                        completion(
                            route == nil
                                ? .failure(error ?? HKError(.errorNoData)) : .success(workout))
                    }
                }
            }
        }
    }

    /// Returns the route of a workout, batch by batch.
    func route(of workout: HKWorkout, completion: @escaping ([CLLocation]) -> Void) {
        let healthStore = self.healthStore
        let query = HKAnchoredObjectQuery(
            type: HKSeriesType.workoutRoute(),
            predicate: HKQuery.predicateForObjects(from: workout), anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, error in
            guard let route = samples?.first as? HKWorkoutRoute else { return completion([]) }
            var all: [CLLocation] = []
            healthStore.execute(
                HKWorkoutRouteQuery(route: route) { _, locations, done, error in
                    all.append(contentsOf: locations ?? [])
                    if done { completion(all) }
                })
        }
        healthStore.execute(query)
    }
}

extension HKWorkout {
    var kilocalories: Double {
        if #available(iOS 16.0, watchOS 9.0, *) {
            return statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?
                .doubleValue(for: .kilocalorie()) ?? 0
        } else {
            return totalEnergyBurned?.doubleValue(for: .kilocalorie()) ?? 0
        }
    }

    /// The pauses between pause and resume events.
    var pauses: [DateInterval] {
        var pauses: [DateInterval] = []
        var start: Date?
        for event in workoutEvents ?? [] {
            switch event.type {
            case .pause, .motionPaused: start = event.dateInterval.start
            case .resume, .motionResumed:
                if let from = start {
                    pauses.append(DateInterval(start: from, end: event.dateInterval.start))
                }
                start = nil
            default: continue
            }
        }
        return pauses
    }
}
