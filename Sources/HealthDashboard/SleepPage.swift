public import HealthEngine

/// Nights, and one of them in full: `/sleep?day=2024-03-10`.
public struct SleepPage: Page, Hashable {
    public static let path = "/sleep"
    public static let title = "Sleep"

    public var freshness: Freshness
    /// "Europe/Berlin".
    public var timeZone: String
    /// The mornings shown, those without sleep too, the earliest first.
    public var days: [CivilDate]
    /// The earliest first.
    public var nights: [SleepNight]
    /// The night asked for, or the latest; nil where there is none.
    public var chosen: SleepNight?
    public var sentence: String

    public init(
        freshness: Freshness, timeZone: String, days: [CivilDate], nights: [SleepNight],
        chosen: SleepNight?, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.days = days
        self.nights = nights
        self.chosen = chosen
        self.sentence = sentence
    }
}
