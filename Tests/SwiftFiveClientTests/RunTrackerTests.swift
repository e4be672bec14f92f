import Foundation
import HealthKit
import XCTest

final class RunTrackerTests: XCTestCase {
    private let store = HKHealthStore.inMemory()
    private let start = Date(timeIntervalSinceReferenceDate: 796_258_800)
    private let types: Set<HKSampleType> = [
        .workoutType(), HKSeriesType.workoutRoute(), HKQuantityType(.activeEnergyBurned),
        HKQuantityType(.distanceWalkingRunning), HKQuantityType(.heartRate),
    ]

    override func setUp() {
        _ = value { done in
            self.store.requestAuthorization(toShare: self.types, read: self.types) { success, _ in
                done(success)
            }
        }
    }

    private func value<Value>(_ call: (@escaping (Value) -> Void) -> Void) -> Value? {
        let completed = expectation(description: "completed")
        var result: Value?
        call {
            result = $0
            completed.fulfill()
        }
        wait(for: [completed], timeout: 60)
        return result
    }

    func testRunHasRouteTotalsAndEvents() throws {
        let tracker = RunTracker(healthStore: store)
        XCTAssertEqual(value { tracker.start(at: start, completion: $0) }, true)
        let locations = (0..<10).map { minute in
            CLLocation(
                coordinate: CLLocationCoordinate2D(
                    latitude: 52.5 + Double(minute) / 1000, longitude: 13.4),
                altitude: 30, horizontalAccuracy: minute == 4 ? 500 : 5, verticalAccuracy: 5,
                course: 0, speed: 3, timestamp: start.addingTimeInterval(Double(minute) * 60))
        }
        XCTAssertEqual(value { tracker.didUpdate(locations, completion: $0) }, true)
        let end = start.addingTimeInterval(1200)
        let finished = value { tracker.finish(at: end, kilocalories: 120, completion: $0) }
        let workout = try XCTUnwrap(finished).get()
        XCTAssertEqual(workout.duration, 1200)
        XCTAssertEqual(workout.kilocalories, 120)
        XCTAssertEqual(tracker.distance, 1001, accuracy: 3)
        XCTAssertEqual(
            try XCTUnwrap(workout.totalDistance).doubleValue(for: .meter()), tracker.distance,
            accuracy: 1e-6)
        XCTAssertEqual(workout.workoutEvents?.map(\.type), [.lap])
        XCTAssertEqual(workout.metadata?[HKMetadataKeyIndoorWorkout] as? Bool, false)
        XCTAssertEqual(workout.metadata?["Shoes"] as? String, "red")
        let temperature = workout.metadata?[HKMetadataKeyWeatherTemperature] as? HKQuantity
        XCTAssertEqual(temperature?.doubleValue(for: .degreeFahrenheit()), 71)
        let route = value { tracker.route(of: workout, completion: $0) }
        XCTAssertEqual(route?.count, 9)
        XCTAssertEqual(route?.last?.coordinate.latitude, 52.509)
    }

    /// A workout created without a builder, with heart rates added afterwards.
    func testOlderWorkoutHasTotalsAndPauses() throws {
        let workout = HKWorkout(
            activityType: .running, start: start, end: start.addingTimeInterval(3600),
            workoutEvents: [
                HKWorkoutEvent(type: .pause, date: start.addingTimeInterval(600)),
                HKWorkoutEvent(type: .resume, date: start.addingTimeInterval(660)),
            ],
            totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 200),
            totalDistance: HKQuantity(unit: .mile(), doubleValue: 5), device: nil, metadata: nil)
        let pulse = HKQuantitySample(
            type: HKQuantityType(.heartRate),
            quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 120),
            start: start, end: start)
        let added: Bool? = value { done in
            self.store.save(workout) { success, _ in
                guard success else { return done(false) }
                self.store.add([pulse], to: workout) { success, _ in done(success) }
            }
        }
        XCTAssertEqual(added, true)
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForWorkouts(with: .running),
            HKQuery.predicateForWorkouts(
                with: .greaterThan, totalDistance: HKQuantity(unit: .mile(), doubleValue: 4.9)),
        ])
        let found: [HKWorkout]? = value { done in
            let sort = NSSortDescriptor(key: HKWorkoutSortIdentifierDuration, ascending: false)
            self.store.execute(
                HKSampleQuery(
                    sampleType: .workoutType(), predicate: predicate, limit: 1,
                    sortDescriptors: [sort]
                ) { _, samples, _ in done(samples as? [HKWorkout] ?? []) })
        }
        let stored = try XCTUnwrap(found?.first)
        XCTAssertEqual(stored.duration, 3540)
        XCTAssertEqual(stored.pauses.map(\.duration), [60])
        XCTAssertEqual(stored.kilocalories, 200)
        XCTAssertEqual(
            stored.statistics(for: HKQuantityType(.heartRate))?.averageQuantity()?
                .doubleValue(for: HKUnit(from: "count/min")), 120)
    }
}
