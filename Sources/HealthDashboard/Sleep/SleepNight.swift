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

/// One night as one person slept it, whoever recorded it (Semantics §10.7);
/// ``SleepNights`` says how it comes together.
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
    /// Seconds in bed during the main sleep: all time that a source recorded as in bed, and all
    /// sleep. nil where no source recorded time in bed, which is not zero.
    public var inBed: Double?

    public init(
        morning: CivilDate, interval: DateInterval, stretches: [Stretch], naps: [[Stretch]],
        parts: [Part], inBed: Double? = nil
    ) {
        self.morning = morning
        self.interval = interval
        self.stretches = stretches
        self.naps = naps
        self.parts = parts
        self.inBed = inBed
    }

    /// Seconds asleep, naps excluded; nil where no source recorded sleep, only time in bed: how
    /// long somebody slept is unknown then, which is not zero.
    public var asleep: Double? { stretches.secondsAsleep }

    /// Seconds asleep in all naps of the day.
    public var napped: Double { naps.reduce(0) { $0 + ($1.secondsAsleep ?? 0) } }

    /// Seconds of the main sleep in a stage, naps excluded. Of `.inBed` it is only the time in bed
    /// in which no source knows a stage; ``inBed`` is all time in bed.
    public func seconds(_ stage: SleepStage) -> Double {
        stretches.reduce(0) { $0 + ($1.stage == stage ? $1.end.timeIntervalSince($1.start) : 0) }
    }
}

extension [SleepNight.Stretch] {
    /// Seconds asleep; nil without a stretch of sleep.
    package var secondsAsleep: Double? {
        let asleep = filter(\.stage.isAsleep)
        return asleep.isEmpty
            ? nil : asleep.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) }
    }
}

// JSON has the sums beside the stretches, null where they are unknown.
extension SleepNight {
    private enum CodingKeys: CodingKey { case morning, interval, stretches, naps, parts, inBed }
    private enum SumKeys: CodingKey { case asleep, napped }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(morning, forKey: .morning)
        try fields.encode(interval, forKey: .interval)
        var sums = encoder.container(keyedBy: SumKeys.self)
        try sums.encode(asleep, forKey: .asleep)
        try fields.encode(inBed, forKey: .inBed)
        try sums.encode(napped, forKey: .napped)
        try fields.encode(stretches, forKey: .stretches)
        try fields.encode(naps, forKey: .naps)
        try fields.encode(parts, forKey: .parts)
    }
}
