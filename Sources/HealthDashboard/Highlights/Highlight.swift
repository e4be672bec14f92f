public import Foundation
public import HealthEngine

/// Something new in a person's data: a departure from the typical range, a record, or a gap. It says what
/// was recorded, and never what it means for the person's health.
public struct Highlight: Hashable, Sendable, Codable {
    /// What is new.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// At least three consecutive days above or below the typical range.
        case above, below
        /// The best week, or the longest workout of an activity.
        case record
        /// No data for at least three days, after regular data.
        case gap
    }

    /// What is new.
    public var kind: Kind
    /// The metric; ``Metric/workouts`` for a record of a workout.
    public var metric: Metric
    /// The first day.
    public var first: CivilDate
    /// The last day, included.
    public var last: CivilDate
    /// The workout that is a record; nil for everything else.
    public var workout: UUID?
    /// One English sentence with the numbers it is based on: "Resting heart rate above its typical range
    /// for 3 days: 64–67 bpm from 3 to 5 March 2026; 52–58 bpm on the 28 days before."
    public var sentence: String

    package init(
        kind: Kind, metric: Metric, first: CivilDate, last: CivilDate, workout: UUID? = nil,
        sentence: String
    ) {
        self.kind = kind
        self.metric = metric
        self.first = first
        self.last = last
        self.workout = workout
        self.sentence = sentence
    }
}
