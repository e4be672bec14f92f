public import Foundation
public import HealthEngine

/// What somebody did in bed.
public enum SleepStage: String, Hashable, Sendable, Codable, CaseIterable {
    case inBed, awake, rem, core, deep
    /// Asleep, and the tracker doesn't know how.
    case asleep

    /// Every stage but awake and in bed.
    public var isAsleep: Bool { self != .inBed && self != .awake }
}

/// One night as one person slept it, whoever recorded it (healthkit-semantics §10.7); ``SleepNights``
/// says how it comes together.
public struct SleepNight: Hashable, Sendable, Codable {
    /// An unbroken stretch of one stage; stretches never overlap.
    public struct Stretch: Hashable, Sendable, Codable {
        public var start: Date
        public var end: Date
        public var stage: SleepStage
        public var source: String

        public init(start: Date, end: Date, stage: SleepStage, source: String) {
            self.start = start
            self.end = end
            self.stage = stage
            self.source = source
        }
    }

    /// A source and what became of what it recorded.
    public struct Part: Hashable, Sendable, Codable {
        public var source: String
        /// Its place among the sources of the night, the winner 1.
        public var rank: Int
        /// Seconds of its sleep that touches the night, overlaps counted once: also what of it lies
        /// before or after the night.
        public var recorded: Double
        /// Seconds of sleep that were counted from it; those of all parts add up to ``asleep``.
        public var counted: Double
        /// Why the rest was not: "Watch was recording", "in bed, and others know the stages"; nil
        /// where nothing was left.
        public var reason: String?

        public init(
            source: String, rank: Int, recorded: Double, counted: Double, reason: String?
        ) {
            self.source = source
            self.rank = rank
            self.recorded = recorded
            self.counted = counted
            self.reason = reason
        }
    }

    /// The day it belongs to: as a rule the one it ends on.
    public var morning: CivilDate
    /// The main sleep, from the first stretch to the last: it may begin and end in bed or awake.
    public var interval: DateInterval
    /// Of the main sleep, in order.
    public var stretches: [Stretch]
    /// Sleep of the same day apart from the main one, each in order.
    public var naps: [[Stretch]]
    /// Every source that recorded something during the main sleep, in order of rank.
    public var parts: [Part]

    public init(
        morning: CivilDate, interval: DateInterval, stretches: [Stretch], naps: [[Stretch]],
        parts: [Part]
    ) {
        self.morning = morning
        self.interval = interval
        self.stretches = stretches
        self.naps = naps
        self.parts = parts
    }

    /// Seconds asleep, naps left out.
    public var asleep: Double {
        stretches.reduce(0) { $0 + ($1.stage.isAsleep ? $1.end.timeIntervalSince($1.start) : 0) }
    }

    /// Seconds in a stage, naps left out.
    public func seconds(_ stage: SleepStage) -> Double {
        stretches.reduce(0) { $0 + ($1.stage == stage ? $1.end.timeIntervalSince($1.start) : 0) }
    }
}
