/// Workouts, and one of them in full: `/workouts`, `/workouts/UUID`.
public struct WorkoutsPage: Page, Hashable {
    public static let path = "/workouts"
    public static let title = "Workouts"

    public var freshness: Freshness
    /// "Europe/Berlin".
    public var timeZone: String
    /// The newest first, so many at most.
    public var workouts: [WorkoutSummary]
    /// How many there are, listed or not; nil if it wasn't counted.
    public var total: Int?
    /// Where older ones follow that aren't listed, as `before=` takes it; nil if none do.
    public var older: Date?
    /// What they are older than; nil for the newest.
    public var before: Date?
    /// The one asked for.
    public var detail: WorkoutDetail?
    public var sentence: String

    public init(
        freshness: Freshness, timeZone: String, workouts: [WorkoutSummary], total: Int? = nil,
        older: Date? = nil, before: Date? = nil, detail: WorkoutDetail?, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.workouts = workouts
        self.total = total
        self.older = older
        self.before = before
        self.detail = detail
        self.sentence = sentence
    }
}
