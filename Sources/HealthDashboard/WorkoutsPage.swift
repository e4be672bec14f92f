/// Workouts, and one of them in full: `/workouts`, `/workouts/UUID`.
public struct WorkoutsPage: Page, Hashable {
    public static let path = "/workouts"
    public static let title = "Workouts"

    public var freshness: Freshness
    /// "Europe/Berlin".
    public var timeZone: String
    /// The newest first.
    public var workouts: [WorkoutSummary]
    /// The one asked for.
    public var detail: WorkoutDetail?
    public var sentence: String

    public init(
        freshness: Freshness, timeZone: String, workouts: [WorkoutSummary],
        detail: WorkoutDetail?, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.workouts = workouts
        self.detail = detail
        self.sentence = sentence
    }
}
