// A workout that is finished beside the end of its collection.
import HealthKit

final class RunRecorder {
    private let builder: HKWorkoutBuilder
    private let routes: HKWorkoutRouteBuilder

    init(store: HKHealthStore) {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        builder = HKWorkoutBuilder(
            healthStore: store, configuration: configuration, device: .local())
        routes = HKWorkoutRouteBuilder(healthStore: store, device: nil)  // finds unfinished-workout
    }

    func begin() {
        builder.beginCollection(withStart: .now) { _, error in
            if let error { print(error) }
        }
    }

    func add(_ locations: [CLLocation]) {
        routes.insertRouteData(locations) { _, error in
            if let error { print(error) }
        }
    }

    func end(_ show: @escaping (HKWorkout?) -> Void) {
        builder.endCollection(withEnd: .now) { _, error in
            if let error { print(error) }
        }
        builder.finishWorkout { workout, _ in show(workout) }  // finds unfinished-workout
    }
}
