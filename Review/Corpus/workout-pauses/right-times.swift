// The duration as HealthKit keeps it, spans on the clock, and samples that aren't workouts.
import HealthKit

struct WorkoutRow {
    let workout: HKWorkout

    var minutes: Double { workout.duration / 60 }

    var elapsed: TimeInterval { workout.endDate.timeIntervalSince(workout.startDate) }

    var paused: TimeInterval {
        workout.endDate.timeIntervalSince(workout.startDate) - workout.duration
    }

    var detail: (moving: Double, total: Double) {
        let total = workout.endDate.timeIntervalSince(workout.startDate)
        return (workout.duration, total)
    }

    func axisWidth(_ scale: Double) -> Double {
        workout.endDate.timeIntervalSince(workout.startDate) * scale
    }

    func moving() -> TimeInterval {
        let stops = (workout.workoutEvents ?? []).filter { $0.type == .pause || $0.type == .resume }
        var stopped = 0.0
        for (first, second) in zip(stops, stops.dropFirst()) where first.type == .pause {
            stopped += second.dateInterval.start.timeIntervalSince(first.dateInterval.start)
        }
        return workout.endDate.timeIntervalSince(workout.startDate) - stopped
    }
}

extension HKSample {
    var seconds: TimeInterval { endDate.timeIntervalSince(startDate) }
}

func asleep(_ nights: [HKCategorySample]) -> TimeInterval {
    nights.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }  // finds sleep-sum
}

func rest(_ first: HKWorkout, _ second: HKWorkout) -> TimeInterval {
    second.startDate.timeIntervalSince(first.endDate)
}

func age(_ workout: HKWorkout) -> TimeInterval { Date().timeIntervalSince(workout.startDate) }

func times(_ workout: HKWorkout) -> String {
    let formatter = DateIntervalFormatter()
    return formatter.string(from: workout.startDate, to: workout.endDate)
}
