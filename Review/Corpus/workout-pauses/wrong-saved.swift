// The end minus the start of a saved workout, as its duration.
import HealthKit

struct WorkoutRow {
    let workout: HKWorkout

    var minutes: Int {
        Int(workout.endDate.timeIntervalSince(workout.startDate) / 60)  // finds workout-pauses
    }

    var text: String? {
        let formatter = DateComponentsFormatter()
        return formatter.string(from: workout.startDate, to: workout.endDate)  // finds workout-pauses
    }
}

extension HKWorkout {
    var length: TimeInterval { endDate.timeIntervalSince(startDate) }  // finds workout-pauses

    var pace: Double {
        let meters = totalDistance?.doubleValue(for: .meter()) ?? 0
        return self.endDate.timeIntervalSince(self.startDate) / meters  // finds workout-pauses
    }
}

func seconds(_ workouts: [HKWorkout]) -> TimeInterval {
    workouts.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }  // finds workout-pauses
}

func rows(_ samples: [HKSample]?) -> [[String: Any]] {
    (samples as? [HKWorkout] ?? []).map { workout in
        let seconds = workout.endDate.timeIntervalSince(workout.startDate)  // finds workout-pauses
        return ["type": workout.workoutActivityType.rawValue, "seconds": seconds]
    }
}

func training(_ samples: [HKSample]) -> Double {
    var total = 0.0
    for case let workout as HKWorkout in samples {
        let start = workout.startDate
        let end = workout.endDate
        total += end.timeIntervalSince(start)  // finds workout-pauses
    }
    return total
}

func hours(_ workout: HKWorkout) -> Double {
    DateInterval(start: workout.startDate, end: workout.endDate).duration / 3600  // finds workout-pauses
}

func trained(_ workout: HKWorkout) -> Double {
    workout.startDate.distance(to: workout.endDate)  // finds workout-pauses
}

func trainedMinutes(_ workout: HKWorkout) -> Int? {
    Calendar.current.dateComponents(  // finds workout-pauses
        [.minute], from: workout.startDate, to: workout.endDate).minute
}

func stamp(_ workout: HKWorkout) -> Double {
    workout.endDate.timeIntervalSince1970 - workout.startDate.timeIntervalSince1970  // finds workout-pauses
}
