import Foundation
import HealthCalendar
import HealthEngine

/// How alike the nights of a person are.
///
/// The sleep regularity index is the share of minutes in which a person is in the same state, asleep or
/// not, as 24 hours later, scaled so that 100 is the same every day and 0 is chance (Phillips and others,
/// “Irregular sleep/wake patterns are associated with poorer academic performance”, Scientific Reports
/// 2017).
package enum SleepRegularity {
    /// The minimum number of pairs of nights.
    static let minimumPairs = 5
    private static let minutes = 1440

    /// Returns the index of nights.
    ///
    /// Only pairs of nights on consecutive days count, because a night that wasn't recorded isn't a night
    /// without sleep. A day lasts from 18:00 on the evening before to 18:00, by the clock on the wall, so
    /// that a change of clocks isn't an irregular night.
    ///
    /// - Parameters:
    ///   - nights: The nights in order of time; those without known sleep are left out.
    ///   - calendar: The calendar of their days.
    /// - Returns: A number from -100 to 100; nil with fewer than five pairs.
    /// - Complexity: O(1440 · nights).
    package static func index(of nights: [SleepNight], _ calendar: Calendar) -> Double? {
        let known = nights.filter { $0.asleep != nil }
        let states = known.map { state(of: $0, calendar) }
        var (equal, pairs) = (0, 0)
        for (index, night) in known.enumerated().dropLast()
        where known[index + 1].morning.dayNumber == night.morning.dayNumber + 1 {
            pairs += 1
            equal += zip(states[index], states[index + 1]).count { $0 == $1 }
        }
        guard pairs >= minimumPairs else { return nil }
        return Double(equal) / Double(pairs * minutes) * 200 - 100
    }

    /// Returns for each minute from 18:00 to 18:00 whether it was slept in.
    private static func state(of night: SleepNight, _ calendar: Calendar) -> [Bool] {
        var state = [Bool](repeating: false, count: minutes)
        let all = night.mergedIntervals + night.naps.flatMap(\.self)
        for interval in all where interval.stage.isAsleep {
            guard let first = minute(interval.start, night, calendar),
                let end = minute(interval.end, night, calendar), first < end
            else { continue }
            for minute in max(0, first)..<min(minutes, max(0, end)) { state[minute] = true }
        }
        return state
    }

    /// Returns the minutes from 18:00 on the evening before; nil for a time that is days away.
    private static func minute(_ time: Date, _ night: SleepNight, _ calendar: Calendar) -> Int? {
        let local = calendar.localTime(at: time)
        let day = calendar.civilDate(of: time).dayNumber - night.morning.dayNumber
        guard (-2...2).contains(day) else { return nil }
        return day * minutes + local.secondOfDay / 60 + 6 * 60
    }
}
