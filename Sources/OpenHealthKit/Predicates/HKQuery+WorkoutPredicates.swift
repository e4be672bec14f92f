public import Foundation
import HealthEngine

extension HKQuery {
    /// Matches the samples associated with a workout: those added to the workout. For an imported
    /// workout, also those of the same source that lie wholly within its time (Semantics §10.9).
    ///
    /// - Parameter workout: The workout.
    /// - Returns: The predicate.
    public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
        HKPredicate(.test(HKPredicateKeyPathWorkout, .equal, .object(workout.uuid)))
    }

    /// Matches workouts of an activity type.
    ///
    /// - Parameter workoutActivityType: The activity type.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        with workoutActivityType: HKWorkoutActivityType
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutType, .equal,
                .number(Double(workoutActivityType.rawValue))))
    }

    /// Matches workouts whose duration compares to a number as the operator requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - duration: The duration without pauses, in seconds.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, duration: TimeInterval
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutDuration, PredicateOperator(operatorType),
                .number(duration)))
    }

    /// Matches workouts whose total active energy compares to a quantity as the operator requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - totalEnergyBurned: The energy to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalEnergyBurned: HKQuantity
    ) -> NSPredicate {
        total(HKPredicateKeyPathWorkoutTotalEnergyBurned, operatorType, totalEnergyBurned)
    }

    /// Matches workouts whose total distance compares to a quantity as the operator requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - totalDistance: The distance to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalDistance: HKQuantity
    ) -> NSPredicate {
        total(HKPredicateKeyPathWorkoutTotalDistance, operatorType, totalDistance)
    }

    /// Matches workouts whose number of swimming strokes compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - totalSwimmingStrokeCount: The count to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalSwimmingStrokeCount: HKQuantity
    ) -> NSPredicate {
        total(
            HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount, operatorType,
            totalSwimmingStrokeCount)
    }

    /// Matches workouts whose number of flights climbed compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - totalFlightsClimbed: The count to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        with operatorType: _ComparisonOperator, totalFlightsClimbed: HKQuantity
    ) -> NSPredicate {
        total(HKPredicateKeyPathWorkoutTotalFlightsClimbed, operatorType, totalFlightsClimbed)
    }

    /// Matches workouts whose sum for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - sumQuantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .sum, of: quantityType, operatorType, sumQuantity)
    }

    /// Matches workouts whose minimum for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - minimumQuantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .minimum, of: quantityType, operatorType, minimumQuantity)
    }

    /// Matches workouts whose maximum for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - maximumQuantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .maximum, of: quantityType, operatorType, maximumQuantity)
    }

    /// Matches workouts whose average for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - averageQuantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sample, .average, of: quantityType, operatorType, averageQuantity)
    }

    /// Matches workouts with at least one matching activity. A workout saved without activities is
    /// treated as one activity with the workout's type, times and statistics.
    ///
    /// - Parameter activityPredicate: A predicate of the `predicateForWorkoutActivities` functions
    ///   or for a metadata key, or a compound of them.
    /// - Returns: The predicate.
    public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
        HKPredicate(.activity(PredicateNode(activityPredicate)))
    }
}

// Predicates for the activities of a workout, to be passed to
// predicateForWorkouts(activityPredicate:).

extension HKQuery {
    /// Matches activities of a type.
    ///
    /// - Parameter workoutActivityType: The activity type.
    /// - Returns: The predicate.
    public class func predicateForWorkoutActivities(
        workoutActivityType: HKWorkoutActivityType
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutActivityType, .equal,
                .number(Double(workoutActivityType.rawValue))))
    }

    /// Matches activities whose duration without pauses compares to a number as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - duration: The duration in seconds.
    /// - Returns: The predicate.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, duration: TimeInterval
    ) -> NSPredicate {
        HKPredicate(
            .test(
                HKPredicateKeyPathWorkoutActivityDuration, PredicateOperator(operatorType),
                .number(duration)))
    }

    /// Matches activities that overlap an interval or lie in it, with the same conditions as
    /// ``predicateForSamples(withStart:end:options:)``.
    ///
    /// - Parameters:
    ///   - startDate: The start of the interval (inclusive); nil removes the conditions that use
    ///     it.
    ///   - endDate: The end of the interval (exclusive); nil removes the conditions that use it.
    ///   - options: Which dates of an activity must be in the interval.
    /// - Returns: The predicate.
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

    /// Matches activities whose sum for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - sumQuantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.activity, .sum, of: quantityType, operatorType, sumQuantity)
    }

    /// Matches activities whose minimum for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - minimumQuantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.activity, .minimum, of: quantityType, operatorType, minimumQuantity)
    }

    /// Matches activities whose maximum for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - maximumQuantity: The quantity to compare with.
    /// - Returns: The predicate.
    public class func predicateForWorkoutActivities(
        operatorType: _ComparisonOperator, quantityType: HKQuantityType,
        maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.activity, .maximum, of: quantityType, operatorType, maximumQuantity)
    }

    /// Matches activities whose average for a quantity type compares to a quantity as the operator
    /// requires.
    ///
    /// - Parameters:
    ///   - operatorType: The comparison operator; the property is on the left side.
    ///   - quantityType: The type of the statistic.
    ///   - averageQuantity: The quantity to compare with.
    /// - Returns: The predicate.
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
