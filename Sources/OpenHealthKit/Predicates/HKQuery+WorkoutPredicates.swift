public import Foundation
import HealthEngine

extension HKQuery {
    /// Samples that are associated with a workout: added by its builder, or inferred from an
    /// export (Semantics §10.9).
    public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathWorkout, .equal, .object(workout.uuid)))
    }

    /// Workouts of an activity type.
    public class func predicateForWorkouts(
        with workoutActivityType: HKWorkoutActivityType
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutType, .equal,
                .number(Double(workoutActivityType.rawValue))))
    }

    /// Workouts whose duration, pauses left out, stands so to a number of seconds.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, duration: TimeInterval
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutDuration, PredicateOperator(operatorType),
                .number(duration)))
    }

    /// Workouts whose active energy in all stands so to a quantity.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalEnergyBurned: HKQuantity
    ) -> NSPredicate {
        total(HKPredicateKeyPathWorkoutTotalEnergyBurned, operatorType, totalEnergyBurned)
    }

    /// Workouts whose distance in all stands so to a quantity.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalDistance: HKQuantity
    ) -> NSPredicate {
        total(HKPredicateKeyPathWorkoutTotalDistance, operatorType, totalDistance)
    }

    /// Workouts whose number of swimming strokes stands so to a quantity.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalSwimmingStrokeCount: HKQuantity
    ) -> NSPredicate {
        total(
            HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount, operatorType,
            totalSwimmingStrokeCount)
    }

    /// Workouts whose number of flights climbed stands so to a quantity.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalFlightsClimbed: HKQuantity
    ) -> NSPredicate {
        total(HKPredicateKeyPathWorkoutTotalFlightsClimbed, operatorType, totalFlightsClimbed)
    }

    /// Workouts whose sum of a type stands so to a quantity.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .sum, of: quantityType, operatorType, sumQuantity)
    }

    /// Workouts whose smallest value of a type stands so to a quantity.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .minimum, of: quantityType, operatorType, minimumQuantity)
    }

    /// Workouts whose largest value of a type stands so to a quantity.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .maximum, of: quantityType, operatorType, maximumQuantity)
    }

    /// Workouts whose average of a type stands so to a quantity.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .average, of: quantityType, operatorType, averageQuantity)
    }

    /// Workouts of which some activity matches: a predicate made by the
    /// `predicateForWorkoutActivities` functions, or compounds of them. A workout that was saved
    /// without activities is found as one activity of its own type, time and statistics.
    public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
        HKPredicate(.activity(PredicateNode(activityPredicate)))
    }
}

// Predicates on a workout's activities. They stand inside predicateForWorkouts(activityPredicate:).

extension HKQuery {
    /// Activities of a type.
    public class func predicateForWorkoutActivities(
        workoutActivityType: HKWorkoutActivityType
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutActivityType, .equal,
                .number(Double(workoutActivityType.rawValue))))
    }

    /// Activities whose duration stands so to a number of seconds.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, duration: TimeInterval
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutActivityDuration, PredicateOperator(operatorType),
                .number(duration)))
    }

    /// Activities in a stretch of time, with the borders of
    /// ``predicateForSamples(withStart:end:options:)``.
    public class func predicateForWorkoutActivities(
        start startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        HKPredicate(
            .range(
                (
                    HKPredicateKeyPathWorkoutActivityStartDate,
                    HKPredicateKeyPathWorkoutActivityEndDate
                ),
                from: startDate, to: endDate, options))
    }

    /// Activities whose sum of a type stands so to a quantity.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.activity, .sum, of: quantityType, operatorType, sumQuantity)
    }

    /// Activities whose smallest value of a type stands so to a quantity.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.activity, .minimum, of: quantityType, operatorType, minimumQuantity)
    }

    /// Activities whose largest value of a type stands so to a quantity.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.activity, .maximum, of: quantityType, operatorType, maximumQuantity)
    }

    /// Activities whose average of a type stands so to a quantity.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.activity, .average, of: quantityType, operatorType, averageQuantity)
    }

    private class func total(
        _ path: String, _ operatorType: _ComparisonOperator, _ quantity: HKQuantity
    ) -> NSPredicate {
        HKPredicate(.test(path, PredicateOperator(operatorType), .quantity(quantity)))
    }

    private class func statistic(
        _ scope: PredicateKey.Scope, _ measure: SampleFilter.Measure, of type: HKQuantityType,
        _ operatorType: _ComparisonOperator, _ quantity: HKQuantity
    ) -> NSPredicate {
        HKPredicate(
            .statistic(
                StatisticComparison(
                    scope: scope, type: type, measure: measure,
                    comparison: PredicateOperator(operatorType), quantity: quantity)))
    }
}
