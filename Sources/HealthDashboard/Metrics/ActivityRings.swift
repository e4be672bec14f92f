public import HealthEngine

/// The three activity rings of a day, with values and goals, as recorded by a watch.
public struct ActivityRings: Hashable, Sendable, Codable {
    /// The value and goal of one ring.
    public struct Ring: Hashable, Sendable, Codable {
        /// The amount reached, in the ring's unit.
        public var value: Double
        /// The goal, in the ring's unit; nil if none was set.
        public var goal: Double?

        public init(value: Double, goal: Double?) {
            self.value = value
            self.goal = goal
        }

        /// The fraction of the goal that was reached, 1 for a closed ring; nil without a positive
        /// goal.
        public var share: Double? { goal.flatMap { $0 > 0 ? value / $0 : nil } }
    }

    /// The day.
    public var day: CivilDate
    /// Active energy in kilocalories, or move time in minutes if ``isMoveTime``.
    public var move: Ring
    /// Whether the move ring measures time instead of energy.
    public var isMoveTime: Bool
    /// Exercise time, in minutes.
    public var exercise: Ring
    /// Hours with standing.
    public var stand: Ring

    public init(day: CivilDate, move: Ring, isMoveTime: Bool, exercise: Ring, stand: Ring) {
        self.day = day
        self.move = move
        self.isMoveTime = isMoveTime
        self.exercise = exercise
        self.stand = stand
    }
}
