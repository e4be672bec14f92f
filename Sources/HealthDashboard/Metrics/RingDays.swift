/// The activity rings of a week, month or year.
public struct RingDays: Hashable, Sendable, Codable {
    /// The values of one ring.
    public struct Ring: Hashable, Sendable, Codable {
        /// The average of the days with rings, in the ring's unit.
        public var average: Double
        /// The number of days on which the goal was reached.
        public var closed: Int

        public init(average: Double, closed: Int) {
            self.average = average
            self.closed = closed
        }
    }

    /// The number of days with rings.
    public var days: Int
    /// Active energy in kilocalories, or move time in minutes if ``isMoveTime``.
    public var move: Ring
    /// Whether the move ring measures time instead of energy on the last of the days. Days that differ
    /// aren't part of the average of the move ring.
    public var isMoveTime: Bool
    /// Exercise time, in minutes.
    public var exercise: Ring
    /// Hours with standing.
    public var stand: Ring

    /// Creates the averages of days; nil without days.
    ///
    /// - Parameter days: The rings of days, the earliest first.
    public init?(_ days: [ActivityRings]) {
        guard let last = days.last else { return nil }
        func ring(_ days: [ActivityRings], _ ring: (ActivityRings) -> ActivityRings.Ring) -> Ring {
            let rings = days.map(ring)
            return Ring(
                average: rings.reduce(0) { $0 + $1.value } / Double(rings.count),
                closed: rings.count { ($0.share ?? 0) >= 1 })
        }
        self.days = days.count
        isMoveTime = last.isMoveTime
        move = ring(days.filter { $0.isMoveTime == last.isMoveTime }, \.move)
        exercise = ring(days, \.exercise)
        stand = ring(days, \.stand)
    }
}
