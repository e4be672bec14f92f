package import Foundation
package import HealthEngine

/// Converts between instants and local times of a time zone, with the offset from UTC and the
/// proleptic Gregorian calendar.
///
/// - A day starts when clocks first show its date or a later one, and ends when the next day
///   starts. So if midnight is skipped, the day starts after the gap. If clocks show midnight and
///   are then set back to before midnight, the repeated time belongs to the new day. A date that
///   is repeated is one long day. A date that is skipped is an empty day.
/// - A local time that is skipped has no instant. A local time that is repeated has two.
///
/// All times are reference seconds: seconds since 2001-01-01T00:00:00Z.
package struct LocalClock: Sendable {
    package let zone: TimeZone

    package init(_ zone: TimeZone) { self.zone = zone }

    /// The largest distance from the reference date; times beyond it are clamped. About 18 million
    /// years.
    private static let furthest = 0x1p49
    /// An upper bound of the distance from UTC, in seconds, in time zones whose offset changes.
    /// Zones with a fixed offset can be further from UTC, but have no change of offset to find.
    private static let maximumOffset = 57_600.0
    /// A duration in seconds that is longer than any repetition of local time. It is shorter than
    /// the time between two changes of a zone's offset, which is at least four days.
    private static let longestRepetition = 90_000.0

    /// Returns the offset from UTC at a time, in seconds east.
    package func offset(at time: Double) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: LocalClock.bounded(time)))
    }

    /// Returns the local date and second of the day at a time.
    package func reading(at time: Double) -> (date: CivilDate, secondOfDay: Int) {
        let whole = LocalClock.bounded(time).rounded(.down)
        return CivilDate.split(seconds: Int(clamping: whole) + offset(at: whole))
    }

    /// Returns the day that a time belongs to: the latest day that has started.
    ///
    /// If clocks showed midnight and were then set back to before midnight, the repeated time
    /// belongs to the new day. Clocks then show the date before.
    package func day(at time: Double) -> CivilDate {
        let date = reading(at: time).date
        guard offset(at: time - LocalClock.longestRepetition) > offset(at: time) else {
            return date
        }
        let next = CivilDate(dayNumber: date.dayNumber + 1)
        return start(of: next) <= time ? next : date
    }

    /// Returns the start of a day; for a day that the time zone skipped, the start of the next day.
    package func start(of day: CivilDate) -> Double { first(showing: day, secondOfDay: 0) }

    /// Returns whether a date exists in the time zone.
    package func contains(_ day: CivilDate) -> Bool { reading(at: start(of: day)).date == day }

    /// Returns the first time at which clocks show a local time or a later one.
    package func first(showing date: CivilDate, secondOfDay: Int) -> Double {
        let reading = Double(date.dayNumber) * 86_400 + Double(secondOfDay)
        guard let change = change(around: reading) else {
            return reading - Double(offset(at: reading))
        }
        let early = reading - change.before
        return early < change.time ? early : max(change.time, reading - change.after)
    }

    /// Returns the times at which clocks show a local time, in ascending order: none if it is
    /// skipped, two if it is repeated.
    package func moments(showing date: CivilDate, secondOfDay: Int) -> [Double] {
        let reading = Double(date.dayNumber) * 86_400 + Double(secondOfDay)
        guard let change = change(around: reading) else {
            return [reading - Double(offset(at: reading))]
        }
        let (early, late) = (reading - change.before, reading - change.after)
        return (early < change.time ? [early] : []) + (late >= change.time ? [late] : [])
    }

    /// Returns the change of offset within 16 hours of a local time, found by binary search; nil if
    /// the offset is the same before and after. `time` is the first second with the new offset.
    private func change(
        around reading: Double
    ) -> (time: Double, before: Double, after: Double)? {
        var (low, high) = (reading - LocalClock.maximumOffset, reading + LocalClock.maximumOffset)
        let (before, after) = (offset(at: low), offset(at: high))
        if before == after { return nil }
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded(.down)
            if offset(at: middle) == before { low = middle } else { high = middle }
        }
        return (high, Double(before), Double(after))
    }

    private static func bounded(_ time: Double) -> Double {
        time.isNaN ? 0 : min(max(time, -furthest), furthest)
    }
}
