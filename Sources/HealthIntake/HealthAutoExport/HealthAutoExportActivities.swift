import HealthEngine

/// The app's English names of workouts. Other languages are not known.
enum HealthAutoExportActivities {
    /// Returns HealthKit's number of an activity; nil for an unknown or localized name.
    ///
    /// Most names are HealthKit's in words, some with the place before: “Outdoor Run”.
    static func activity(_ name: String) -> Int? {
        let words = HealthAutoExportMetricNames.normalized(name).split(separator: "_")
            .map(String.init)
        if let known = activity(words) { return known }
        guard let place = words.first, place == "indoor" || place == "outdoor" else { return nil }
        return activity(Array(words.dropFirst()))
    }

    private static func activity(_ words: [String]) -> Int? {
        let name = words.joined(separator: "_")
        if let known = names[name] { return known }
        var camel = words.first ?? ""
        for word in words.dropFirst() { camel += word.prefix(1).uppercased() + word.dropFirst() }
        return Catalogue.value(named: camel, of: Catalogue.workoutActivityType)?.rawValue
    }

    private static let names: [String: Int] = [
        "run": 37, "walk": 52, "hike": 24, "cycle": 13, "bike": 13, "rower": 35, "row": 35,
        "swim": 46, "pool_swim": 46, "open_water_swim": 46, "pool_swimming": 46,
        "open_water_swimming": 46, "stair_stepper": 44, "hiit": 63, "multisport": 82,
        "surfing": 45, "skating": 39, "equestrian": 17, "mind_body": 29, "track_field": 49,
        "preparation_recovery": 33, "push_walk_pace": 70, "push_run_pace": 71,
    ]
}
