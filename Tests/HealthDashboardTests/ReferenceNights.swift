import Foundation
import HealthDashboard
import HealthEngine

/// A reference implementation of `SleepNights`: tick by tick, in UTC, for records whose times are
/// on ticks. It shares no code with the implementation it checks.
struct ReferenceNights {
    struct Tick: Hashable {
        var stage: SleepStage
        var source: Int
    }

    struct Night: Equatable {
        var morning: CivilDate
        var mergedIntervals: [SleepNight.MergedInterval]
        var naps: [[SleepNight.MergedInterval]]
        /// Source, recorded ticks, counted ticks.
        var parts: [[Int]]
        /// The ticks in bed; nil if no source recorded any.
        var inBed: Int?
    }

    let records: [SleepRecord]
    let sources: [String]
    let rules: SleepNights.Rules
    let base: Double
    let step: Double
    private(set) var ticks: [Tick?] = []
    private var accepted: [SleepRecord] = []
    private var implausible: [SleepRecord] = []

    init(
        _ records: [SleepRecord], sources: [String], rules: SleepNights.Rules, base: Double,
        step: Double, count: Int
    ) {
        self.records = records
        self.sources = sources
        self.rules = rules
        self.base = base
        self.step = step
        let valid = records.compactMap { record -> SleepRecord? in
            var record = record
            if record.end == .distantFuture { record.end = rules.horizon }
            let length = record.end.timeIntervalSince(record.start)
            let isKnown = record.stage != nil && sources.indices.contains(record.source)
            return isKnown && length > 0 && length <= 24 * 3600 ? record : nil
        }
        let short = valid.filter { isAsleep($0) && !isLong($0) }
        for record in valid {
            let own = (0..<count).filter { covers(record, $0) }
            let known = own.filter { tick in short.contains { covers($0, tick) } }
            if isAsleep(record) && isLong(record) && known.count * 4 >= own.count {
                implausible.append(record)
            } else {
                accepted.append(record)
            }
        }
        ticks = (0..<count).map { mergedTick($0) }
    }

    private func isAsleep(_ record: SleepRecord) -> Bool {
        [.rem, .core, .deep, .asleep].contains(record.stage)
    }

    private func isLong(_ record: SleepRecord) -> Bool {
        record.end.timeIntervalSince(record.start) >= rules.longestRecord
    }

    private func covers(_ record: SleepRecord, _ tick: Int) -> Bool {
        let time = Date(timeIntervalSinceReferenceDate: base + Double(tick) * step)
        return record.start <= time && time < record.end
    }

    private func mergedTick(_ tick: Int) -> Tick? {
        let here = accepted.filter { covers($0, tick) }
        for source in sources.indices {
            let recorded = here.filter { $0.source == source && $0.stage != .inBed }
            guard !recorded.isEmpty else { continue }
            let latest = recorded.map { $0.saved ?? .distantPast }.max()
            let last = Set(recorded.filter { ($0.saved ?? .distantPast) == latest }.map(\.stage))
            for stage in [SleepStage.awake, .rem, .deep, .core, .asleep] where last.contains(stage)
            {
                return Tick(stage: stage, source: source)
            }
        }
        return here.map(\.source).min().map { Tick(stage: .inBed, source: $0) }
    }

    // MARK: Sleeps

    private func sleeps(_ tick: Int) -> Bool { ticks[tick]?.stage.isAsleep ?? false }
    private var limit: Int { Int((rules.longestWaking / step).rounded(.down)) }

    /// The range of ticks of every sleep, from the first asleep to the last.
    private var sleeping: [ClosedRange<Int>] {
        var groups: [ClosedRange<Int>] = []
        for tick in ticks.indices where sleeps(tick) {
            if let last = groups.last, tick - last.upperBound - 1 <= limit {
                groups[groups.count - 1] = last.lowerBound...tick
            } else {
                groups.append(tick...tick)
            }
        }
        return groups
    }

    /// Returns the first tick after the longest time without a record between two sleeps.
    private func border(after left: ClosedRange<Int>, before right: ClosedRange<Int>) -> Int {
        var best = (border: left.upperBound + 1, length: 0)
        var length = 0
        for tick in left.upperBound + 1...right.lowerBound {
            if ticks[tick] == nil {
                length += 1
            } else {
                if length > best.length { best = (tick, length) }
                length = 0
            }
        }
        return best.border
    }

    /// Returns how far the ticks around a sleep belong to it, from `tick` to `bound` in steps of
    /// `stride`.
    private func reach(from tick: Int, by stride: Int, to bound: Int) -> Int {
        var reached = tick
        var next = tick + stride
        var idle = 0
        while stride > 0 ? next <= bound : next >= bound {
            guard let tickAtNext = ticks[next] else {
                idle += 1
                next += stride
                continue
            }
            var last = next
            while stride > 0 ? last < bound : last > bound, ticks[last + stride] == tickAtNext {
                last += stride
            }
            let isLongAwake = tickAtNext.stage == .awake && abs(last - next) + 1 > limit
            if idle > limit || isLongAwake { return reached }
            (reached, next, idle) = (last, last + stride, 0)
        }
        return reached
    }

    private struct Episode {
        var ticks: ClosedRange<Int>
        var sleep: ClosedRange<Int>
        var asleep: Int
    }

    private var episodes: [Episode] {
        let groups = sleeping
        var episodes: [Episode] = []
        for (index, group) in groups.enumerated() {
            let low = index == 0 ? 0 : border(after: groups[index - 1], before: group)
            let high =
                index + 1 == groups.count
                ? ticks.count - 1 : border(after: group, before: groups[index + 1]) - 1
            let first = reach(from: group.lowerBound, by: -1, to: low)
            let last = reach(from: group.upperBound, by: 1, to: high)
            episodes.append(
                Episode(ticks: first...last, sleep: group, asleep: group.filter(sleeps).count))
        }
        var isAssigned = ticks.map { _ in false }
        for episode in episodes { for tick in episode.ticks { isAssigned[tick] = true } }
        var last: Int?
        for tick in ticks.indices {
            if isAssigned[tick] { last = nil }
            guard !isAssigned[tick], ticks[tick]?.stage == .inBed else { continue }
            if let before = last, tick - before - 1 <= limit, var episode = episodes.popLast() {
                episode.ticks = episode.ticks.lowerBound...tick
                episode.sleep = episode.ticks
                episodes.append(episode)
            } else {
                episodes.append(Episode(ticks: tick...tick, sleep: tick...tick, asleep: 0))
            }
            last = tick
        }
        return episodes.sorted { $0.ticks.lowerBound < $1.ticks.lowerBound }
    }

    // MARK: Nights

    var nights: [Night] {
        let byDay = Dictionary(grouping: episodes) { day($0.sleep) }
        return byDay.keys.sorted().compactMap { day in
            let episodes = byDay[day] ?? []
            let maximum = episodes.map(\.asleep).max() ?? 0
            var best = episodes.first { $0.asleep == maximum }
            if maximum == 0 {
                let longest = episodes.map(\.ticks.count).max()
                best = episodes.first { $0.ticks.count == longest }
            }
            guard let best else { return nil }
            let naps = episodes.filter { $0.ticks != best.ticks && $0.asleep > 0 }
            return Night(
                morning: day, mergedIntervals: mergedIntervals(best.ticks),
                naps: naps.map { mergedIntervals($0.ticks) }, parts: parts(best.ticks),
                inBed: inBed(best.ticks))
        }
    }

    private func inBed(_ range: ClosedRange<Int>) -> Int? {
        let beds = accepted.filter { $0.stage == .inBed }
        let covered = range.filter { tick in beds.contains { covers($0, tick) } }
        if covered.isEmpty { return nil }
        return Set(covered).union(range.filter(sleeps)).count
    }

    private func day(_ sleep: ClosedRange<Int>) -> CivilDate {
        let middle = base + Double(sleep.lowerBound + sleep.upperBound + 1) / 2 * step
        let cut = min(23, max(0, rules.cut))
        let shifted = middle + Double(cut >= 12 ? 24 - cut : -cut) * 3600
        return CivilDate(dayNumber: Int((shifted / 86_400).rounded(.down)))
    }

    private func mergedIntervals(_ range: ClosedRange<Int>) -> [SleepNight.MergedInterval] {
        var mergedIntervals: [SleepNight.MergedInterval] = []
        for tick in range {
            guard let here = ticks[tick] else { continue }
            let start = Date(timeIntervalSinceReferenceDate: base + Double(tick) * step)
            let end = start.addingTimeInterval(step)
            if tick > range.lowerBound, ticks[tick - 1] == here {
                mergedIntervals[mergedIntervals.count - 1].end = end
            } else {
                mergedIntervals.append(
                    SleepNight.MergedInterval(
                        start: start, end: end, stage: here.stage, source: sources[here.source]))
            }
        }
        return mergedIntervals
    }

    private func parts(_ range: ClosedRange<Int>) -> [[Int]] {
        let all = accepted + implausible
        return sources.indices.compactMap { source in
            let own = all.filter { $0.source == source }
            guard own.contains(where: { record in range.contains { covers(record, $0) } }) else {
                return nil
            }
            let asleep = ticks.indices.map { tick in
                own.contains { isAsleep($0) && covers($0, tick) }
            }
            var recorded = 0
            var run: [Int] = []
            for tick in ticks.indices {
                if asleep[tick] { run.append(tick) }
                if !asleep[tick] || tick + 1 == ticks.count {
                    if run.contains(where: range.contains) { recorded += run.count }
                    run = []
                }
            }
            let counted = range.filter { sleeps($0) && ticks[$0]?.source == source }.count
            return [source, recorded, counted]
        }
    }
}
