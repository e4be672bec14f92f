public import Foundation
import HealthEngine

/// The nights of one person out of everything that all trackers recorded, each moment counted once
/// (Semantics §10.6–10.7).
///
/// A Watch that knows the stages from 23:00 to 6:00, an app that says asleep from 22:50 to 6:10 and
/// a phone that says in bed from 22:30 to 7:00 are one night:
///
/// ```
/// SleepNights(records, sources: ["Watch", "App", "Phone"], rules: .init(calendar: calendar))
/// 22:30 Phone in bed, 22:50 App asleep, 23:00 Watch core …, 6:00 App asleep, 6:10 Phone in bed
/// asleep 7:20; Watch 7:00 of 7:00, App 0:20 of 7:20: “Watch was recording”
/// ```
///
/// - At each moment the first source with a record of sleep or of being awake counts; time in bed
///   shows only where nobody knows more.
/// - Where one source contradicts itself, what was saved later holds; where that is equal or can't
///   be seen, awake before REM, deep, core, and asleep in some way.
/// - Sleep is joined over at most ``Rules/longestWaking`` without any. Time in bed and awake around
///   it belongs to it, unless the next record is farther away than that or a time awake is longer;
///   between two sleeps it is divided at the longest time that nobody recorded.
/// - A sleep belongs whole to the day in whose 24 hours from ``Rules/cut`` its middle lies: it is
///   never divided. The one with the most sleep is the night, all others are naps; time in bed alone
///   is a night only on a day on which nobody recorded sleep.
/// - One record of sleep as long as ``Rules/longestRecord`` is a guess: it counts only if shorter
///   ones fill less than a quarter of it. That keeps seven hours from becoming thirteen.
///
/// Nothing traps: see ``Skipped`` for what takes no part. The order of the records doesn't matter.
public struct SleepNights: Hashable, Sendable, Codable {
    /// How records become nights.
    public struct Rules: Hashable, Sendable {
        /// Only its zone counts; days are Gregorian.
        public var calendar: Calendar
        /// The local hour, 0 to 23, where one day's sleep ends and the next one's begins. From noon
        /// on it belongs to the evening: 18 makes the 11th out of 18:00 on the 10th to 18:00 on the
        /// 11th; 4 makes it out of 4:00 on the 11th to 4:00 on the 12th. Others are brought near.
        public var cut: Int
        /// Where records of undetermined duration end.
        public var horizon: Date
        /// Seconds without sleep that one sleep may hold: 90 minutes.
        public var longestWaking: TimeInterval = 90 * 60
        /// Seconds from which on one record of sleep is believed less than shorter ones: 12 hours.
        public var longestRecord: TimeInterval = 12 * 3600

        public init(calendar: Calendar, cut: Int = 18, horizon: Date = .now) {
            self.calendar = calendar
            self.cut = cut
            self.horizon = horizon
        }
    }

    /// Records that took no part, counted so that they can be told.
    public struct Skipped: Hashable, Sendable, Codable {
        /// Of a stage that nobody here knows, as a later system may write.
        public var unknownStage = 0
        /// Of a source that isn't in the list.
        public var unknownSource = 0
        /// Ended before they began, or lay outside the years 1 to 4000.
        public var malformed = 0
        /// Of no duration.
        public var instants = 0
        /// Longer than a day: no sleep and no time in bed is.
        public var overlong = 0
        /// Of undetermined duration, begun at the horizon or after it.
        public var notBegun = 0

        public init() {}
    }

    /// In order, at most one a day; days without a record have none.
    public var nights: [SleepNight]
    public var skipped: Skipped

    /// Settles records of sleep.
    ///
    /// - Parameters:
    ///   - sources: Their names, the winner first; ``SleepRecord/source`` is a place here.
    /// - Complexity: O(n log n + n · sources).
    public init(_ records: [SleepRecord], sources: [String], rules: Rules) {
        let admission = SleepAdmission(records, sources: sources.count, rules: rules)
        let pieces = admission.settled(sources: sources.count)
        let ledger = SleepLedger(admission, sources: sources, rules: rules)
        let calendar = SleepCalendar(rules)
        var days: [CivilDate: [SleepRest]] = [:]
        for rest in SleepRest.rests(of: pieces, longestWaking: max(0, rules.longestWaking)) {
            days[calendar.day(of: rest.middle), default: []].append(rest)
        }
        nights = days.compactMap { day, rests in ledger.night(day, rests) }
            .sorted { $0.morning < $1.morning }
        skipped = admission.skipped
    }
}

/// Which day a sleep belongs to.
struct SleepCalendar {
    private let calendar: Calendar
    private let cut: Int

    init(_ rules: SleepNights.Rules) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = rules.calendar.timeZone
        self.calendar = calendar
        cut = min(23, max(0, rules.cut))
    }

    func day(of moment: Double) -> CivilDate {
        let (date, hour) = clock(moment)
        if cut >= 12 {
            // About noon of the next day: that exists, also where a zone skips midnight or a date.
            return hour < cut ? date : clock(moment + Double(36 - hour) * 3600).date
        }
        return hour >= cut ? date : clock(moment - Double(12 + hour) * 3600).date
    }

    private func clock(_ moment: Double) -> (date: CivilDate, hour: Int) {
        let (date, second) = calendar.localTime(
            at: Date(timeIntervalSinceReferenceDate: moment))
        return (date, second / 3600)
    }
}
