extension Workout {
    /// The distance type that HealthKit pairs with an activity, by `HKWorkoutActivityType`'s raw
    /// value: "HKQuantityTypeIdentifierDistanceCycling" for 13.
    public static func distanceType(ofActivity activity: Int) -> String {
        let name =
            switch Catalogue.workoutActivity(activity)?.name {
            case "cycling", "handCycling": "DistanceCycling"
            case "swimming": "DistanceSwimming"
            case "wheelchairWalkPace", "wheelchairRunPace": "DistanceWheelchair"
            case "downhillSkiing", "snowboarding", "snowSports": "DistanceDownhillSnowSports"
            default: "DistanceWalkingRunning"
            }
        return "HKQuantityTypeIdentifier" + name
    }
}
