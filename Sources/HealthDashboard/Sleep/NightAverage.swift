/// The sleep of a week, month or year as an average a night.
public struct NightAverage: Hashable, Sendable, Codable {
    /// The number of nights with known sleep.
    public var nights: Int
    /// The average of the seconds asleep, without naps.
    public var asleep: Double
    /// The lowest and the highest of the seconds asleep.
    public var shortest: Double, longest: Double

    /// Creates the average of nights; nil if the sleep of none of them is known.
    ///
    /// - Parameter nights: The nights, in any order.
    public init?(_ nights: [SleepNight]) {
        let seconds = nights.compactMap(\.asleep)
        guard let shortest = seconds.min(), let longest = seconds.max() else { return nil }
        self.nights = seconds.count
        asleep = seconds.reduce(0, +) / Double(seconds.count)
        (self.shortest, self.longest) = (shortest, longest)
    }
}
