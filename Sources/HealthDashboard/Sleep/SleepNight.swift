public import Foundation
public import HealthEngine

/// A stage of sleep, or time in bed or awake.
public enum SleepStage: String, Hashable, Sendable, Codable, CaseIterable {
    case inBed, awake, rem, core, deep
    /// Asleep, without a known stage.
    case asleep

    /// Whether the stage is sleep: not awake and not in bed.
    public var isAsleep: Bool { self != .inBed && self != .awake }
}

/// One night, merged from all sources (Semantics §10.7). ``SleepNights`` documents the rules.
public struct SleepNight: Hashable, Sendable, Codable {
    /// A merged interval of one stage; intervals never overlap.
    public struct MergedInterval: Hashable, Sendable, Codable {
        /// The start of the interval.
        public var start: Date
        /// The end of the interval, exclusive.
        public var end: Date
        /// The stage.
        public var stage: SleepStage
        /// The source's display name.
        public var source: String

        public init(start: Date, end: Date, stage: SleepStage, source: String) {
            self.start = start
            self.end = end
            self.stage = stage
            self.source = source
        }
    }

    /// The contribution of one source.
    public struct Part: Hashable, Sendable, Codable {
        /// The source's display name.
        public var source: String
        /// The source's priority among those of the night, from 1 for the highest.
        public var rank: Int
        /// The seconds of the source's records of sleep that overlap the main sleep, including
        /// their parts before and after it. Overlapping or adjacent records are joined first, so
        /// overlaps count once.
        public var recorded: Double
        /// The seconds of sleep counted from the source; those of all parts add up to ``asleep``.
        public var counted: Double
        /// Why not everything was counted, in English: "Watch recorded at the same time", "only
        /// time in bed; other sources recorded stages"; nil if everything was.
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

    /// The day of the night, usually the day on which it ends; see ``SleepNights/Rules/cut``.
    public var morning: CivilDate
    /// The main sleep with adjacent time in bed and awake, from the first to the last merged
    /// interval. Without any sleep, the longest time in bed.
    public var interval: DateInterval
    /// The merged intervals of the main sleep in order.
    public var mergedIntervals: [MergedInterval]
    /// The naps of the day, each with its merged intervals in order.
    public var naps: [[MergedInterval]]
    /// The contributions of all sources with a record during the main sleep, by rank.
    public var parts: [Part]
    /// The seconds in bed during the main sleep: recorded time in bed, and sleep outside of it. Nil
    /// if no source recorded time in bed: the time is unknown then, not zero.
    public var inBed: Double?

    public init(
        morning: CivilDate, interval: DateInterval, mergedIntervals: [MergedInterval],
        naps: [[MergedInterval]],
        parts: [Part], inBed: Double? = nil
    ) {
        self.morning = morning
        self.interval = interval
        self.mergedIntervals = mergedIntervals
        self.naps = naps
        self.parts = parts
        self.inBed = inBed
    }

    /// The seconds asleep without naps. Nil if no source recorded sleep: the time is unknown then,
    /// not zero.
    public var asleep: Double? { mergedIntervals.secondsAsleep }

    /// The seconds asleep in all naps of the day.
    public var napped: Double { naps.reduce(0) { $0 + ($1.secondsAsleep ?? 0) } }

    /// Returns the time in a stage during the main sleep, without naps.
    ///
    /// - Parameter stage: The stage. For `.inBed` the result is only the time in bed without
    ///   another stage; ``inBed`` is the whole time in bed.
    /// - Returns: The time, in seconds.
    public func seconds(_ stage: SleepStage) -> Double {
        mergedIntervals.reduce(0) {
            $0 + ($1.stage == stage ? $1.end.timeIntervalSince($1.start) : 0)
        }
    }
}

extension [SleepNight.MergedInterval] {
    /// The seconds asleep; nil without an interval of sleep.
    package var secondsAsleep: Double? {
        let asleep = filter(\.stage.isAsleep)
        return asleep.isEmpty
            ? nil : asleep.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) }
    }
}

// The JSON form also contains `asleep` and `napped`. `asleep` and `inBed` are null if unknown.
extension SleepNight {
    private enum CodingKeys: String, CodingKey {
        case morning, interval
        case mergedIntervals = "stretches"
        case naps, parts, inBed
    }
    private enum SumKeys: CodingKey { case asleep, napped }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(morning, forKey: .morning)
        try fields.encode(interval, forKey: .interval)
        var sums = encoder.container(keyedBy: SumKeys.self)
        try sums.encode(asleep, forKey: .asleep)
        try fields.encode(inBed, forKey: .inBed)
        try sums.encode(napped, forKey: .napped)
        try fields.encode(mergedIntervals, forKey: .mergedIntervals)
        try fields.encode(naps, forKey: .naps)
        try fields.encode(parts, forKey: .parts)
    }
}
