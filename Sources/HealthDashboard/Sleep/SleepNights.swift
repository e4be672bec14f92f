public import Foundation
import HealthCalendar
import HealthEngine

/// The nights of one person, merged from the records of all sources (Semantics §10.6–10.7).
///
/// For example, a watch records stages from 23:00 to 6:00, an app sleep from 22:50 to 6:10 and a
/// phone time in bed from 22:30 to 7:00. The result is one night:
///
/// ```
/// SleepNights(records, sources: ["Watch", "App", "Phone"], rules: .init(calendar: calendar))
/// 22:30 Phone in bed, 22:50 App asleep, 23:00 Watch core …, 6:00 App asleep, 6:10 Phone in bed
/// asleep 7:20; Watch 7:00 of 7:00, App 0:20 of 7:20: “Watch recorded at the same time”
/// ```
///
/// - At each instant, the highest-priority source with a record of sleep or wakefulness
///   contributes. Time in bed contributes only where no source has a stage.
/// - Where stages of one source overlap, the one saved later takes precedence. If the dates are
///   equal or unknown, the order is awake, REM, deep, core, unspecified sleep.
/// - Sleep with gaps of at most ``Rules/longestWaking`` is joined. Adjacent time in bed and awake
///   is included, unless a gap or a time awake is longer than that. Between two sleeps, the records
///   are divided at the longest gap.
/// - A sleep is never divided between days. It belongs to the day that contains its middle; a day
///   lasts from one ``Rules/cut`` to the next. The sleep with the most time asleep is the night of
///   the day, the others are naps. Time in bed without sleep is a night only on days without any
///   sleep.
/// - A record of sleep that lasts ``Rules/longestRecord`` or longer is an estimate. It is used only
///   if shorter records of sleep cover less than a quarter of it, so that seven hours don't become
///   thirteen.
///
/// Invalid records never trap; ``Skipped`` counts them. The order of the records has no effect.
public struct SleepNights: Hashable, Sendable, Codable {
    /// The rules for merging records into nights.
    public struct Rules: Hashable, Sendable {
        /// The calendar, of which only the time zone is used; days are Gregorian.
        public var calendar: Calendar
        /// The local hour, 0 to 23, that separates the sleep of two days; other values are clamped.
        ///
        /// An hour from noon on belongs to the evening before: 18 makes the 11th last from 18:00 on
        /// the 10th to 18:00 on the 11th. An earlier hour belongs to the day: 4 makes it last from
        /// 4:00 on the 11th to 4:00 on the 12th.
        public var cut: Int
        /// Where records of undetermined duration end, usually the present.
        public var horizon: Date
        /// The longest gap within one sleep, in seconds: 90 minutes.
        public var longestWaking: TimeInterval = 90 * 60
        /// The duration from which a record of sleep counts as an estimate, in seconds: 12 hours.
        public var longestRecord: TimeInterval = 12 * 3600

        public init(calendar: Calendar, cut: Int = 18, horizon: Date = .now) {
            self.calendar = calendar
            self.cut = cut
            self.horizon = horizon
        }
    }

    /// How much earlier than the start of a day the samples of its night are read, in seconds: 30
    /// hours. A night starts on the evening before, and its samples may start earlier.
    package static let longestLead: TimeInterval = 30 * 3600

    /// The numbers of skipped records, by reason.
    public struct Skipped: Hashable, Sendable, Codable {
        /// Records with an unknown stage, as a later system may write them.
        public var unknownStage = 0
        /// Records whose source isn't in the list of sources.
        public var unknownSource = 0
        /// Records that end before they start, or that are outside the years 1 to 4000.
        public var malformed = 0
        /// Records without duration.
        public var instants = 0
        /// Records longer than 24 hours.
        public var overlong = 0
        /// Records of undetermined duration that start at ``Rules/horizon`` or later.
        public var notBegun = 0

        /// Creates counts of zero.
        public init() {}
    }

    /// The nights in order, at most one per day; none for days without sleep or time in bed.
    public var nights: [SleepNight]
    /// The numbers of skipped records, by reason.
    public var skipped: Skipped

    /// Merges records of sleep into nights.
    ///
    /// - Parameters:
    ///   - records: The records, in any order.
    ///   - sources: The names of the sources, the highest priority first. ``SleepRecord/source`` is
    ///     an index into it.
    ///   - rules: The time zone and the limits.
    /// - Complexity: O(n log n + n · sources).
    public init(_ records: [SleepRecord], sources: [String], rules: Rules) {
        let filter = SleepRecordFilter(records, sources: sources.count, rules: rules)
        let segments = filter.mergedSegments(sources: sources.count)
        let attribution = SleepAttribution(filter, sources: sources, rules: rules)
        let calendar = CalendarBuckets(timeZone: rules.calendar.timeZone)
        let cut = min(23, max(0, rules.cut))
        var days: [CivilDate: [SleepEpisode]] = [:]
        for episode in SleepEpisode.episodes(
            of: segments, longestWaking: max(0, rules.longestWaking))
        {
            days[calendar.day(ofSleepAt: episode.middle, cut: cut), default: []].append(episode)
        }
        nights = days.compactMap { day, episodes in attribution.night(day, episodes) }
            .sorted { $0.morning < $1.morning }
        skipped = filter.skipped
    }
}

/// A sleep sample as a plain value, independent of the store; the input of ``SleepNights``.
public struct SleepRecord: Hashable, Sendable {
    /// The start of the record.
    public var start: Date
    /// The end of the record; `Date.distantFuture` if it is undetermined.
    public var end: Date
    /// The stage; nil for an unknown raw value.
    public var stage: SleepStage?
    /// The index of the source, from 0 for the highest priority.
    public var source: Int
    /// When the record was saved; nil if that is unknown, which counts as earlier than all dates.
    public var saved: Date?

    public init(start: Date, end: Date, stage: SleepStage?, source: Int, saved: Date? = nil) {
        self.start = start
        self.end = end
        self.stage = stage
        self.source = source
        self.saved = saved
    }
}

extension SleepStage {
    /// The precedence of overlapping stages of one source that were saved at the same time, or at
    /// unknown times; a higher number takes precedence. The order is awake, REM, deep, core, then
    /// unspecified sleep (Semantics §10.7c).
    var precedence: Int {
        switch self {
        case .awake: 5
        case .rem: 4
        case .deep: 3
        case .core: 2
        case .asleep: 1
        case .inBed: 0
        }
    }
}
