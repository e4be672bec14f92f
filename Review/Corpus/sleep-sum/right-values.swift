// The old value beside the stages, each sample shown by itself, and samples that are written.
import HealthKit

struct SleepRow {
    let label: String
    let minutes: Double
}

struct SleepValues {
    func isAsleep(_ sample: HKCategorySample) -> Bool {
        if sample.value == HKCategoryValueSleepAnalysis.asleep.rawValue { return true }
        return sample.value == HKCategoryValueSleepAnalysis.asleepCore.rawValue
            || sample.value == HKCategoryValueSleepAnalysis.asleepDeep.rawValue
            || sample.value == HKCategoryValueSleepAnalysis.asleepREM.rawValue
    }

    func rows(_ samples: [HKCategorySample]) -> [SleepRow] {
        samples.map { sample in
            SleepRow(
                label: isAsleep(sample) ? "asleep" : "in bed",
                minutes: sample.endDate.timeIntervalSince(sample.startDate) / 60)
        }
    }

    func bounds(_ samples: [HKCategorySample]) -> TimeInterval? {
        guard let first = samples.min(by: { $0.startDate < $1.startDate }),
            let last = samples.max(by: { $0.endDate < $1.endDate })
        else { return nil }
        return last.endDate.timeIntervalSince(first.startDate)
    }

    func longest(_ samples: [HKCategorySample]) -> TimeInterval {
        var longest: TimeInterval = 0
        for sample in samples where isAsleep(sample) {
            longest = max(longest, sample.endDate.timeIntervalSince(sample.startDate))
        }
        return longest
    }

    func nap(from start: Date, to end: Date) -> HKCategorySample {
        HKCategorySample(
            type: HKCategoryType(.sleepAnalysis),
            value: HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue, start: start, end: end)
    }
}
