import HealthEngine

/// A reference implementation of daily statistics, sample by sample, which shares only type names
/// with the engine. Answers are compared with it.
///
/// Readings have whole or half seconds and are sorted by start.
struct ReferenceStatistics {
    let days: [Double]

    /// Returns heart-rate averages. An instant is weighted by half the gaps to its neighbours
    /// within the day, each gap limited to ten minutes. A sample with a duration is weighted by it
    /// (Semantics §3.3).
    func averages(_ readings: [Reading]) -> [Statistics] {
        var (sums, weights) = (zeros, zeros)
        var previous = [(value: Double, end: Double, isInstant: Bool)?](
            repeating: nil, count: days.count)
        var plain = zeros
        return statistics(readings) { reading, day, from, to, values in
            let isInstant = reading.start == reading.end
            if let before = previous[day], isInstant || before.isInstant {
                let half = min(from - before.end, 600) / 2
                if half > 0 {
                    sums[day] += (before.value + reading.value) * half
                    weights[day] += 2 * half
                }
            }
            sums[day] += reading.value * (to - from)
            weights[day] += to - from
            plain[day] += reading.value
            previous[day] = (reading.value, to, isInstant)
            let average = plain[day] / Double(values.count)
            values.average = weights[day] > 0 ? sums[day] / weights[day] : average
            values.minimum = min(values.minimum ?? reading.value, reading.value)
            values.maximum = max(values.maximum ?? reading.value, reading.value)
            return true
        }
    }

    /// Returns steps of a watch and a phone. The phone's steps count for each second that no sample
    /// of the watch covers (Semantics §1.3, §2.4).
    func sums(_ readings: [Reading]) -> [Statistics] {
        var taken = [UInt64](repeating: 0, count: Int(days[days.count - 1] - days[0]) / 64 + 100)
        func seconds(_ from: Double, _ to: Double) -> Range<Int> {
            Int(from - days[0])..<Int(to - days[0])
        }
        for reading in readings where reading.source == History.watch {
            for second in seconds(reading.start, reading.end) {
                taken[second / 64] |= 1 << UInt64(second % 64)
            }
        }
        return statistics(readings) { reading, _, from, to, values in
            values.sum = values.sum ?? 0
            var kept = to - from
            if reading.source != History.watch {
                kept = Double(
                    seconds(from, to).count { taken[$0 / 64] & 1 << UInt64($0 % 64) == 0 })
            }
            if kept == 0 { return false }
            let whole = reading.end - reading.start
            values.sum? += kept == whole ? reading.value : reading.value * kept / whole
            return true
        }
    }

    /// Returns the number of readings that start on each day, and their sums.
    func starting(_ readings: [Reading]) -> (counts: [Int], sums: [Double]) {
        var (counts, sums, day) = ([Int](repeating: 0, count: days.count - 1), zeros, 0)
        for reading in readings {
            while days[day + 1] <= reading.start { day += 1 }
            counts[day] += 1
            sums[day] += reading.value
        }
        return (counts, sums)
    }

    private var zeros: [Double] { [Double](repeating: 0, count: days.count) }

    /// Returns counts, the union of times and the newest reading. `add` adds one reading to one day
    /// and returns whether it counts there.
    private func statistics(
        _ readings: [Reading],
        _ add: (Reading, Int, Double, Double, inout Statistics.Values) -> Bool
    ) -> [Statistics] {
        var all = zip(days, days.dropFirst()).map {
            Statistics(start: $0, end: $1, merged: Statistics.Values())
        }
        var covered = days
        var first = 0
        for reading in readings {
            while days[first + 1] <= reading.start { first += 1 }
            var day = first
            repeat {
                let from = max(reading.start, days[day])
                let to = min(reading.end, days[day + 1])
                all[day].merged.count += 1
                let union = max(0, to - max(from, covered[day]))
                all[day].merged.duration = (all[day].merged.duration ?? 0) + union
                covered[day] = max(covered[day], to)
                if add(reading, day, from, to, &all[day].merged) {
                    all[day].merged.mostRecent = reading.value
                    all[day].merged.mostRecentStart = reading.start
                    all[day].merged.mostRecentEnd = reading.end
                }
                day += 1
            } while day + 1 < days.count && days[day] < reading.end
        }
        return all.filter { $0.merged.count > 0 }
    }
}

/// A hash of a list of statistics. Equal hashes mean that the lists are equal, bit for bit.
struct Digest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ statistics: [Statistics]) {
        for day in statistics {
            let values = day.merged
            add(UInt64(values.count))
            for number in [
                day.start, day.end, values.sum, values.average, values.minimum, values.maximum,
                values.mostRecent, values.mostRecentStart, values.mostRecentEnd, values.duration,
            ] { add(number?.bitPattern ?? 0x7FF8_DEAD_0000_0000) }
        }
    }

    private mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }
}
