public import Foundation
import HealthEngine

// Deprecated by Apple for HKWorkoutBuilder; old code and tests still make workouts with them.
extension HKWorkout {
    /// A workout without totals.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date
    ) {
        self.init(
            workoutActivityType, startDate, endDate, .events([]), WorkoutTotals(), nil, nil)
    }

    /// A workout whose duration follows from its events: pauses don't count.
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

    /// A workout with events and its device.
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

    /// A workout with a duration in seconds; 0 means from start to end.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance)
        self.init(
            workoutActivityType, startDate, endDate, .duration(duration), totals, nil, metadata)
    }

    /// A workout with a duration in seconds and its device; 0 means from start to end.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        let totals = WorkoutTotals(energyBurned: totalEnergyBurned, distance: totalDistance)
        self.init(
            workoutActivityType, startDate, endDate, .duration(duration), totals, device, metadata)
    }

    /// A swim with its strokes.
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

    /// A climb with its flights of stairs.
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

    /// Where a workout's duration comes from.
    private enum Length {
        case events([HKWorkoutEvent])
        case duration(TimeInterval)
    }

    private convenience init(
        _ activity: HKWorkoutActivityType, _ start: Date, _ end: Date, _ length: Length,
        _ totals: WorkoutTotals, _ device: HKDevice?, _ metadata: [String: Any]?
    ) {
        var content = Workout(activityType: Int(activity.rawValue))
        switch length {
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

/// The totals an old initializer was given.
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
