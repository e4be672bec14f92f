public import Foundation
import HealthEngine

// Deprecated by Apple in favour of HKWorkoutBuilder. Older code and tests still use them.
extension HKWorkout {
    /// Creates a workout without totals.
    ///
    /// - Parameters:
    ///   - workoutActivityType: The activity type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date
    ) {
        self.init(
            workoutActivityType, startDate, endDate, .events([]), WorkoutTotals(), nil, nil)
    }

    /// Creates a workout. Its duration is the time from start to end without pauses.
    ///
    /// - Parameters:
    ///   - workoutActivityType: The activity type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - workoutEvents: The events, or nil. Their pauses are subtracted from the duration.
    ///   - totalEnergyBurned: The active energy, or nil.
    ///   - totalDistance: The distance, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance)
        self.init(
            workoutActivityType, startDate, endDate, .events(workoutEvents ?? []), totals, nil,
            metadata)
    }

    /// Creates a workout with a device. Its duration is the time from start to end without pauses.
    ///
    /// - Parameters:
    ///   - workoutActivityType: The activity type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - workoutEvents: The events, or nil. Their pauses are subtracted from the duration.
    ///   - totalEnergyBurned: The active energy, or nil.
    ///   - totalDistance: The distance, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance)
        self.init(
            workoutActivityType, startDate, endDate, .events(workoutEvents ?? []), totals, device,
            metadata)
    }

    /// Creates a workout with a given duration.
    ///
    /// - Parameters:
    ///   - workoutActivityType: The activity type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - duration: The duration in seconds; 0 for the time from start to end.
    ///   - totalEnergyBurned: The active energy, or nil.
    ///   - totalDistance: The distance, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance)
        self.init(
            workoutActivityType, startDate, endDate, .duration(duration), totals, nil, metadata)
    }

    /// Creates a workout with a given duration and a device.
    ///
    /// - Parameters:
    ///   - workoutActivityType: The activity type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - duration: The duration in seconds; 0 for the time from start to end.
    ///   - totalEnergyBurned: The active energy, or nil.
    ///   - totalDistance: The distance, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance)
        self.init(
            workoutActivityType, startDate, endDate, .duration(duration), totals, device, metadata)
    }

    /// Creates a workout with a number of swimming strokes.
    ///
    /// - Parameters:
    ///   - workoutActivityType: The activity type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - workoutEvents: The events, or nil. Their pauses are subtracted from the duration.
    ///   - totalEnergyBurned: The active energy, or nil.
    ///   - totalDistance: The distance, or nil.
    ///   - totalSwimmingStrokeCount: The number of strokes, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, totalSwimmingStrokeCount: HKQuantity?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(
            energyBurned: totalEnergyBurned, distance: totalDistance,
            swimmingStrokeCount: totalSwimmingStrokeCount)
        self.init(
            workoutActivityType, startDate, endDate, .events(workoutEvents ?? []), totals, device,
            metadata)
    }

    /// Creates a workout with a number of flights climbed.
    ///
    /// - Parameters:
    ///   - workoutActivityType: The activity type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - workoutEvents: The events, or nil. Their pauses are subtracted from the duration.
    ///   - totalEnergyBurned: The active energy, or nil.
    ///   - totalDistance: The distance, or nil.
    ///   - totalFlightsClimbed: The number of flights climbed, or nil.
    ///   - device: The device, or nil.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, totalFlightsClimbed: HKQuantity?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(
            energyBurned: totalEnergyBurned, distance: totalDistance,
            flightsClimbed: totalFlightsClimbed)
        self.init(
            workoutActivityType, startDate, endDate, .events(workoutEvents ?? []), totals, device,
            metadata)
    }

    /// How the duration of a workout is determined: from its times and events, or given. A given
    /// duration of 0 stands for the time from start to end.
    private enum DurationSource {
        case events([HKWorkoutEvent])
        case duration(TimeInterval)
    }

    private convenience init(
        _ activity: HKWorkoutActivityType, _ start: Date, _ end: Date,
        _ durationSource: DurationSource,
        _ totals: WorkoutTotals, _ device: HKDevice?, _ metadata: [String: Any]?
    ) {
        var content = Workout(activityType: Int(activity.rawValue))
        switch durationSource {
        case .events(let events): content.events = events.map(\.value)
        case .duration(let seconds): content.duration = seconds == 0 ? nil : seconds
        }
        let (from, to) = (start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
        content.duration = content.duration ?? content.events.activeTime(from: from, to: to)
        content.statistics = totals.statistics(ofActivity: content.activityType)
        self.init(
            _record: SampleRecord(
                .workoutType(), start: start, end: end, device: device, metadata: metadata),
            content: content)
        validateIfStrict()
    }
}

/// The totals passed to an initializer.
private struct WorkoutTotals {
    var energyBurned: HKQuantity?
    var distance: HKQuantity?
    var swimmingStrokeCount: HKQuantity?
    var flightsClimbed: HKQuantity?

    func statistics(ofActivity activity: Int) -> [WorkoutStatistics] {
        let totals = [
            (HKQuantityTypeIdentifier.activeEnergyBurned.rawValue, energyBurned),
            (Workout.distanceType(ofActivity: activity), distance),
            (HKQuantityTypeIdentifier.swimmingStrokeCount.rawValue, swimmingStrokeCount),
            (HKQuantityTypeIdentifier.flightsClimbed.rawValue, flightsClimbed),
        ]
        return totals.compactMap { type, quantity in
            quantity.map {
                WorkoutStatistics(type: type, unit: $0.unit.unitString, sum: $0.value)
            }
        }
    }
}
