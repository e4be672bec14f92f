internal import Foundation
import HealthEngine

/// The times at which a person wakes up and goes to bed, in reference seconds.
struct WakingHours: Sendable {
    var wake: Int
    var bed: Int
}

/// The ground truth of one day: what the person does, and when the Watch is worn and the iPhone
/// carried. Devices record samples from it.
///
/// It depends only on the person and the day. Each pass over the data computes it again, so no
/// state is kept between days.
struct DayPlan: Sendable {
    let day: Int
    let date: CivilDate
    let zone: TimeZone
    /// The start of the day in ``zone``, where the person is, in reference seconds.
    let midnight: Int
    let hours: WakingHours
    /// The sleep that ends when the person wakes up on this day, in reference seconds.
    let night: Range<Int>
    let walks: [Walk]
    /// The intervals in which the Watch is worn, between the start of ``night`` and the bed time of
    /// this day.
    let worn: [Range<Int>]
    /// The number of steps of the day before each minute since ``midnight``, for 26 hours; `[0]` is
    /// 0.
    let stepsBeforeMinute: [Int]
}

extension DayPlan {
    /// Returns the steps between two times of the day, both rounded down to whole minutes.
    func steps(from start: Int, to end: Int) -> Int {
        stepsBeforeMinute[minute(end)] - stepsBeforeMinute[minute(start)]
    }

    /// Returns the steps in the minute that contains a time.
    func cadence(at instant: Int) -> Int {
        let index = minute(instant)
        guard index + 1 < stepsBeforeMinute.count else { return 0 }
        return stepsBeforeMinute[index + 1] - stepsBeforeMinute[index]
    }

    private func minute(_ instant: Int) -> Int {
        min(max(0, (instant - midnight) / 60), stepsBeforeMinute.count - 1)
    }

    var zoneIdentifier: String { zone.identifier }

    /// The time for which the Watch is worn, in seconds.
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
            // After a change of time zone, the bed time of the day before can be after this day's
            // first walks.
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
        // Where clocks are set forward, the day has 23 hours, and the person goes to bed at the
        // same time by the clock.
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

extension Simulation {
    /// Returns the intervals in which the Watch is worn, between the start of the night and the bed
    /// time.
    ///
    /// On 2.5 % of the days it isn't worn at all. On about a quarter of the others it is charged
    /// during the night and worn from some minutes after waking up. Otherwise it is charged once,
    /// for 30 to 60 minutes in the morning or evening.
    func wearing(_ day: Int, _ hours: WakingHours, _ night: Range<Int>) -> [Range<Int>] {
        guard person.devices != .phone, day >= watchSince else { return [] }
        var random = SeededGenerator(seed: person.seed, stream: .wearing, day: day)
        if random.chance(0.025) { return [] }
        let begin = min(night.lowerBound, hours.wake)
        if random.chance(0.25) {
            let putOn = hours.wake + random.integer(120...2_400)
            return [putOn..<hours.bed]
        }
        let off: Int
        if random.chance(0.6) {
            off = hours.wake + random.integer(300...1_500)
        } else {
            off = hours.bed - random.integer(6_000...9_000)
        }
        return [begin..<off, (off + random.integer(1_800...3_600))..<hours.bed]
    }

    /// Decides on which walks the iPhone is carried.
    ///
    /// If the Watch isn't worn during the whole walk, the probability is 99 %. If it is, the
    /// probability depends on the kind of walk (40 % for runs, 60 to 94 % for others), and on 3 %
    /// of the days the iPhone is carried on no such walk.
    func takePhone(on day: Int, _ walks: inout [Walk], _ worn: [Range<Int>]) {
        var random = SeededGenerator(seed: person.seed, stream: .carrying, day: day)
        let forgotten = random.chance(0.03)
        for index in walks.indices {
            let draw = random.unit()
            let walk = walks[index]
            let onWrist = worn.contains { $0.lowerBound <= walk.start && walk.end <= $0.upperBound }
            let share =
                switch walk.kind {
                case .household: 0.6
                case .errand: 0.94
                case .stroll: 0.9
                case .run: 0.4
                }
            walks[index].phone =
                onWrist && person.devices != .phone
                ? !forgotten && draw < share : draw < 0.99
        }
    }
}
