// One figure of the night merges intervals, the other one adds them up.
import HealthKit

struct DayOfSleep {
    let day: Date
    let asleep: TimeInterval
    let inBed: TimeInterval
}

struct SleepDays {
    let calendar = Calendar.current

    func days(_ samples: [HKCategorySample]) -> [DayOfSleep] {
        Dictionary(grouping: samples) { calendar.startOfDay(for: $0.endDate) }
            .map { day, list in
                DayOfSleep(
                    day: day, asleep: total(list) { $0 > 2 }, inBed: merged(list) { $0 == 0 })
            }
    }

    private func total(_ list: [HKCategorySample], where takes: (Int) -> Bool) -> TimeInterval {
        list.filter { takes($0.value) }  // finds sleep-sum
            .reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }
    }

    private func merged(_ list: [HKCategorySample], where takes: (Int) -> Bool) -> TimeInterval {
        var sum: TimeInterval = 0
        var cursor = Date.distantPast
        for sample in list where takes(sample.value) {
            let start = max(sample.startDate, cursor)
            if sample.endDate > start {
                sum += sample.endDate.timeIntervalSince(start)
                cursor = sample.endDate
            }
        }
        return sum
    }

    func bySource(_ samples: [HKCategorySample]) -> [TimeInterval] {
        Dictionary(grouping: samples) { $0.sourceRevision.source.bundleIdentifier }
            .map { _, list in length(of: list) }
    }

    private func length(of list: [HKCategorySample]) -> TimeInterval {
        list.filter { HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue).contains($0.value) }
            .reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }
    }
}
