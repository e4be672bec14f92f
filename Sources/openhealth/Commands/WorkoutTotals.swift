import HealthDashboard
import HealthEngine

/// The sums over workouts.
struct WorkoutTotals {
    /// Seconds without pauses.
    private(set) var duration = 0.0
    /// Kilocalories, over the workouts that recorded them; nil if none did.
    private(set) var energy: Double?
    /// Kilometres, over the workouts that recorded them; nil if none did.
    private(set) var distance: Double?
    /// Seconds of the workouts with a distance.
    private var moving = 0.0

    init(_ rows: [WorkoutRow]) {
        for row in rows {
            duration += row.duration
            if let amount = row.energy { energy = (energy ?? 0) + amount }
            if let amount = row.distance, row.pace != nil {
                distance = (distance ?? 0) + amount
                moving += row.duration
            }
        }
    }

    /// The time for a kilometre in seconds, over the workouts with a distance.
    var pace: Double? { distance.map { moving / $0 } }
}

/// Formats paces.
enum PaceText {
    private static let paced: Set<String> = [
        "running", "walking", "hiking", "swimming", "snowshoeing", "wheelchairWalkPace",
        "wheelchairRunPace", "trackAndField", "crossCountrySkiing",
    ]

    /// Returns a pace as in "5:42 /km", for swimming "2:05 /100 m", or for faster activities the
    /// speed, "24.1 km/h"; empty for nil.
    static func text(_ pace: Double?, of activity: String) -> String {
        guard let pace, pace > 0, pace.isFinite else { return "" }
        if activity == "swimming" { return minutes(pace / 10) + " /100 m" }
        if paced.contains(activity) { return minutes(pace) + " /km" }
        return NumberText.grouped(3600 / pace, digits: 1) + " km/h"
    }

    /// Returns minutes and seconds: "5:42".
    private static func minutes(_ seconds: Double) -> String {
        let whole = Int(clamping: min(seconds, 359_999).rounded())
        return "\(whole / 60):" + (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
    }
}

/// The names of workout activities, as people write them.
enum ActivityName {
    /// Returns Apple's name of an activity: "traditionalStrengthTraining" for
    /// "Traditional strength training", "running" for "run".
    ///
    /// - Throws: ``UsageError`` for an unknown name.
    static func activity(named name: String) throws(UsageError) -> String {
        let key = key(name)
        let known = Catalogue.values(of: Catalogue.workoutActivityType)
        if let exact = known.first(where: { self.key($0.name) == key }) { return exact.name }
        if let name = everyday[key] { return name }
        let near = SpellingSuggestion.best(for: key, among: known.map(\.name))
        throw UsageError(
            "Unknown activity “\(name.printable)”. "
                + (near.map { "Did you mean \($0)?" } ?? "openhealth workouts lists activities."))
    }

    private static func key(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static let everyday = [
        "bike": "cycling", "bikeride": "cycling", "biking": "cycling", "hike": "hiking",
        "hikes": "hiking", "rides": "cycling", "ride": "cycling", "row": "rowing",
        "run": "running", "runs": "running", "strength": "traditionalStrengthTraining",
        "swim": "swimming", "swims": "swimming", "walk": "walking", "walks": "walking",
        "weights": "traditionalStrengthTraining",
    ]
}
