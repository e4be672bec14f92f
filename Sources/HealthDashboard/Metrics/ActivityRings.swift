public import HealthEngine

/// The three rings of a day, as the Watch gave them: what was done, and the goal.
public struct ActivityRings: Hashable, Sendable, Codable {
    /// One ring.
    public struct Ring: Hashable, Sendable, Codable {
        public var value: Double
        /// nil where none was set.
        public var goal: Double?

        public init(value: Double, goal: Double?) {
            self.value = value
            self.goal = goal
        }

        /// 1 is a closed ring; nil without a goal.
        public var share: Double? { goal.flatMap { $0 > 0 ? value / $0 : nil } }
    }

    public var day: CivilDate
    /// In kcal, or in minutes where ``isMoveTime``.
    public var move: Ring
    public var isMoveTime: Bool
    /// In minutes.
    public var exercise: Ring
    /// In hours.
    public var stand: Ring

    public init(day: CivilDate, move: Ring, isMoveTime: Bool, exercise: Ring, stand: Ring) {
        self.day = day
        self.move = move
        self.isMoveTime = isMoveTime
        self.exercise = exercise
        self.stand = stand
    }
}
