internal import Foundation
import HealthEngine

/// When a person is up, in reference seconds.
struct WakingHours: Sendable {
    var wake: Int
    var bed: Int
}

/// Everything that is decided about one lived day before any device records it.
///
/// A pure function of person and day, so that each pass over the data can make it anew and nothing
/// has to be remembered.
struct DayPlan: Sendable {
    let day: Int
    let date: CivilDate
    let zone: TimeZone
    /// The lived midnight that begins the day.
    let midnight: Int
    let hours: WakingHours
    /// The night that ends on this day's morning.
    let night: Range<Int>
    let walks: [Walk]
    /// When the Watch is on the wrist, between the bed times of the day before and of this day.
    let worn: [Range<Int>]
    /// Steps in each minute since ``midnight``, summed up: `[0]` is 0.
    let stepsBeforeMinute: [Int]
}

extension DayPlan {
    /// Steps between two instants of the day, to the minute.
    func steps(from start: Int, to end: Int) -> Int {
        stepsBeforeMinute[minute(end)] - stepsBeforeMinute[minute(start)]
    }

    /// Steps in the minute that holds an instant.
    func cadence(at instant: Int) -> Int {
        let index = minute(instant)
        guard index + 1 < stepsBeforeMinute.count else { return 0 }
        return stepsBeforeMinute[index + 1] - stepsBeforeMinute[index]
    }

    private func minute(_ instant: Int) -> Int {
        min(max(0, (instant - midnight) / 60), stepsBeforeMinute.count - 1)
    }

    var zoneIdentifier: String { zone.identifier }

    /// Seconds the Watch is worn.
    var wornSeconds: Int { worn.reduce(0) { $0 + $1.count } }
}

extension Simulation {
    func plan(_ day: Int) -> DayPlan {
        let hours = wakingHours(day)
        let night = self.night(endingOn: day, hours)
        let weekend = calendar.date(day).weekday >= 5
        var walks = Walk.day(
            hours, weekend: weekend, detail: detail, seed: person.seed, day: day)
        if day > 0 {
            // After a flight the day before may have ended late by the new clock.
            let previousBed = wakingHours(day - 1).bed
            walks.removeAll { $0.start < previousBed + 60 }
        }
        let worn = wearing(day, hours, night)
        takePhone(on: day, &walks, worn)
        let midnight = calendar.midnight(day)
        return DayPlan(
            day: day, date: calendar.date(day), zone: calendar.zone(day), midnight: midnight,
            hours: hours, night: night, walks: walks, worn: worn,
            stepsBeforeMinute: Self.summed(walks, since: midnight))
    }

    func wakingHours(_ day: Int) -> WakingHours {
        var random = SeededGenerator(seed: person.seed, stream: .habits, day: day)
        let weekend = ((calendar.first.dayNumber + day) % 7 + 7) % 7 >= 5
        let midnight = calendar.midnight(day)
        let wake = random.integer(weekend ? 27_000...32_400 : 22_500...26_400)
        let bed = random.integer(weekend ? 81_600...84_900 : 79_800...84_000)
        // Clocks set forward leave 23 hours.
        let length = calendar.midnight(min(day + 1, calendar.count)) - midnight
        return WakingHours(
            wake: midnight + wake, bed: midnight + (length == 82_800 ? bed - 3_600 : bed))
    }

    private func night(endingOn day: Int, _ hours: WakingHours) -> Range<Int> {
        guard day > 0 else { return calendar.midnight(0)..<hours.wake }
        let asleep = wakingHours(day - 1).bed + 900
        return max(min(asleep, hours.wake - 3_600), hours.wake - 34_000)..<hours.wake
    }

    private static func summed(_ walks: [Walk], since midnight: Int) -> [Int] {
        var sums = [Int](repeating: 0, count: 1_561)
        for walk in walks {
            for (minute, steps) in walk.cadence.enumerated() {
                let index = (walk.start - midnight) / 60 + minute + 1
                if sums.indices.contains(index) { sums[index] += steps }
            }
        }
        for index in sums.indices.dropFirst() { sums[index] += sums[index - 1] }
        return sums
    }
}
